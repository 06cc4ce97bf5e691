import type { Download } from "./binary.js";
import { type Compiled, checkedDownload, chosenVariant, compile } from "./compile.js";
import { Core, type RawModule } from "./core.js";
import { EngineInstance } from "./engine.js";
import { throwIfAborted, WhereformerError } from "./error.js";
import type { Engine, LoadOptions, Variant } from "./types.js";

const glue = {
  simd: () => import("./simd.mjs"),
  relaxed: () => import("./relaxed.mjs"),
};

async function instantiate({ variant, module }: Compiled): Promise<RawModule> {
  const { default: makeEngine } = await glue[variant]();
  return new Promise((resolve, reject) => {
    const refused = (cause: unknown) =>
      reject(
        cause instanceof RangeError
          ? new WhereformerError("out_of_memory", `out of memory: ${cause.message}`, {}, cause)
          : new WhereformerError(
              "malformed_file",
              `wasm: not the ${variant} binary of this version (${String(cause)})`,
              {},
              cause,
            ),
      );
    makeEngine({
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(module, imports).then(receive).catch(refused);
        return {};
      },
    }).then(resolve, refused);
  });
}

async function start(options: LoadOptions): Promise<Engine> {
  const compiled = await compile(options);
  const raw = await instantiate(compiled);
  throwIfAborted(options.signal);
  return new EngineInstance(new Core(raw), compiled.variant);
}

/** A download that several callers wait for. It is cancelled when none is left. */
class SharedStart {
  readonly #control = new AbortController();
  readonly #listeners = new Set<NonNullable<LoadOptions["onProgress"]>>();
  readonly #engine: Promise<Engine>;
  #waiting = 0;

  constructor(variant: Variant, forget: () => void) {
    const onProgress = (loaded: number, total: number) => {
      for (const listener of this.#listeners) listener(loaded, total);
    };
    this.#engine = start({ variant, signal: this.#control.signal, onProgress });
    this.#engine.catch(forget);
  }

  join({ signal, onProgress }: Download): Promise<Engine> {
    if (onProgress) this.#listeners.add(onProgress);
    this.#waiting++;
    return new Promise<Engine>((resolve, reject) => {
      signal?.addEventListener(
        "abort",
        () => {
          reject(new WhereformerError("aborted", "aborted by its signal", {}, signal.reason));
          if (onProgress) this.#listeners.delete(onProgress);
          if (--this.#waiting === 0) this.#control.abort();
        },
        { once: true },
      );
      this.#engine.then(resolve, reject);
    });
  }
}

const started = new Map<Variant, SharedStart>();

/**
 * Loads the engine. Without `wasm` the binary beside the package is taken and loaded once: later
 * calls for the same variant resolve to the same engine. With `wasm` each call makes a new one.
 *
 * Needs no header of the server, no eval, and (in Node) no network. Errors: `unsupported` without
 * WebAssembly SIMD, `network`, `malformed_file` when what came is not the binary, `aborted`.
 */
export async function load(options: LoadOptions = {}): Promise<Engine> {
  const download = checkedDownload(options);
  throwIfAborted(download.signal);
  if (options.wasm !== undefined) return start(options);
  const variant = chosenVariant(options);
  let shared = started.get(variant);
  if (!shared) {
    shared = new SharedStart(variant, () => {
      if (started.get(variant) === shared) started.delete(variant);
    });
    started.set(variant, shared);
  }
  return shared.join(download);
}

import type { Engine, LoadOptions, Variant } from "../types/index.js";
import type { Download } from "../wire/binary.js";
import { checkedDownload, chosenVariant, compile } from "../wire/compile.js";
import { Core, type RawModule } from "../wire/core.js";
import { throwIfAborted, WhereformerError } from "../wire/error.js";
import { EngineInstance } from "./engine.js";

const glue = {
  simd: () => import("../wire/simd.mjs"),
  relaxed: () => import("../wire/relaxed.mjs"),
};

type MakeEngine = Awaited<ReturnType<(typeof glue)["simd"]>>["default"];

/** Errors: out_of_memory, malformed_file where glue and binary do not fit together. */
export function instantiate(
  makeEngine: MakeEngine,
  module: WebAssembly.Module,
  name: string,
): Promise<RawModule> {
  return new Promise((resolve, reject) => {
    const refused = (cause: unknown) =>
      reject(
        cause instanceof RangeError
          ? new WhereformerError("out_of_memory", `out of memory: ${cause.message}`, {}, cause)
          : new WhereformerError(
              "malformed_file",
              `wasm: not the ${name} binary of this version (${String(cause)})`,
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

/** What an engine of its own is made of. */
export async function startCore(options: LoadOptions): Promise<{ core: Core; variant: Variant }> {
  const { variant, module } = await compile(options);
  const { default: makeEngine } = await glue[variant]();
  const raw = await instantiate(makeEngine, module, variant);
  throwIfAborted(options.signal);
  return { core: new Core(raw), variant };
}

async function start(options: LoadOptions): Promise<Engine> {
  const { core, variant } = await startCore(options);
  return new EngineInstance(core, variant);
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

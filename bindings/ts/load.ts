import { checkOptions, choice, refuse } from "./arguments.js";
import { compileBinary, type Download } from "./binary.js";
import { Core, type RawModule } from "./core.js";
import { EngineInstance } from "./engine.js";
import { throwIfAborted, WhereformerError } from "./error.js";
import { canRun } from "./features.js";
import type { Engine, LoadOptions, Variant } from "./types.js";

/** Bundlers read these literals and put the binaries beside their output. */
const beside: Record<Variant, () => URL> = {
  simd: () => new URL("./simd.wasm", import.meta.url),
  relaxed: () => new URL("./relaxed.wasm", import.meta.url),
};
const glue = {
  simd: () => import("./simd.mjs"),
  relaxed: () => import("./relaxed.mjs"),
};

/** The compiled binary and its variant; workers are handed both. @internal */
export interface Compiled {
  variant: Variant;
  module: WebAssembly.Module;
}

async function instantiate({ variant, module }: Compiled): Promise<RawModule> {
  const { default: makeEngine } = await glue[variant]();
  return new Promise((resolve, reject) => {
    const refused = (cause: unknown) =>
      reject(
        cause instanceof RangeError
          ? new WhereformerError("out_of_memory", `out of memory: ${cause.message}`, {}, cause)
          : new WhereformerError("malformed_file", `wasm: not the ${variant} binary of this version (${String(cause)})`, {}, cause),
      );
    makeEngine({
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(module, imports).then(receive).catch(refused);
        return {};
      },
    }).then(resolve, refused);
  });
}

function chosenVariant(options: LoadOptions): Variant {
  const asked = options.variant === undefined ? "auto" : choice("variant", options.variant, ["auto", "simd", "relaxed"]);
  // A binary that was handed in is the plain one unless its variant is said.
  const variant = asked === "auto" ? (options.wasm === undefined && canRun("relaxed") ? "relaxed" : "simd") : asked;
  if (canRun(variant)) return variant;
  const needs = "Chrome 91, Firefox 89, Safari 16.4, Node 16.4";
  const message =
    variant === "simd"
      ? `variant: this engine has no WebAssembly SIMD; needed is at least ${needs}`
      : `variant: "relaxed" needs relaxed SIMD, which this engine lacks; allowed is "simd" or "auto"`;
  throw new WhereformerError("unsupported", message, { argument: "variant", value: variant });
}

function checkedDownload(options: LoadOptions): Download {
  checkOptions("options", options, ["variant", "wasm", "signal", "onProgress"]);
  const { signal, onProgress } = options;
  if (signal !== undefined && !(signal instanceof AbortSignal)) refuse("signal", signal, "an AbortSignal");
  if (onProgress !== undefined && typeof onProgress !== "function") refuse("onProgress", onProgress, "a function");
  return { signal, onProgress };
}

/** Finds, downloads and compiles the binary. @internal */
export async function compile(options: LoadOptions = {}): Promise<Compiled> {
  const download = checkedDownload(options);
  const variant = chosenVariant(options);
  throwIfAborted(download.signal);
  return { variant, module: await compileBinary(options.wasm, beside[variant], download) };
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

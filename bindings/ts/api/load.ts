import type { Engine, LoadOptions, Variant } from "../types/index.js";
import { type Download, inParts } from "../wire/binary.js";
import {
  checkedDownload,
  chosenVariant,
  compile,
  compileTraining,
  wantsTraining,
} from "../wire/compile.js";
import type { Core } from "../wire/core.js";
import { typed } from "../wire/error.js";
import { aborted, throwIfAborted } from "../wire/signal.js";
import { EngineInstance } from "./engine.js";
import { coreOf } from "./one-thread.js";

/** @internal Starts an engine that is not shared. */
export async function startCore(options: LoadOptions): Promise<{ core: Core; variant: Variant }> {
  const compiled = await compile(options);
  const core = await coreOf(compiled);
  throwIfAborted(options.signal);
  return { core, variant: compiled.variant };
}

async function start(options: LoadOptions): Promise<{ core: Core; engine: Engine }> {
  const { core, variant } = await startCore(options);
  return { core, engine: new EngineInstance(core, variant) };
}

/**
 * The start of an engine that several callers share. Its download is cancelled when none is left.
 */
class SharedStart {
  readonly #control = new AbortController();
  /** One entry for each waiting caller. */
  readonly #listeners = new Set<(loaded: number, total: number) => void>();
  readonly #started: ReturnType<typeof start>;
  #core: Core | undefined;

  constructor(variant: Variant) {
    const onProgress = (loaded: number, total: number) => {
      for (const listener of this.#listeners) listener(loaded, total);
    };
    // Deferred: a file is read at once, before the first caller could listen.
    this.#started = Promise.resolve().then(() =>
      start({ variant, signal: this.#control.signal, onProgress }),
    );
    this.#started.then(
      ({ core }) => {
        this.#core = core;
      },
      () => this.#control.abort(),
    );
  }

  /** Whether the engine is ready. */
  get isStarted(): boolean {
    return this.#core !== undefined;
  }

  /** Whether the training part is loaded. */
  get canTrain(): boolean {
    return this.#core?.training?.isThere ?? false;
  }

  /** Whether no caller can join: the start failed, all callers left, or the engine stopped. */
  get isOver(): boolean {
    return this.#control.signal.aborted || this.#core?.broken !== undefined;
  }

  join({ signal, onProgress }: Download): ReturnType<typeof start> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        signal?.removeEventListener("abort", abort);
        this.#listeners.delete(listener);
      };
      const refuse = (reason: unknown) => {
        leave();
        reject(reason);
        if (this.#listeners.size === 0) this.#control.abort();
      };
      const abort = () => refuse(aborted(signal));
      const listener = (loaded: number, total: number) => {
        try {
          onProgress?.(loaded, total);
        } catch (reason) {
          refuse(reason);
        }
      };
      this.#listeners.add(listener);
      signal?.addEventListener("abort", abort);
      this.#started.then(
        (engine) => {
          leave();
          resolve(engine);
        },
        (reason: unknown) => {
          leave();
          reject(reason);
        },
      );
    });
  }
}

const started = new Map<Variant, SharedStart>();

/** Returns the shared engine of a variant, with its training part if the options request it. */
async function join(shared: SharedStart, options: LoadOptions, variant: Variant): Promise<Engine> {
  const download = checkedDownload(options);
  if (!wantsTraining(options) || shared.canTrain) return (await shared.join(download)).engine;
  // No progress events for a binary that is already loaded.
  const silent = { signal: download.signal, onProgress: undefined };
  const [first, second] = shared.isStarted ? [silent, download] : inParts(download);
  const [{ core, engine }, part] = await Promise.all([
    shared.join(first),
    compileTraining(options, variant, second),
  ]);
  await core.training!.add(part);
  throwIfAborted(download.signal);
  return engine;
}

/**
 * Loads the engine. Without `wasm` it loads the binary beside the package, once: later calls for
 * the same variant resolve to the same engine, until it stops (`internal`), and then to a new one.
 * With `wasm` each call makes a new engine. `training` adds the training part to the engine of that
 * variant, for all callers that share it.
 *
 * Needs no header of the server, no eval, and (in Node) no network. Errors: `unsupported` without
 * WebAssembly SIMD, `network`, `malformed_file` if the file is not the binary, `aborted`.
 */
export async function load(options: LoadOptions = {}): Promise<Engine> {
  try {
    const download = checkedDownload(options);
    const { wasm } = options;
    throwIfAborted(download.signal);
    if (wasm !== undefined) return (await start({ ...options, wasm })).engine;
    const variant = chosenVariant(options);
    let shared = started.get(variant);
    if (!shared || shared.isOver) {
      shared = new SharedStart(variant);
      started.set(variant, shared);
    }
    return await join(shared, options, variant);
  } catch (cause) {
    throw typed(cause);
  }
}

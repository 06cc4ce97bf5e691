/** The side of the caller: objects whose methods are messages to the worker. */

import { encoded } from "../config/model-source.js";
import type { GeneratedToken, GenerateOptions, LoadOptions, Tokenizer } from "../types/index.js";
import { refuse } from "../wire/arguments.js";
import { resolveUrl } from "../wire/binary.js";
import { checkedDownload, compile } from "../wire/compile.js";
import { throwIfAborted } from "../wire/error.js";
import { Line } from "./line.js";
import { isReference, type Kind, methods, type Reference, type Snapshot } from "./protocol.js";
import type { RemoteEngine, RemoteModel, TaskOptions } from "./remote.js";

const disposeKey: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");

type Properties = Record<string, unknown>;

/** Every object of a worker on this side, by its number, while someone holds it. */
class Remotes {
  readonly line: Line;
  readonly #known = new Map<number, WeakRef<Remote>>();
  readonly #forgotten = new FinalizationRegistry<number>((handle) => this.line.forget(handle));

  constructor(line: Line) {
    this.line = line;
  }

  keep(remote: Remote, handle: number): void {
    this.#known.set(handle, new WeakRef(remote));
    this.#forgotten.register(remote, handle, remote);
  }

  drop(remote: Remote, handle: number): void {
    this.#known.delete(handle);
    this.#forgotten.unregister(remote);
    this.line.forget(handle);
  }

  update({ whereformerHandle, properties }: Snapshot): void {
    this.#known.get(whereformerHandle)?.deref()?.update(properties);
  }
}

/** An object of the worker: its methods by name, its properties as last heard. */
class Remote {
  declare [Symbol.dispose]: () => void;
  readonly #remotes: Remotes;
  readonly #handle: number;
  #disposed = false;

  constructor(remotes: Remotes, { whereformerHandle, kind, properties }: Snapshot) {
    this.#remotes = remotes;
    this.#handle = whereformerHandle;
    for (const [name, count] of Object.entries(methods[kind])) {
      if (name in this) continue;
      const method = (...args: unknown[]) =>
        this.ask(name, args.slice(0, count), (args[count] ?? {}) as TaskOptions);
      Object.defineProperty(this, name, { value: method, configurable: true });
    }
    this.update(properties);
    remotes.keep(this, whereformerHandle);
  }

  get reference(): Reference {
    if (this.#disposed) refuse("object", "disposed", "one that was not disposed of", "disposed");
    return { whereformerHandle: this.#handle };
  }

  get remotes(): Remotes {
    return this.#remotes;
  }

  update(properties: Properties): void {
    for (const [name, value] of Object.entries(properties)) {
      Object.defineProperty(this, name, { value, enumerable: true, configurable: true });
    }
  }

  async ask(method: string, args: unknown[], task: TaskOptions): Promise<unknown> {
    const { whereformerHandle } = this.reference;
    for (const item of [...args, task])
      if (
        typeof item === "object" &&
        item !== null &&
        (item as { out?: unknown }).out !== undefined
      )
        refuse("out", (item as { out: unknown }).out, "none in a worker", "unsupported");
    const { value, touched } = await this.#remotes.line.call(
      whereformerHandle,
      method,
      args.map(referred),
      task,
    );
    touched.forEach((snapshot) => {
      this.#remotes.update(snapshot);
    });
    return isReference(value) ? wrap(this.#remotes, value as Snapshot) : value;
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    if (this.#handle === 0) this.#remotes.line.close();
    else this.#remotes.drop(this, this.#handle);
  }
}

Object.defineProperty(Remote.prototype, disposeKey, {
  configurable: true,
  writable: true,
  value(this: Remote) {
    this.dispose();
  },
});

/** References in the place of remote objects, addresses in the place of URLs: what a message can carry. */
function referred(value: unknown): unknown {
  if (value instanceof Remote) return value.reference;
  if (value instanceof URL) return value.href;
  if (Array.isArray(value)) return typeof value[0] === "number" ? value : value.map(referred);
  if (
    typeof value !== "object" ||
    value === null ||
    Object.getPrototypeOf(value) !== Object.prototype
  )
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, referred(item)]));
}

/** A model whose tokenizer stays on this side. */
class ModelRemote extends Remote {
  tokenizer: Tokenizer | undefined;

  async run(input: unknown, options?: unknown, task: TaskOptions = {}): Promise<unknown> {
    const ids = encoded("input", input, this.tokenizer);
    const result = (await this.ask("run", [ids, options], task)) as {
      ids: number[];
      tokens: string[];
    };
    const { tokenizer } = this;
    return tokenizer
      ? { ...result, tokens: result.ids.map((id) => tokenizer.decode([id])) }
      : result;
  }

  async *generate(
    prompt: unknown,
    options: GenerateOptions = {},
  ): AsyncGenerator<GeneratedToken, void, void> {
    const { signal, ...rest } = options;
    const task: TaskOptions = signal ? { signal } : {};
    throwIfAborted(signal);
    const generation = (await this.ask(
      "generate",
      [encoded("prompt", prompt, this.tokenizer), rest],
      task,
    )) as Remote;
    try {
      for (;;) {
        const step = (await generation.ask("next", [], task)) as IteratorResult<
          GeneratedToken,
          void
        >;
        if (step.done) return;
        yield { id: step.value.id, text: this.tokenizer?.decode([step.value.id]) ?? "" };
      }
    } finally {
      generation.dispose();
    }
  }
}

/** Addresses in a source mean what they mean here, not in the worker. */
function located(source: unknown): unknown {
  if (typeof source === "string" || source instanceof URL) return resolveUrl("source", source).href;
  if (typeof source !== "object" || source === null) return source;
  const parts: Properties = { ...source };
  for (const name of ["config", "weights"]) {
    const part = parts[name];
    if (typeof part === "string" || part instanceof URL) parts[name] = resolveUrl(name, part).href;
  }
  delete parts["tokenizer"];
  return parts;
}

class EngineRemote extends Remote {
  async model(
    source: unknown,
    options: TaskOptions & { tokenizer?: Tokenizer } = {},
  ): Promise<RemoteModel> {
    const { tokenizer, ...task } = options;
    const model = (await this.ask("model", [located(source)], task)) as ModelRemote;
    const own =
      typeof source === "object" && source !== null && "tokenizer" in source
        ? source.tokenizer
        : undefined;
    model.tokenizer = tokenizer ?? (own as Tokenizer | undefined);
    return model as unknown as RemoteModel;
  }
}

const classes: Partial<Record<Kind, new (remotes: Remotes, snapshot: Snapshot) => Remote>> = {
  engine: EngineRemote,
  model: ModelRemote,
};

const wrap = (remotes: Remotes, snapshot: Snapshot): Remote =>
  new (classes[snapshot.kind] ?? Remote)(remotes, snapshot);

/**
 * Starts a worker and loads the engine in it. The binary is compiled here and handed over, so
 * `wasm`, `signal` and `onProgress` mean what they mean for the package's own `load`. Each call
 * starts a worker of its own; `dispose()` ends it.
 *
 * In Node the worker is a thread. Errors: those of `load`; `unsupported` where there are no workers.
 */
export async function load(options: LoadOptions = {}): Promise<RemoteEngine> {
  const { signal } = checkedDownload(options);
  const compiled = await compile(options);
  const line = new Line();
  try {
    const snapshot = await line.start(compiled, signal ? { signal } : {});
    return wrap(new Remotes(line), snapshot) as unknown as RemoteEngine;
  } catch (error) {
    line.close();
    throw error;
  }
}

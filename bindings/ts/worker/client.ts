/** The side of the caller: objects whose methods are messages to the worker. */

import { encoded } from "../config/model-source.js";
import type { GeneratedToken, GenerateOptions, LoadOptions, Tokenizer } from "../types/index.js";
import { refuse } from "../wire/arguments.js";
import { resolveUrl } from "../wire/binary.js";
import { type Compiled, checkedDownload, compile } from "../wire/compile.js";
import { throwIfAborted, WhereformerError } from "../wire/error.js";
import { Line } from "./line.js";
import {
  engineHandle,
  isReference,
  type Kind,
  type Reference,
  type Snapshot,
  type Started,
} from "./protocol.js";
import type { RemoteEngine, RemoteModel, TaskOptions } from "./remote.js";

const disposeKey: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");

type Properties = Record<string, unknown>;

/** One worker, and every object of it on this side while someone holds it. */
class Remotes {
  readonly line: Line;
  readonly methods: Started["methods"];
  readonly #known = new Map<number, WeakRef<Remote>>();
  readonly #forgotten = new FinalizationRegistry<number>((handle) => this.line.forget(handle));

  constructor(line: Line, { methods }: Started) {
    this.line = line;
    this.methods = methods;
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

/** An object of a worker: its methods by name, its properties as last heard. */
class Remote {
  declare [Symbol.dispose]: () => void;
  readonly #kind: Kind;
  readonly #handle: number;
  #remotes: Remotes;
  #disposed = false;

  constructor(remotes: Remotes, { whereformerHandle, kind, properties }: Snapshot) {
    this.#remotes = remotes;
    this.#kind = kind;
    this.#handle = whereformerHandle;
    for (const name of remotes.methods[kind]) {
      if (name in this) continue;
      const method = (...args: unknown[]) => {
        const task = isTask(args.at(-1)) ? (args.pop() as TaskOptions) : {};
        return this.ask(name, args, task);
      };
      Object.defineProperty(this, name, { value: method, configurable: true });
    }
    this.update(properties);
    remotes.keep(this, whereformerHandle);
  }

  /**
   * What stands for it in a message to its worker. Errors: disposed; invalid_argument to another.
   */
  referenceIn(remotes: Remotes): Reference {
    if (this.#disposed) refuse("object", "disposed", "one that was not disposed of", "disposed");
    if (this.#remotes.line.ended)
      throw new WhereformerError(
        "disposed",
        `the ${this.#kind} was lost when its worker failed; make it anew`,
        { argument: this.#kind },
      );
    if (this.#remotes !== remotes)
      refuse(this.#kind, "one of another engine", `a ${this.#kind} of the same engine`);
    return { whereformerHandle: this.#handle };
  }

  /** Goes on in another worker. */
  protected move(remotes: Remotes): void {
    this.#remotes = remotes;
  }

  protected get line(): Line {
    return this.#remotes.line;
  }

  protected get isDisposed(): boolean {
    return this.#disposed;
  }

  update(properties: Properties): void {
    for (const [name, value] of Object.entries(properties)) {
      Object.defineProperty(this, name, { value, enumerable: true, configurable: true });
    }
  }

  async ask(method: string, args: unknown[], task: TaskOptions): Promise<unknown> {
    const remotes = this.#remotes;
    const { whereformerHandle } = this.referenceIn(remotes);
    for (const item of args)
      if (
        typeof item === "object" &&
        item !== null &&
        (item as { out?: unknown }).out !== undefined
      )
        refuse("out", (item as { out: unknown }).out, "none in a worker", "unsupported");
    const { value, touched } = await remotes.line.call(
      whereformerHandle,
      method,
      args.map((item) => referred(item, remotes)),
      task,
    );
    touched.forEach((snapshot) => {
      remotes.update(snapshot);
    });
    return isReference(value) ? wrap(remotes, value as Snapshot) : value;
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    if (this.#handle === engineHandle) this.#remotes.line.close();
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

const taskNames = ["signal", "onProgress"];

/** No options of the engine's have only these, so that the task is known wherever it stands. */
function isTask(value: unknown): value is TaskOptions {
  if (typeof value !== "object" || value === null) return false;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => taskNames.includes(name));
}

/**
 * References in the place of remote objects, addresses in the place of URLs: what a message can
 * carry.
 */
function referred(value: unknown, to: Remotes): unknown {
  if (value instanceof Remote) return value.referenceIn(to);
  if (value instanceof URL) return value.href;
  if (Array.isArray(value))
    return typeof value[0] === "number" ? value : value.map((item) => referred(item, to));
  if (
    typeof value !== "object" ||
    value === null ||
    Object.getPrototypeOf(value) !== Object.prototype
  )
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, referred(item, to)]));
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

/** Keeps nothing in its worker that another could not have, so it outlives it. */
class EngineRemote extends Remote {
  readonly #compiled: Compiled;
  #starting: Promise<void> | undefined;

  constructor(remotes: Remotes, snapshot: Snapshot, compiled: Compiled) {
    super(remotes, snapshot);
    this.#compiled = compiled;
  }

  override async ask(method: string, args: unknown[], task: TaskOptions): Promise<unknown> {
    if (this.line.ended && !this.isDisposed) await this.#startAnew();
    return super.ask(method, args, task);
  }

  /** Several calls that find the worker gone wait for one new one. */
  #startAnew(): Promise<void> {
    this.#starting ??= startWorker(this.#compiled, {})
      .then(({ remotes }) => {
        if (this.isDisposed) remotes.line.close();
        else this.move(remotes);
      })
      .finally(() => {
        this.#starting = undefined;
      });
    return this.#starting;
  }

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

const wrap = (remotes: Remotes, snapshot: Snapshot): Remote =>
  new (snapshot.kind === "model" ? ModelRemote : Remote)(remotes, snapshot);

async function startWorker(
  compiled: Compiled,
  task: TaskOptions,
): Promise<{ remotes: Remotes; engine: Snapshot }> {
  const line = new Line();
  try {
    const started = await line.start(compiled, task);
    return { remotes: new Remotes(line, started), engine: started.engine };
  } catch (error) {
    line.close();
    throw error;
  }
}

/**
 * Starts a worker and loads the engine in it. The binary is compiled here and handed over, so
 * `wasm`, `signal` and `onProgress` mean what they mean for the package's own `load`. Each call
 * starts a worker of its own; `dispose()` ends it.
 *
 * A worker may fail: it ends, throws where nobody catches, or its engine stops. What was asked of
 * it and not answered is then refused as `internal`. The engine goes on with the next call, in a
 * new worker. Schemes, models and all else that was made before was lost with the old one: it
 * answers with `disposed`, and wants to be made anew.
 *
 * In Node the worker is a thread. Errors: those of `load`; `unsupported` where there are no
 * workers.
 */
export async function load(options: LoadOptions = {}): Promise<RemoteEngine> {
  const { signal } = checkedDownload(options);
  const compiled = await compile(options);
  const { remotes, engine } = await startWorker(compiled, signal ? { signal } : {});
  return new EngineRemote(remotes, engine, compiled) as unknown as RemoteEngine;
}

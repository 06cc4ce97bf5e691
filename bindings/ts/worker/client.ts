/** The calling side: objects whose methods send messages to the worker. */

import { isListOfTexts, plainTexts, readTexts, textsOf } from "../api/embed-texts.js";
import { stopsOf } from "../api/generation.js";
import { pixelsOf } from "../api/pictures.js";
import { withoutFunctions } from "../config/formula-options.js";
import { dropped } from "../config/model-source.js";
import { TextStream, withTexts } from "../config/text-stream.js";
import { encoded, givenTokenizer } from "../config/tokenizer.js";
import { carriedFiles, fileOfResponse, filesOf, named } from "../files/dropped.js";
import type {
  EmbedOptions,
  GeneratedToken,
  GenerateOptions,
  Generation,
  LoadOptions,
  ModelResult,
  Pooling,
  Tokenizer,
  TokenizerFiles,
  WasmSource,
} from "../types/index.js";
import { checkObject, integer, refuse } from "../wire/arguments.js";
import { compileBinary, resolveUrl } from "../wire/binary.js";
import { type Compiled, checkedDownload, compile } from "../wire/compile.js";
import { keepFromProxies, typed, WhereformerError } from "../wire/error.js";
import { canRunThreads, maxThreads } from "../wire/features.js";
import { guard } from "../wire/guard.js";
import { isAddress, isBlob, isNativeBlob, isPlain, isResponse, kindKey } from "../wire/platform.js";
import { throwIfAborted } from "../wire/signal.js";
import { wordsOf } from "../wire/words.js";
import { Connection } from "./connection.js";
import { carried, parted, taskOf } from "./messages.js";
import {
  engineHandle,
  isReference,
  type Kind,
  type Reference,
  type Snapshot,
  type Started,
} from "./protocol.js";
import type {
  RemoteEngine,
  RemoteModel,
  TaskOptions,
  WorkerLoadOptions,
  WorkerOption,
} from "./remote.js";

const disposeKey: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");

type Properties = Record<string, unknown>;

/** One worker, and all its objects that are alive on this side. */
class Remotes {
  readonly connection: Connection;
  readonly methods: Started["methods"];
  readonly #known = new Map<number, WeakRef<Remote>>();
  readonly #forgotten = new FinalizationRegistry<number>((handle) =>
    this.connection.forget(handle),
  );

  constructor(connection: Connection, { methods }: Started) {
    this.connection = connection;
    this.methods = methods;
    connection.onTouched = (touched) => {
      for (const snapshot of touched) this.#update(snapshot);
    };
  }

  keep(remote: Remote, handle: number): void {
    this.#known.set(handle, new WeakRef(remote));
    this.#forgotten.register(remote, handle, remote);
  }

  drop(remote: Remote, handle: number): void {
    this.#known.delete(handle);
    this.#forgotten.unregister(remote);
    this.connection.forget(handle);
  }

  #update({ whereformerHandle, properties }: Snapshot): void {
    this.#known.get(whereformerHandle)?.deref()?.update(properties);
  }
}

/** An object of a worker: its methods by name, its properties as last received. */
class Remote {
  declare [Symbol.dispose]: () => void;
  readonly #kind: Kind;
  readonly #handle: number;
  #remotes: Remotes;
  #properties: Properties;
  #disposed = false;
  /** What the worker's object may use. While this one is referenced, they are not collected. */
  #needs: readonly Remote[] = [];

  constructor(remotes: Remotes, { whereformerHandle, kind, properties }: Snapshot) {
    this.#remotes = remotes;
    this.#kind = kind;
    this.#handle = whereformerHandle;
    for (const [name, max] of Object.entries(remotes.methods[kind])) {
      if (name in this) continue;
      const method = async (...given: unknown[]) => {
        try {
          const { args, task } = parted(name, given, max);
          return await this.ask(name, args, task);
        } catch (cause) {
          throw typed(cause);
        }
      };
      Object.defineProperty(this, name, { value: method, configurable: true });
    }
    this.#properties = properties;
    // Getters, so that properties of a frozen object are still updated.
    for (const name of Object.keys(properties)) {
      const get = () => this.#properties[name];
      Object.defineProperty(this, name, { get, enumerable: true, configurable: true });
    }
    remotes.keep(this, whereformerHandle);
  }

  get [kindKey](): string {
    return `worker's ${this.#kind}`;
  }

  /**
   * The object's reference in a message to its worker. Errors: disposed; invalid_argument in
   * another worker.
   */
  referenceIn(remotes: Remotes): Reference {
    if (this.#disposed) refuse("object", "disposed", "an object that was not disposed", "disposed");
    if (this.#remotes.connection.ended)
      throw new WhereformerError(
        "disposed",
        `the ${this.#kind} was lost when its worker failed; create it again`,
        { argument: this.#kind },
      );
    if (this.#remotes !== remotes) refuse(this.#kind, this, `a ${this.#kind} of the same engine`);
    return { whereformerHandle: this.#handle };
  }

  /** Moves the object to another worker. */
  protected move(remotes: Remotes): void {
    this.#remotes = remotes;
  }

  /** A copy needs what its original needs, but not the original. */
  protected needAs(original: Remote): void {
    this.#needs = original.#needs;
  }

  protected get connection(): Connection {
    return this.#remotes.connection;
  }

  protected get isDisposed(): boolean {
    return this.#disposed;
  }

  update(properties: Properties): void {
    this.#properties = properties;
  }

  async ask(method: string, args: unknown[], task: TaskOptions): Promise<unknown> {
    const remotes = this.#remotes;
    const needs: Remote[] = [this];
    const stand = (value: object) => {
      if (!(value instanceof Remote)) return undefined;
      needs.push(value);
      return value.referenceIn(remotes);
    };
    const sent = args.map((item) => carried(item, stand));
    for (const item of sent) {
      const { out } = (item ?? {}) as { out?: unknown };
      if (out !== undefined) refuse("out", out, "undefined in a worker", "unsupported");
    }
    const { whereformerHandle } = this.referenceIn(remotes);
    const value = await remotes.connection.call(whereformerHandle, method, sent, task);
    if (!isReference(value)) return value;
    const made = wrap(remotes, value as Snapshot);
    made.#needs = needs;
    return made;
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    if (this.#handle === engineHandle) this.#remotes.connection.close();
    else this.#remotes.drop(this, this.#handle);
  }
}

keepFromProxies(Remote);
Object.defineProperty(Remote.prototype, disposeKey, {
  configurable: true,
  writable: true,
  value(this: Remote) {
    this.dispose();
  },
});

/** Methods whose first argument is a text or its ids, and whose results get their labels here. */
const textMethods = ["run", "encode"];

/** A model. Its tokenizer stays on this side. */
class ReaderRemote extends Remote {
  tokenizer: Tokenizer | undefined;

  override async ask(method: string, args: unknown[], task: TaskOptions): Promise<unknown> {
    const { tokenizer } = this;
    const [input, ...rest] = args;
    const takesText = textMethods.includes(method);
    const sent = takesText
      ? [encoded("input", input, tokenizer), ...rest]
      : // What a page draws cannot be sent.
        method === "look"
        ? [pixelsOf("picture", input), ...rest]
        : args;
    const answer = await super.ask(method, sent, task);
    if (answer instanceof ReaderRemote || answer instanceof SessionRemote)
      answer.tokenizer = tokenizer;
    const { ids } = (takesText ? answer : {}) as Partial<ModelResult>;
    if (!tokenizer || !ids) return answer;
    const tokens = TextStream.labels(tokenizer, ids);
    return { ...(answer as ModelResult), tokens, groups: wordsOf(tokens) };
  }
}

class ModelRemote extends ReaderRemote {
  declare readonly pooling: Pooling | undefined;

  async embed(input: unknown, options?: unknown, task?: unknown): Promise<unknown> {
    const { args, task: embedTask } = parted("embed", [input, options, task], 2);
    const given = args[1] ?? {};
    checkObject("options", given);
    const { prompt, ...rest } = given as EmbedOptions;
    const said = this.pooling ?? plainTexts;
    const { input: ids, promptTokens } = readTexts(input, given, this.tokenizer, said);
    return this.ask("embed", [ids, { ...rest, promptTokens }], embedTask);
  }

  async heads(input: unknown, options?: unknown, task?: unknown): Promise<unknown> {
    const { args, task: headsTask } = parted("heads", [input, options, task], 2);
    const { argument, texts } = textsOf(input);
    const ids = texts.map((text, i) => encoded(argument(i), text, this.tokenizer));
    return this.ask("heads", [isListOfTexts(input) ? ids : ids[0], args[1]], headsTask);
  }

  generate(
    prompt: unknown,
    options: GenerateOptions = {},
  ): AsyncGenerator<GeneratedToken, Generation, void> {
    return generated(this, this.tokenizer, prompt, options);
  }
}

guard(ModelRemote, { embed: 3, heads: 3, generate: 2 }, ReaderRemote);

/** A session. The tokenizer of its model stays on this side. */
class SessionRemote extends Remote {
  tokenizer: Tokenizer | undefined;

  override async ask(method: string, args: unknown[], task: TaskOptions): Promise<unknown> {
    const answer = await super.ask(method, args, task);
    if (answer instanceof SessionRemote) {
      answer.tokenizer = this.tokenizer;
      answer.needAs(this);
    }
    return answer;
  }

  async append(input: unknown, options: unknown = {}): Promise<void> {
    await this.ask("append", [encoded("input", input, this.tokenizer)], taskOf(options));
  }

  generate(
    prompt?: unknown,
    options: GenerateOptions = {},
  ): AsyncGenerator<GeneratedToken, Generation, void> {
    return generated(this, this.tokenizer, prompt, options);
  }
}

guard(SessionRemote, { append: 2, generate: 2 }, Remote);

/** Generates text in the worker; its tokens become texts here. */
async function* generated(
  owner: Remote,
  tokenizer: Tokenizer | undefined,
  prompt: unknown,
  options: unknown,
): AsyncGenerator<GeneratedToken, Generation, void> {
  const { task, stops, generation } = await begun(owner, tokenizer, prompt, options);
  const done = {} as Generation;
  try {
    yield* withTexts(written(generation, task, done), done, tokenizer, { stops, ...task });
    if (done.reason === "stop")
      Object.assign(done, await generation.ask("return", [], {}), { reason: "stop" });
    return done;
  } finally {
    generation.dispose();
  }
}

async function begun(
  owner: Remote,
  tokenizer: Tokenizer | undefined,
  prompt: unknown,
  options: unknown,
) {
  try {
    checkObject("options", options);
    const { signal, onProgress, stop, ...rest } = options;
    const task = taskOf({ signal, onProgress });
    throwIfAborted(task.signal);
    const stops = stopsOf(stop, tokenizer);
    const ids = prompt === undefined ? undefined : encoded("prompt", prompt, tokenizer);
    const generation = (await owner.ask("generate", [ids, rest], task)) as Remote;
    return { task, stops, generation };
  } catch (cause) {
    throw typed(cause);
  }
}

/** Yields the tokens of a text that the worker generates token by token; then completes `done`. */
async function* written(
  generation: Remote,
  task: TaskOptions,
  done: Generation,
): AsyncGenerator<GeneratedToken, void, void> {
  for (;;) {
    const step = (await generation.ask("next", [], task)) as IteratorResult<
      GeneratedToken,
      Generation
    >;
    if (step.done) return void Object.assign(done, step.value);
    yield step.value;
  }
}

/**
 * Converts a source for the worker, and separates the tokenizer in it. Addresses are resolved here,
 * not in the worker.
 */
async function located(source: unknown): Promise<{ source: unknown; tokenizer?: unknown }> {
  if (isAddress(source)) return { source: resolveUrl("source", source).href };
  if (!isPlain(source)) return { source };
  const { tokenizer, ...parts } = source;
  for (const name of ["config", "weights"]) {
    const part = parts[name];
    if (isAddress(part)) parts[name] = resolveUrl(name, part).href;
    else if (isResponse(part)) parts[name] = await fileOfResponse(name, part);
    else if (isBlob(part) && !isNativeBlob(part)) parts[name] = await named(name, part);
  }
  return { source: parts, tokenizer };
}

/** Has no state in its worker that a new worker could not have, so it survives its worker. */
class EngineRemote extends Remote {
  readonly #compiled: Compiled;
  readonly #source: WorkerOption;
  #starting: Promise<void> | undefined;

  constructor(remotes: Remotes, snapshot: Snapshot, compiled: Compiled, source: WorkerOption) {
    super(remotes, snapshot);
    this.#compiled = compiled;
    this.#source = source;
  }

  override async ask(method: string, args: unknown[], task: TaskOptions): Promise<unknown> {
    if (this.connection.ended && !this.isDisposed) await this.#startAnew();
    // A bias that is a function becomes a table on this side: functions cannot be sent.
    const sent = ["scheme", "model", "trainer"].includes(method)
      ? args.map((argument) => withoutFunctions(argument))
      : args;
    return super.ask(method, sent, task);
  }

  /** Several calls that find the worker ended wait for the same new one. */
  #startAnew(): Promise<void> {
    this.#starting ??= startEngine(this.#compiled, this.#source, {})
      .then(({ remotes }) => {
        if (this.isDisposed) remotes.connection.close();
        else this.move(remotes);
      })
      .finally(() => {
        this.#starting = undefined;
      });
    return this.#starting;
  }

  async model(source: unknown, options: unknown = {}): Promise<RemoteModel> {
    checkObject("options", options);
    const { tokenizer, signal, onProgress, ...rest } = options;
    const { tokenizer: beside, source: parts } = await located(
      carriedFiles(await filesOf(dropped(source))),
    );
    const found = givenTokenizer(tokenizer) ?? givenTokenizer(beside);
    const task = taskOf({ signal, onProgress });
    const model = (await this.ask("model", [parts, rest], task)) as ModelRemote;
    model.tokenizer = await found?.of(
      () => model.ask("tokenizerFiles", [], {}) as Promise<TokenizerFiles | undefined>,
    );
    return model as unknown as RemoteModel;
  }
}

guard(EngineRemote, { model: 2 }, Remote);

const classes: Partial<Record<Kind, typeof Remote>> = {
  model: ModelRemote,
  bent: ReaderRemote,
  session: SessionRemote,
};

const wrap = (remotes: Remotes, snapshot: Snapshot): Remote =>
  new (classes[snapshot.kind] ?? Remote)(remotes, snapshot);

async function startEngine(
  compiled: Compiled,
  source: WorkerOption,
  task: TaskOptions,
): Promise<{ remotes: Remotes; engine: Snapshot }> {
  const connection = new Connection(source);
  try {
    const started = await connection.start(compiled, task);
    return { remotes: new Remotes(connection, started), engine: started.engine };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Bundlers recognise these literals and put both files beside their output. */
const threadsBinary = () => new URL("./threads.wasm", import.meta.url);
const threadsScript = () => new URL("./threads-host.js", import.meta.url);

/** The binary for threads in the worker; that for one thread where there can be no others. */
async function compileThreads(count: number, options: LoadOptions): Promise<Compiled> {
  const { variant, wasm, training, ...rest } = options;
  if (variant !== undefined)
    refuse("variant", variant, "undefined with threads, which have one binary");
  if (!canRunThreads()) return compile({ ...rest, training: training ?? true });
  const module = await compileBinary(wasm as WasmSource, threadsBinary, checkedDownload(rest));
  const script = threadsScript().href;
  return { variant: "relaxed", module, training: undefined, threads: { count, script } };
}

/**
 * Starts a worker and loads the engine in it. The binary is compiled here and passed to the worker,
 * so `wasm`, `signal` and `onProgress` have the same meaning as in the package's own `load`. Each
 * call starts a new worker; `dispose()` ends it.
 *
 * A worker may fail: it ends, throws an uncaught error, or its engine stops. Pending calls then
 * fail with `internal`. The next call starts a new worker and continues there. Schemes, models and
 * all other objects made before are lost with the old one: their methods throw `disposed`, and they
 * must be made again.
 *
 * In Node the worker is a thread. Errors: those of `load`; `unsupported` if there are no workers,
 * or the page may not have any; `network` if the script cannot be loaded.
 */
export async function load(options: WorkerLoadOptions = {}): Promise<RemoteEngine> {
  try {
    checkObject("options", options);
    const { worker, threads, ...rest }: WorkerLoadOptions = options;
    const { signal } = checkedDownload(rest);
    const count = threads === undefined ? 1 : integer("threads", threads, 1, maxThreads);
    const compiled = await (count > 1 ? compileThreads(count, rest) : compile(rest));
    const { remotes, engine } = await startEngine(compiled, worker, signal ? { signal } : {});
    return new EngineRemote(remotes, engine, compiled, worker) as unknown as RemoteEngine;
  } catch (cause) {
    throw typed(cause);
  }
}

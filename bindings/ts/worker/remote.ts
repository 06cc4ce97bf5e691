/**
 * The engine's API over a worker, derived from `Engine`: the same names and arguments, promises for
 * answers, and objects that stand for those of the worker.
 */
import type {
  Attention,
  AttentionInput,
  AttentionOptions,
  AttentionRecord,
  AttentionResult,
  BentModel,
  Embedded,
  EmbedOptions,
  EmbedText,
  Engine,
  EngineTensor,
  KvCache,
  LoadOptions,
  Matrix,
  Model,
  ModelConfig,
  ModelRecordName,
  ModelResult,
  Operand,
  Recorded,
  RecordName,
  RunOptions,
  Scheme,
  SchemeName,
  SchemeOptionsOf,
  SchemeShape,
  Trainer,
  WorkerSource,
} from "../types/index.js";

/** Where the worker's script is, a worker that runs it, or a function that gives either. */
export type WorkerOption = WorkerSource | (() => WorkerSource) | undefined;

export interface WorkerLoadOptions extends LoadOptions {
  /**
   * The worker's script, where it does not lie beside the package: its URL; a worker (of the web
   * or of `node:worker_threads`) whose script is `whereformer/worker-host` or imports it; or a
   * function that gives either, which is called again when a worker has failed. Default: the file
   * beside the package, also where that is of another origin than the page.
   */
  worker?: WorkerOption;
}

/** The last argument of every method. */
export interface TaskOptions {
  /**
   * Rejects with `aborted`: at once, and the worker stops at its next step; training that has begun
   * when the step in hand is done, so that `stepsDone` is what was learnt.
   */
  signal?: AbortSignal;
  /**
   * Called by work that has several steps: training, with the loss of the step that was done;
   * evaluating; vectors of a list of texts; downloading.
   */
  onProgress?: (done: number, total: number, loss?: number) => void;
}

interface RemoteHandle {
  /** Frees the object in the worker. Calling it again does nothing. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** What a message carries as it is. */
type Plain =
  | string
  | number
  | boolean
  | null
  | undefined
  | ArrayBufferView
  | ArrayBufferLike
  | Blob
  | URL
  | ((...args: never[]) => unknown);

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/**
 * What stands for a value on this side: for an object of the engine its remote, wherever in the
 * value it is. `out` is not there: results come in memory of their own.
 */
type Far<T> = T extends Plain
  ? T
  : T extends RemoteHandle
    ? Known<T>
    : T extends object
      ? FarParts<T>
      : T;
type FarParts<T extends object> = T extends readonly unknown[]
  ? { [K in keyof T]: Far<T[K]> }
  : Same<T, FarFields<T>> extends true
    ? T
    : FarFields<T>;
type FarFields<T> = { [K in keyof T as K extends "out" ? never : K]: Far<T[K]> };

type Last<A extends unknown[]> = Required<A> extends [...unknown[], infer Item] ? Item : undefined;
/** From the first optional argument on. */
type Optionals<A extends unknown[]> = A extends [unknown, ...infer Rest] ? Optionals<Rest> : A;
type Requireds<A extends unknown[]> =
  Required<A> extends [...infer Args, ...Required<Optionals<A>>] ? Args : never;

/** Optional arguments without options of which nothing would be left. */
type WithoutOut<A extends unknown[]> =
  Required<A> extends [...infer Others, unknown]
    ? Same<keyof Last<A>, "out"> extends true
      ? { [K in keyof Others]?: Others[K] | undefined }
      : A
    : A;

/**
 * The arguments of a method: those of the engine's, then the task, unless its options have a
 * signal.
 */
type RemoteArguments<A extends unknown[]> = "signal" extends keyof Last<A>
  ? A
  : [
      ...FarArguments<Requireds<A>>,
      ...FarArguments<WithoutOut<Optionals<A>>>,
      task?: TaskOptions | undefined,
    ];
type FarArguments<A extends unknown[]> = { [K in keyof A]: Far<A[K]> };

type RemoteMethod<M> = M extends (...args: infer Args) => infer Result
  ? (
      ...args: RemoteArguments<Args>
    ) => Result extends AsyncGenerator ? Result : Promise<Far<Awaited<Result>>>
  : M;

/** An object of the worker. Its properties are as of the worker's last answer. */
type Remote<T> = RemoteHandle & {
  readonly [K in keyof T as K extends keyof RemoteHandle ? never : K]: RemoteMethod<T[K]>;
};

/** Its remote, by name where it has one. */
type Known<T> = T extends Model
  ? RemoteModel
  : T extends Attention
    ? RemoteAttention
    : T extends BentModel
      ? RemoteBent
      : Remote<T>;

export type RemoteTensor = Remote<EngineTensor>;
export type RemoteMatrix = Remote<Matrix>;
export type RemoteScheme = Remote<Scheme>;
/** Types do not derive a generic method from another: those that say what was recorded. */
type RemoteRun<Input, Name extends string, Options, Result> = <
  const Names extends readonly Name[] = readonly [],
>(
  input: Input,
  options?: Options & { record?: Names },
  task?: TaskOptions,
) => Promise<Result & Recorded<Result, Names>>;

export interface RemoteAttention extends Remote<Omit<Attention, "run">> {
  run<const Names extends readonly RecordName[] = readonly []>(
    input: Far<AttentionInput> & { record?: Names },
    task?: TaskOptions,
  ): Promise<AttentionResult & Recorded<AttentionRecord, Names>>;
}
export type RemoteCache = Remote<KvCache>;
/** Its tokenizer runs on the caller's side. */
export interface RemoteModel extends Remote<Omit<Model, "run" | "encode" | "embed">> {
  run: RemoteRun<Text, ModelRecordName, RunOptions, ModelResult>;
  encode: RemoteRun<Text, ModelRecordName, ReadOptions, ModelResult>;
  /** Of a list of texts `onProgress` hears how many are done; `signal` ends it between two. */
  embed<const Input extends EmbedText | readonly EmbedText[]>(
    input: Input,
    options?: EmbedOptions,
    task?: TaskOptions,
  ): Promise<Embedded<Input>>;
}
export interface RemoteBent extends Remote<Omit<BentModel, "run">> {
  run: RemoteRun<Text, ModelRecordName, Omit<RunOptions, "surgery">, ModelResult>;
}
type Text = Parameters<Model["run"]>[0];
type ReadOptions = Omit<RunOptions, "surgery" | "decoderTokens">;
export type RemoteTrainer = Remote<Trainer>;
export type RemoteOperand = Far<Operand>;
export type RemoteAttentionOptions = Far<AttentionOptions>;

export interface RemoteEngine extends Remote<Omit<Engine, "scheme">> {
  // Types do not derive a generic method from another.
  scheme<Id extends string>(
    id: SchemeName<Id>,
    options: SchemeShape & SchemeOptionsOf<Id>,
    task?: TaskOptions,
  ): Promise<RemoteScheme>;
}

export type { LoadOptions, ModelConfig };

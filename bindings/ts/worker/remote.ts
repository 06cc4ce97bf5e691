/**
 * The engine's API over a worker, derived from `Engine`: the same names and arguments, promises of
 * the results, and remotes in place of the worker's objects.
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
  LookOptions,
  Matrix,
  Model,
  ModelConfig,
  ModelRecordName,
  ModelResult,
  Operand,
  Picture,
  Recorded,
  RecordName,
  RunOptions,
  Scheme,
  SchemeArguments,
  SchemeName,
  Seen,
  Session,
  Trainer,
  WorkerSource,
} from "../types/index.js";

/** The URL of the worker's script, a worker that runs it, or a function that returns either. */
export type WorkerOption = WorkerSource | (() => WorkerSource) | undefined;

export interface WorkerLoadOptions extends LoadOptions {
  /**
   * The worker's script, if it is not beside the package: its URL; a worker (of the web or of
   * `node:worker_threads`) whose script is `whereformer/worker-host` or imports it; or a function
   * that returns either, which is called again after a worker has failed. Default: the file beside
   * the package, even if its origin differs from the page's.
   */
  worker?: WorkerOption;
  /**
   * Number of threads in which the worker computes, 1 to 16; default 1. More than one need shared
   * memory and relaxed SIMD (`whereformer/threads`), in a page two headers:
   * `Cross-Origin-Opener-Policy: same-origin`, `Cross-Origin-Embedder-Policy: require-corp`. Where
   * they cannot be had, the engine has one, as its `threads` says. `wasm` is then the binary for
   * threads, which includes training.
   */
  threads?: number;
}

/** The last argument of every method. */
export interface TaskOptions {
  /**
   * Rejects with `aborted` at once, while the worker stops at its next step. Training rejects only
   * after its current step, so that `stepsDone` is the number of steps learnt.
   */
  signal?: AbortSignal;
  /**
   * Called by work that has several steps: training, with the loss of the finished step;
   * evaluation; vectors of a list of texts; measures of heads, in tokens; downloads.
   */
  onProgress?: (done: number, total: number, loss?: number) => void;
}

interface RemoteHandle {
  /** Frees the object in the worker. Calling it again does nothing. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** Values that messages carry unchanged. */
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
 * The type of a value on this side: objects of the engine become remotes, at any depth. `out` is
 * omitted: results always come in new memory.
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
/** The arguments from the first optional one on. */
type Optionals<A extends unknown[]> = A extends [unknown, ...infer Rest] ? Optionals<Rest> : A;
type Requireds<A extends unknown[]> =
  Required<A> extends [...infer Args, ...Required<Optionals<A>>] ? Args : never;

/** Omits optional arguments whose options consist of `out` alone. */
type WithoutOut<A extends unknown[]> =
  Required<A> extends [...infer Others, unknown]
    ? Same<keyof Last<A>, "out"> extends true
      ? { [K in keyof Others]?: Others[K] | undefined }
      : A
    : A;

/**
 * The arguments of a method: the engine's, then the task options, unless its own options have a
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

/** An object of the worker. Its properties are those of the worker's last answer. */
type Remote<T> = RemoteHandle & {
  readonly [K in keyof T as K extends keyof RemoteHandle ? never : K]: RemoteMethod<T[K]>;
};

/** The remote of an object, by its named type if it has one. */
type Known<T> = T extends Model
  ? RemoteModel
  : T extends Attention
    ? RemoteAttention
    : T extends BentModel
      ? RemoteBent
      : T extends Session
        ? RemoteSession
        : Remote<T>;

export type RemoteTensor = Remote<EngineTensor>;
export type RemoteMatrix = Remote<Matrix>;
export type RemoteScheme = Remote<Scheme>;
/**
 * TypeScript cannot derive a generic method from another: the methods whose results depend on
 * `record`.
 */
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
export interface RemoteSession extends Remote<Session> {}
/** Its tokenizer runs on the caller's side. */
export interface RemoteModel extends Remote<Omit<Model, "run" | "encode" | "look" | "embed">> {
  run: RemoteRun<Text, ModelRecordName, RunOptions, ModelResult>;
  encode: RemoteRun<Text, ModelRecordName, ReadOptions, ModelResult>;
  look: RemoteRun<Picture, ModelRecordName, LookOptions, ModelResult & Seen>;
  /** For a list of texts `onProgress` gets the number done; `signal` cancels between two texts. */
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
  /** Maximum threads that work; 1 unless `load` was asked for more, and they started. */
  readonly threads: number;
  // TypeScript cannot derive a generic method from another.
  scheme<Id extends string>(
    id: SchemeName<Id>,
    options: SchemeArguments<Id>,
    task?: TaskOptions,
  ): Promise<RemoteScheme>;
}

export type { LoadOptions, ModelConfig };

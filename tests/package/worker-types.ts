/**
 * Compares the types of `whereformer/worker` and `whereformer/threads` with those of the engine.
 * Nothing here runs: `tsc` must accept it.
 */
import type {
  Attention,
  AttentionInput,
  BentModel,
  Engine,
  EngineTensor,
  FurtherTraining,
  GeneratedToken,
  GenerateOptions,
  Generation,
  KvCache,
  Matrix,
  Model,
  NewTraining,
  Out,
  PictureBlock,
  PicturePositions,
  Positions,
  Scheme,
  SchemeId,
  Session,
  Tensor,
  TensorLike,
  Trainer,
} from "whereformer";
import type { ThreadedEngine } from "whereformer/threads";
import type {
  RemoteAttention,
  RemoteAttentionOptions,
  RemoteBent,
  RemoteCache,
  RemoteEngine,
  RemoteMatrix,
  RemoteModel,
  RemoteOperand,
  RemoteScheme,
  RemoteSession,
  RemoteTensor,
  RemoteTrainer,
  TaskOptions,
} from "whereformer/worker";

type Equal<A, B> = [A, B] extends [B, A] ? true : false;
/** Fails to compile unless everything is true. */
type Holds<T extends Record<string, true>> = T;

type Calls<T> = { [K in keyof T as T[K] extends (...args: never[]) => unknown ? K : never]: T[K] };
type Arguments<M> = M extends (...args: infer Args) => unknown ? Args : never;
type Answer<M> = M extends (...args: never[]) => infer Result ? Result : never;

/** The remote form of an object of the engine, written out. */
type Remote<T> = T extends Scheme
  ? RemoteScheme
  : T extends Attention
    ? RemoteAttention
    : T extends KvCache
      ? RemoteCache
      : T extends Matrix
        ? RemoteMatrix
        : T extends EngineTensor
          ? RemoteTensor
          : T extends Model
            ? RemoteModel
            : T extends Trainer
              ? RemoteTrainer
              : T extends BentModel
                ? RemoteBent
                : T extends Session
                  ? RemoteSession
                  : T;

/** A remote object has the same names, and those for disposing. */
type SameNames<Here, There> = Equal<keyof There, keyof Here | "dispose" | typeof Symbol.dispose>;
/**
 * Each method returns a promise of its result, except those that return several results in turn.
 */
type Promises<Here, There> = {
  [K in Exclude<keyof Calls<Here>, "dispose" | typeof Symbol.dispose | "generate">]: Equal<
    Answer<There[K & keyof There]>,
    Promise<Remote<Awaited<Answer<Calls<Here>[K]>>>>
  >;
};
/**
 * Methods whose arguments are neither objects of the engine nor memory for results take a task as
 * last argument.
 */
type TakesTask<Here, There, Name extends keyof Here & keyof There> = {
  [K in Name]: Equal<Arguments<There[K]>, [...Arguments<Here[K]>, task?: TaskOptions | undefined]>;
};

export type Names = Holds<{
  engine: SameNames<Engine & { readonly threads: number }, RemoteEngine>;
  scheme: SameNames<Scheme, RemoteScheme>;
  attention: SameNames<Attention, RemoteAttention>;
  cache: SameNames<KvCache, RemoteCache>;
  matrix: SameNames<Matrix, RemoteMatrix>;
  tensor: SameNames<EngineTensor, RemoteTensor>;
  model: SameNames<Model, RemoteModel>;
  bent: SameNames<BentModel, RemoteBent>;
  session: SameNames<Session, RemoteSession>;
  trainer: SameNames<Trainer, RemoteTrainer>;
}>;

export type Answers = [
  Holds<Promises<Engine, RemoteEngine>>,
  Holds<Promises<Scheme, RemoteScheme>>,
  Holds<Promises<Attention, RemoteAttention>>,
  Holds<Promises<KvCache, RemoteCache>>,
  Holds<Promises<EngineTensor, RemoteTensor>>,
  Holds<Promises<Model, RemoteModel>>,
  Holds<Promises<BentModel, RemoteBent>>,
  Holds<Promises<Session, RemoteSession>>,
  Holds<Promises<Trainer, RemoteTrainer>>,
];

export type Tasks = [
  Holds<
    TakesTask<
      Engine,
      RemoteEngine,
      "memory" | "positionsWithPictures" | "schemeFromConfig" | "tensor"
    >
  >,
  Holds<TakesTask<Scheme, RemoteScheme, "cost" | "frequencies" | "parameters">>,
  Holds<TakesTask<Attention, RemoteAttention, "cache">>,
  Holds<TakesTask<KvCache, RemoteCache, "clone" | "truncate">>,
  Holds<TakesTask<Model, RemoteModel, "loss" | "run" | "save">>,
  Holds<TakesTask<Trainer, RemoteTrainer, "evaluate" | "model" | "save" | "step">>,
];

/** Methods with a signal among their options take no task. */
export type Signals = Holds<{
  model: Equal<Arguments<RemoteEngine["model"]>, Arguments<Engine["model"]>>;
  generate: Equal<Arguments<RemoteModel["generate"]>, Arguments<Model["generate"]>>;
  tokens: Equal<Answer<RemoteModel["generate"]>, AsyncGenerator<GeneratedToken, Generation, void>>;
  append: Equal<Arguments<RemoteSession["append"]>, Arguments<Session["append"]>>;
  options: Equal<Arguments<RemoteModel["generate"]>[1], GenerateOptions | undefined>;
}>;

type Task = TaskOptions | undefined;
type FarInput<Names extends keyof AttentionInput> = Pick<AttentionInput, Names> & {
  q: RemoteOperand;
  k: RemoteOperand;
  v: RemoteOperand;
};

/** Operands may be remote, and there is no `out`; options that would be empty are absent. */
export type Operands = Holds<{
  operand: Equal<RemoteOperand, TensorLike | RemoteTensor>;
  softmax: Equal<Arguments<RemoteEngine["softmax"]>, [x: RemoteOperand, task?: Task]>;
  layerNorm: Equal<
    Arguments<RemoteEngine["layerNorm"]>,
    [
      x: RemoteOperand,
      options?: { weight?: RemoteOperand; bias?: RemoteOperand; epsilon?: number } | undefined,
      task?: Task,
    ]
  >;
  matmul: Equal<
    Arguments<RemoteEngine["matmul"]>,
    [
      a: RemoteOperand,
      b: RemoteOperand | RemoteMatrix,
      options?: { transposeB?: boolean } | undefined,
      task?: Task,
    ]
  >;
  matrix: Equal<
    Arguments<RemoteEngine["matrix"]>,
    [b: RemoteOperand, options?: { transposeB?: boolean } | undefined, task?: Task]
  >;
  read: Equal<Arguments<RemoteTensor["read"]>, [task?: Task]>;
  rotate: Equal<
    Arguments<RemoteScheme["rotate"]>,
    [x: RemoteOperand, positions?: Positions | undefined, task?: Task]
  >;
  embeddings: Equal<
    Arguments<RemoteScheme["embeddings"]>,
    [positions: Positions, options?: { seed?: number } | undefined, task?: Task]
  >;
  bias: Equal<
    Arguments<RemoteScheme["bias"]>,
    [queryPositions: Positions, keyPositions: Positions, task?: Task]
  >;
  run: Equal<
    Arguments<RemoteAttention["run"]>,
    [
      input: FarInput<
        | "positions"
        | "keyPositions"
        | "segments"
        | "keyLengths"
        | "queryOffset"
        | "prefixLength"
        | "record"
        | "region"
      > & { mask?: { data: Uint8Array | Float32Array; shape: readonly number[] } | RemoteTensor },
      task?: Task,
    ]
  >;
  decode: Equal<
    Arguments<RemoteAttention["decode"]>,
    [cache: RemoteCache, input: FarInput<"positions">, task?: Task]
  >;
  schemes: Equal<
    RemoteAttentionOptions["scheme"],
    RemoteScheme | readonly RemoteScheme[] | undefined
  >;
  attention: Equal<
    Arguments<RemoteEngine["attention"]>,
    [options: RemoteAttentionOptions, task?: Task]
  >;
  trainer: Equal<
    Arguments<RemoteEngine["trainer"]>,
    [options: NewTraining | (Omit<FurtherTraining, "model"> & { model: RemoteModel }), task?: Task]
  >;
  pictures: Equal<
    Arguments<RemoteEngine["positionsWithPictures"]>,
    [
      tokens: number,
      blocks: readonly PictureBlock[],
      options?: { after?: "largest" | "rowsAndColumns" } | undefined,
      task?: Task,
    ]
  >;
  picturesAnswer: Equal<Answer<RemoteEngine["positionsWithPictures"]>, Promise<PicturePositions>>;
  product: Equal<Answer<RemoteEngine["matmul"]>, Promise<Tensor>>;
}>;

declare const here: Engine;
declare const there: RemoteEngine;
/** The only method whose type is written twice. */
export type Schemes = Holds<{
  [Id in SchemeId]: Equal<
    Arguments<typeof there.scheme<Id>>,
    [...Arguments<typeof here.scheme<Id>>, task?: Task]
  >;
}>;

/** An engine with threads has the engine's type. */
export type Threads = Holds<{
  methods: Equal<Pick<ThreadedEngine, keyof Engine>, Engine>;
  others: Equal<
    Exclude<keyof ThreadedEngine, keyof Engine>,
    "threads" | "dispose" | typeof Symbol.dispose
  >;
}>;

const out: Out = new Float32Array(4);
const x: TensorLike = { data: [1], shape: [1] };
// @ts-expect-error: results are in new memory
await there.softmax(x, { out });
// @ts-expect-error: an option of another scheme
await there.scheme("alibi", { numHeads: 8, headDim: 64, ropeTheta: 1e4 });

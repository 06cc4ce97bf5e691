/** The engine's API over a worker: the same names and arguments, promises for answers. */
import type {
  Attention,
  AttentionInput,
  AttentionOptions,
  AttentionResult,
  Engine,
  EngineTensor,
  GeneratedToken,
  GenerateOptions,
  LoadOptions,
  Matrix,
  Model,
  ModelConfig,
  ModelResult,
  ModelSource,
  PictureBlock,
  PicturePositions,
  Positions,
  Scheme,
  SchemeCost,
  SchemeDescription,
  SchemeId,
  SchemeOptions,
  SchemeShape,
  Tensor,
  TensorLike,
  Tokenizer,
  Trainer,
  TrainerOptions,
  Variant,
} from "../types/index.js";

/** The last argument of every method. */
export interface TaskOptions {
  /** Rejects with `aborted` at once; the worker stops at its next step. */
  signal?: AbortSignal;
  /** Called by work that has several steps (training, evaluating, downloading). */
  onProgress?: (done: number, total: number) => void;
}

interface RemoteHandle {
  /** Frees the object in the worker. Calling it again does nothing. */
  dispose(): void;
  [Symbol.dispose](): void;
}

export interface RemoteTensor extends RemoteHandle {
  readonly shape: EngineTensor["shape"];
  read(task?: TaskOptions): Promise<Tensor>;
}

export type RemoteOperand = TensorLike | RemoteTensor;

/** The operands of an attention, of which some may stay in the worker. */
type Remote<Input> = Omit<Input, "q" | "k" | "v" | "mask" | "out"> & {
  q: RemoteOperand;
  k: RemoteOperand;
  v: RemoteOperand;
};

export interface RemoteScheme extends RemoteHandle {
  readonly description: SchemeDescription;
  readonly options: Scheme["options"];
  parameters(task?: TaskOptions): Promise<Record<string, Tensor>>;
  rotate(x: RemoteOperand, positions?: Positions, task?: TaskOptions): Promise<Tensor>;
  embeddings(
    positions: Positions,
    options?: { seed?: number },
    task?: TaskOptions,
  ): Promise<Tensor>;
  bias(queryPositions: Positions, keyPositions: Positions, task?: TaskOptions): Promise<Tensor>;
  cost(sizes?: Parameters<Scheme["cost"]>[0], task?: TaskOptions): Promise<SchemeCost>;
  frequencies(
    sequenceLength?: number,
    task?: TaskOptions,
  ): Promise<ReturnType<Scheme["frequencies"]>>;
}

export interface RemoteCache extends RemoteHandle {
  /** As of the last answer of the worker. */
  readonly length: number;
  readonly capacity: number;
  truncate(length: number, task?: TaskOptions): Promise<void>;
  clone(task?: TaskOptions): Promise<RemoteCache>;
}

export interface RemoteAttention extends RemoteHandle {
  run(
    input: Remote<AttentionInput> & {
      mask?: Exclude<AttentionInput["mask"], EngineTensor> | RemoteTensor;
    },
    task?: TaskOptions,
  ): Promise<AttentionResult>;
  cache(options: { capacity: number }, task?: TaskOptions): Promise<RemoteCache>;
  decode(
    cache: RemoteCache,
    input: Remote<Parameters<Attention["decode"]>[1]>,
    task?: TaskOptions,
  ): Promise<{ output: Tensor }>;
}

export interface RemoteMatrix extends RemoteHandle {
  readonly shape: Matrix["shape"];
}

export interface RemoteModel extends RemoteHandle {
  readonly config: Model["config"];
  readonly parameterCount: number;
  /** Runs on the caller's side. */
  readonly tokenizer: Tokenizer | undefined;
  run(
    input: string | readonly number[] | Int32Array,
    options?: Parameters<Model["run"]>[1],
    task?: TaskOptions,
  ): Promise<ModelResult>;
  loss(
    ids: readonly number[] | Int32Array,
    options?: Parameters<Model["loss"]>[1],
    task?: TaskOptions,
  ): Promise<ReturnType<Model["loss"]>>;
  generate(
    prompt: string | readonly number[],
    options?: GenerateOptions,
  ): AsyncGenerator<GeneratedToken, void, void>;
  save(options?: { dtype?: "f32" | "f16" }, task?: TaskOptions): Promise<Uint8Array>;
}

export interface RemoteTrainer extends RemoteHandle {
  /** As of the last answer of the worker. */
  readonly stepsDone: number;
  readonly memoryBytes: number;
  step(n?: number, task?: TaskOptions): Promise<Float32Array>;
  evaluate(
    options?: Parameters<Trainer["evaluate"]>[0],
    task?: TaskOptions,
  ): Promise<ReturnType<Trainer["evaluate"]>>;
  save(task?: TaskOptions): Promise<Uint8Array>;
  model(task?: TaskOptions): Promise<RemoteModel>;
}

export interface RemoteAttentionOptions extends Omit<AttentionOptions, "scheme"> {
  scheme?: RemoteScheme | readonly RemoteScheme[];
}

export interface RemoteEngine extends RemoteHandle {
  readonly variant: Variant;
  readonly version: string;
  readonly schemes: readonly SchemeDescription[];
  scheme<Id extends SchemeId>(
    id: Id,
    options: SchemeShape & SchemeOptions[Id],
    task?: TaskOptions,
  ): Promise<RemoteScheme>;
  schemeFromConfig(
    config: Record<string, unknown>,
    options?: { layer?: number },
    task?: TaskOptions,
  ): Promise<RemoteScheme>;
  attention(options: RemoteAttentionOptions, task?: TaskOptions): Promise<RemoteAttention>;
  model(source: ModelSource, options?: Parameters<Engine["model"]>[1]): Promise<RemoteModel>;
  trainer(options: TrainerOptions, task?: TaskOptions): Promise<RemoteTrainer>;
  positionsWithPictures(
    tokens: number,
    blocks: readonly PictureBlock[],
    options?: Parameters<Engine["positionsWithPictures"]>[2],
    task?: TaskOptions,
  ): Promise<PicturePositions>;
  matmul(
    a: RemoteOperand,
    b: RemoteOperand | RemoteMatrix,
    options?: { transposeB?: boolean },
    task?: TaskOptions,
  ): Promise<Tensor>;
  tensor(value: TensorLike, task?: TaskOptions): Promise<RemoteTensor>;
  matrix(
    b: RemoteOperand,
    options?: Parameters<Engine["matrix"]>[1],
    task?: TaskOptions,
  ): Promise<RemoteMatrix>;
  softmax(x: RemoteOperand, task?: TaskOptions): Promise<Tensor>;
  layerNorm(
    x: RemoteOperand,
    options?: { weight?: RemoteOperand; bias?: RemoteOperand; epsilon?: number },
    task?: TaskOptions,
  ): Promise<Tensor>;
  memory(task?: TaskOptions): Promise<number>;
}

export type { LoadOptions, ModelConfig };

/** The compiled engine as Embind shows it, and the one way to call it. Nothing here is public. */
import { WhereformerError } from "./error.js";
import type {
  ErrorCode,
  OptionValue,
  OptionValues,
  SchemeCost,
  SchemeDescription,
  SchemeId,
} from "./types.js";

export interface RawObject {
  delete(): void;
}

export interface RawScheme extends RawObject {
  options(): OptionValues;
  initialise(seed: number): void;
  parameters(): Record<string, { data: Float32Array; shape: number[] }> | undefined;
  setParameter(index: number, data: Float32Array): boolean;
  rotate(
    x: Float32Array,
    heads: number,
    count: number,
    positions: Int32Array,
  ): Float32Array | undefined;
  embeddings(positions: Int32Array, count: number, seed: number): Float32Array | undefined;
  bias(queryPositions: Int32Array, keyPositions: Int32Array): Float32Array | undefined;
  cost(queries: number, keys: number, width: number): SchemeCost | undefined;
  frequencies(
    sequenceLength: number,
  ): { inverseFrequencies: Float32Array; attentionFactor: number } | undefined;
}

/** An empty list means all. */
export interface RawRecordRequest {
  kinds: number;
  heads: Int32Array;
  rows: Int32Array;
  columns: Int32Array;
}

export interface RawRecord {
  heads?: number;
  rows?: number;
  columns?: number;
  pairs?: number;
  weights?: Float32Array;
  logits?: Float32Array;
  maskedLogits?: Float32Array;
  terms?: Record<string, Float32Array>;
  pairShares?: Float32Array;
}

export interface RawAttentionConfig {
  numHeads: number;
  numKvHeads: number;
  headDim: number;
  valueDim: number;
  scale: number;
  isCausal: boolean;
  isCross: boolean;
  slidingWindow: number;
  chunkSize: number;
  softcap: number;
}

/** One sequence; an empty array means that there is none. */
export interface RawAttentionArguments {
  queries: number;
  keys: number;
  q: Float32Array;
  k: Float32Array;
  v: Float32Array;
  positions: Int32Array;
  keyPositions: Int32Array;
  querySegments: Int32Array;
  keySegments: Int32Array;
  additiveMask: Float32Array;
  allowedMask: Uint8Array;
  maskHeadStride: number;
  maskRowStride: number;
  maskColumnStride: number;
  queryOffset: number;
  keyLength: number;
  prefixLength: number;
  record: RawRecordRequest;
}

export interface RawCache extends RawObject {
  readonly length: number;
  readonly capacity: number;
  truncate(length: number): boolean;
  copy(): RawCache | null;
}

export interface RawAttention extends RawObject {
  stack(scheme: RawScheme): boolean;
  run(call: RawAttentionArguments): (RawRecord & { output: Float32Array }) | undefined;
  makeCache(capacity: number): RawCache | null;
  decode(cache: RawCache, call: RawAttentionArguments): { output: Float32Array } | undefined;
}

/** What layers may differ in; schemes as parallel lists: ids, keys of the options given, their values. */
export interface RawStack {
  schemeIds: string[];
  optionKeys: string[][];
  optionValues: OptionValue[][];
  slidingWindow: number;
  chunkSize: number;
  /** 0 none, 1 weighted, 2 plain. */
  queryKeyNorm: number;
}

/** `stackOf` has, for each layer, the index of its stack. */
export interface RawModelArguments {
  vocabSize: number;
  hiddenSize: number;
  numLayers: number;
  numHeads: number;
  numKvHeads: number;
  headDim: number;
  intermediateSize: number;
  rmsNormEps: number;
  isCausal: boolean;
  initializerRange: number;
  softcap: number;
  finalSoftcap: number;
  sinks: boolean;
  seed: number;
  stacks: RawStack[];
  stackOf: number[];
  /** Names of the stacks, for people; none where one stack is all layers'. */
  layerTypes: string[];
}

export interface RawRunArguments {
  ids: Int32Array;
  positions: Int32Array;
  layers: Int32Array;
  record: RawRecordRequest;
  vocabularyLogits: boolean;
  hidden: boolean;
}

export interface RawModel extends RawObject {
  load(bytes: Uint8Array): boolean;
  save(half: boolean): Uint8Array<ArrayBuffer> | undefined;
  parameterCount(): number;
  /** Of each stack. */
  schemes(): { id: SchemeId; options: OptionValues }[][];
  run(
    call: RawRunArguments,
  ): (RawRecord & { vocabularyLogits?: Float32Array; hidden?: Float32Array }) | undefined;
  loss(ids: Int32Array): { mean: number; perToken: Float32Array } | undefined;
}

export interface RawGeneration extends RawObject {
  next(): number | undefined;
}

export interface RawGenerationArguments {
  prompt: Int32Array;
  maxTokens: number;
  temperature: number;
  topK: number;
  topP: number;
  seed: number;
}

export interface RawTrainerArguments {
  config: RawModelArguments;
  task: string;
  ids: Int32Array;
  seed: number;
  batchSize: number;
  length: number;
  learningRate: number;
  warmupSteps: number;
  totalSteps: number;
  weightDecay: number;
  clipNorm: number;
}

export interface RawTrainer extends RawObject {
  readonly stepsDone: number;
  step(): number | undefined;
  evaluate(
    length: number,
    sequences: number,
    seed: number,
  ): { loss: number; accuracy: number } | undefined;
  model(): RawModel | null;
}

export interface RawModule {
  lastErrorCode(): string;
  lastErrorMessage(): string;
  memoryBytes(): number;
  describeSchemes(): SchemeDescription[];
  Scheme: {
    make(
      id: string,
      numHeads: number,
      numKvHeads: number,
      headDim: number,
      width: number,
      keys: string[],
      values: OptionValue[],
    ): RawScheme | null;
  };
  positionsWithPictures(
    tokens: number,
    blocks: number[],
    afterLargest: boolean,
  ): { positions: Int32Array; delta: number } | undefined;
  taskIds(): string[];
  Model: { make(config: RawModelArguments): RawModel | null };
  Generation: { make(model: RawModel, call: RawGenerationArguments): RawGeneration | null };
  Trainer: { make(options: RawTrainerArguments): RawTrainer | null };
  Attention: { make(config: RawAttentionConfig, sinks: Float32Array): RawAttention | null };
}

/** One instance of the engine. */
export class Core {
  readonly raw: RawModule;
  /** Set when the instance has trapped: its memory can no longer be trusted. */
  broken: WhereformerError | undefined;

  constructor(raw: RawModule) {
    this.raw = raw;
  }

  /** The action's answer (0 is one); where it is undefined, null or false, throws what the engine says about it. */
  call<T>(action: (raw: RawModule) => T | undefined | null | false): T {
    if (this.broken) throw this.broken;
    const answer = this.#guarded(action);
    if (answer === undefined || answer === null || answer === false) {
      throw new WhereformerError(
        this.raw.lastErrorCode() as ErrorCode,
        this.raw.lastErrorMessage(),
      );
    }
    return answer;
  }

  #guarded<T>(action: (raw: RawModule) => T): T {
    try {
      return action(this.raw);
    } catch (cause) {
      if (cause instanceof WhereformerError) throw cause;
      if (cause instanceof WebAssembly.RuntimeError) {
        this.broken = new WhereformerError(
          "internal",
          `the engine stopped: ${cause.message}; load it anew`,
          {},
          cause,
        );
        throw this.broken;
      }
      // JavaScript's own memory, where a result was to be copied to.
      if (cause instanceof RangeError) {
        throw new WhereformerError("out_of_memory", `out of memory: ${cause.message}`, {}, cause);
      }
      throw new WhereformerError("internal", `the engine failed: ${String(cause)}`, {}, cause);
    }
  }
}

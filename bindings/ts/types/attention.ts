/**
 * Attention: its options, its arguments, its results, its cache. Shape letters are those of
 * `index.ts`.
 */
import type { Scheme } from "./scheme.js";
import type { EngineTensor, Operand, Out, Positions, Tensor } from "./tensor.js";

/**
 * Width of a window. A number counts the query itself, as Hugging Face does (Mistral, Gemma,
 * gpt-oss); `{ before }` counts the keys before it, as FlashAttention does: `4` and `{ before: 3 }`
 * are the same.
 */
export type SlidingWindow = number | { before: number };

/**
 * Where ONNX's `Attention` (opset 24) speaks, the meaning is ONNX's. Query head h reads key/value
 * head `floor(h / (H / K))`.
 */
export interface AttentionOptions {
  /** A scheme, or a list of them: their hooks run in list order. Default: none. */
  scheme?: Scheme | readonly Scheme[];
  /** H. It and headDim are needed where no scheme says them. */
  numHeads?: number;
  /** D, channels of a query or key head. */
  headDim?: number;
  /** K, a divisor of H; default H. */
  numKvHeads?: number;
  /** Dv, channels of a value head; default headDim. */
  valueDim?: number;
  /**
   * Keys after the query are hidden, by index in the sequence and not by position. Default false.
   */
  isCausal?: boolean;
  /**
   * Queries and keys come from two sequences, as where a decoder reads an encoder. Each scheme then
   * does what its description's `crossAttention` says. Default false.
   */
  isCross?: boolean;
  /**
   * Keys a query sees, by index; bidirectional attention sees as many on the other side. Default:
   * all.
   */
  slidingWindow?: SlidingWindow;
  /**
   * Queries see keys of their own chunk of this many tokens (Llama 4's local layers). Default: all.
   */
  chunkSize?: number;
  /** Logits become `softcap * tanh(logit / softcap)` before the mask (Gemma 2). Default: off. */
  softcap?: number;
  /** Above 0; replaces 1/sqrt(headDim). */
  scale?: number;
  /**
   * `[H]`: a logit for each query head that takes weight but has no value (gpt-oss). Default: none.
   */
  sinks?: Float32Array | readonly number[];
}

/**
 * The part of the maps to return: all, unless a list says which. Indices are sorted and distinct.
 */
export interface Region {
  layers?: readonly number[];
  heads?: readonly number[];
  rows?: readonly number[];
  columns?: readonly number[];
}

/** What to record. `terms` and `pairs` are the costly ones. */
export type RecordName = "weights" | "logits" | "maskedLogits" | "terms" | "pairs";

export interface AttentionInput {
  /** `[H,T,D]` or `[B,H,T,D]` */
  q: Operand;
  /** `[K,S,D]` or `[B,K,S,D]` */
  k: Operand;
  /** `[K,S,Dv]` or `[B,K,S,Dv]` */
  v: Operand;
  /** Positions of the queries; default queryOffset, queryOffset + 1, … */
  positions?: Positions;
  /** Positions of the keys; default 0, 1, … */
  keyPositions?: Positions;
  /**
   * Document of each key, length S; queries take that of their own index. Tokens of different
   * documents do not see each other.
   */
  segments?: readonly number[] | Int32Array;
  /** Valid keys of each batch entry (padding on the right). */
  keyLengths?: readonly number[] | Int32Array;
  /** 1 = attend (Uint8Array data) or an additive float mask; broadcastable to `[H,T,S]`. */
  mask?: { data: Uint8Array | Float32Array; shape: readonly number[] } | EngineTensor;
  /**
   * Index of query 0 among the keys, for the causal mask; default 0, or keyLength - T with
   * `keyLengths`.
   */
  queryOffset?: number;
  /**
   * Keys below this index are seen by every query, as in a prefix language model; a window and a
   * chunk still hide them. Default 0.
   */
  prefixLength?: number;
  /** What to return beside the output. Costs memory for T × S numbers a head and name. */
  record?: readonly RecordName[];
  /** The part of it to return. */
  region?: Region;
  /** Takes the output. */
  out?: Out;
}

/** What was recorded; a batch puts B before the shapes given here. */
export interface AttentionRecord {
  /** `[H',T',S']` weights after softmax, over the region's heads, rows and columns. */
  weights?: Tensor;
  /** The scaled products with all biases, before softcap and mask. */
  logits?: Tensor;
  /** The logits after softcap and mask: -Infinity where hidden. The weights are their softmax. */
  maskedLogits?: Tensor;
  /**
   * Named terms of every logit; they sum to `logits`. `content` is scale · q·k before any
   * transform; a scheme that turns q and k contributes the change it makes, biases stand under
   * their own names.
   */
  terms?: Record<string, Tensor>;
  /**
   * Rotary schemes: the share of each pair of channels in the scaled product of the turned query
   * and key, `[H',T',S',pairs]`; over all pairs they sum to it (where every channel is in a pair).
   */
  pairs?: Tensor;
}

/**
 * What a result surely has, where the names in `record` stand in the program. (`pairs` are there
 * with rotary schemes only.) Of a list that a program makes as it runs nothing is known.
 */
export type Recorded<All, Names extends readonly string[]> = number extends Names["length"]
  ? unknown
  : Required<Pick<All, Exclude<Names[number], "pairs"> & keyof All>>;

export interface AttentionResult extends AttentionRecord {
  /** `[H,T,Dv]` or `[B,H,T,Dv]` */
  output: Tensor;
}

/** Keys, as the schemes turned them, and values of the tokens so far. */
export interface KvCache {
  /** Tokens held. */
  readonly length: number;
  /** Tokens that fit. */
  readonly capacity: number;
  /** Forgets all tokens from index `length` on. */
  truncate(length: number): void;
  /** An independent copy. Errors: `out_of_memory`. */
  clone(): KvCache;
  /** Frees its memory now; again does nothing. */
  dispose(): void;
  [Symbol.dispose](): void;
}

export interface Attention {
  /**
   * softmax(scale · q·kᵀ + biases, masked) · v, computed in tiles with a running softmax (Dao et
   * al. 2022, arXiv 2205.14135, algorithm 1). A query that may see nothing gets zeros. Errors:
   * `invalid_argument` where shapes do not fit together, `out_of_memory`.
   */
  run<const Names extends readonly RecordName[] = readonly []>(
    input: AttentionInput & { record?: Names },
  ): AttentionResult & Recorded<AttentionRecord, Names>;
  /** Room for `capacity` tokens. Errors: `out_of_memory`. */
  cache(options: { capacity: number }): KvCache;
  /**
   * Appends k `[K,T,D]` and v `[K,T,Dv]` to the cache and attends from q `[H,T,D]`, causally among
   * the new tokens. Positions default to the cache's length and on. Any way of cutting a sequence
   * into calls gives the same output up to rounding, but where frequencies follow the length
   * (RoPE's `dynamic` and `longrope`): there a call gives the last rows of a run of all so far.
   * Errors: `invalid_argument` when the cache is full or another attention's; `unsupported` for a
   * scheme that does not decode, and with `isCross`.
   */
  decode(
    cache: KvCache,
    input: Pick<AttentionInput, "q" | "k" | "v" | "positions" | "out">,
  ): { output: Tensor };
  dispose(): void;
  [Symbol.dispose](): void;
}

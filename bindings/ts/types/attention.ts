/** Attention: its options, arguments, results and cache. Shape letters are those of `index.ts`. */
import type { Scheme } from "./scheme.js";
import type { EngineTensor, Operand, Out, Positions, Tensor } from "./tensor.js";

/**
 * Width of a window. A number includes the query itself, as in Hugging Face (Mistral, Gemma,
 * gpt-oss); `{ before }` is the number of keys before it, as in FlashAttention: `4` and
 * `{ before: 3 }` are the same.
 */
export type SlidingWindow = number | { before: number };

/**
 * Options that ONNX's `Attention` (opset 24) has too mean the same. Query head h reads key/value
 * head `floor(h / (H / K))`.
 */
export interface AttentionOptions {
  /** A scheme, or a list of them: their hooks run in list order. Default: none. */
  scheme?: Scheme | readonly Scheme[];
  /** H. It and headDim are required if no scheme defines them. */
  numHeads?: number;
  /** D, channels of a query or key head. */
  headDim?: number;
  /** K, a divisor of H; default H. */
  numKvHeads?: number;
  /** Dv, channels of a value head; default headDim. */
  valueDim?: number;
  /**
   * Whether keys after the query are hidden, by index in the sequence and not by position. Default
   * false.
   */
  isCausal?: boolean;
  /**
   * Whether queries and keys come from two sequences, as when a decoder reads an encoder. Each
   * scheme then acts as its description's `crossAttention` says. Default false.
   */
  isCross?: boolean;
  /**
   * Keys visible to a query, by index; with bidirectional attention as many on the other side too.
   * Default: all.
   */
  slidingWindow?: SlidingWindow;
  /**
   * Size of chunks in tokens: only keys of a query's own chunk are visible to it (Llama 4's local
   * layers). Default: all.
   */
  chunkSize?: number;
  /** Logits become `softcap * tanh(logit / softcap)` before the mask (Gemma 2). Default: off. */
  softcap?: number;
  /** Factor on q·k, above 0. Default 1/sqrt(headDim). */
  scale?: number;
  /**
   * `[H]`: for each query head a logit that takes weight but has no value (gpt-oss). Default: none.
   */
  sinks?: Float32Array | readonly number[];
}

/** The part of the maps to return; an omitted list means all. Indices are sorted and distinct. */
export interface Region {
  layers?: readonly number[];
  heads?: readonly number[];
  rows?: readonly number[];
  columns?: readonly number[];
}

/** Maps that can be recorded. `terms` and `pairs` are the expensive ones. */
export type RecordName =
  | "weights"
  | "logits"
  | "maskedLogits"
  | "terms"
  | "pairs"
  | "nobody"
  | "gates"
  | "weightedValues";

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
   * Segment of each key, length S; a query's segment is that of the key with its index. Tokens of
   * different segments are hidden from each other.
   */
  segments?: readonly number[] | Int32Array;
  /** Number of valid keys of each batch entry (padding on the right). */
  keyLengths?: readonly number[] | Int32Array;
  /** 1 = attend (Uint8Array data) or an additive float mask; broadcastable to `[H,T,S]`. */
  mask?: { data: Uint8Array | Float32Array; shape: readonly number[] } | EngineTensor;
  /**
   * Index of query 0 among the keys, for the causal mask; default 0, or keyLength - T with
   * `keyLengths`.
   */
  queryOffset?: number;
  /**
   * Keys below this index are visible to every query, as in a prefix language model; a window and a
   * chunk still hide them. Default 0.
   */
  prefixLength?: number;
  /** Maps to return beside the output. Each needs memory for T × S numbers a head. */
  record?: readonly RecordName[];
  /** The part of the maps to return. */
  region?: Region;
  /** Memory for the output. */
  out?: Out;
}

/** The recorded maps; a batch puts B before the shapes given here. */
export interface AttentionRecord {
  /** Weights after softmax, `[H',T',S']`, over the region's heads, rows and columns. */
  weights?: Tensor;
  /**
   * What a learned sink takes of each query's weight, `[H',T']`: with it the weights of all keys
   * sum to 1. 0 without sinks.
   */
  nobody?: Tensor;
  /** The forget gate of each key, `[H',S']` (scheme `forget_gate`); 1 without one. */
  gates?: Tensor;
  /**
   * The sum of each query's weighted values, `[H',T',Dv]`, before a scheme transforms it to the
   * output: `rope` with `rotatedValues` rotates it back by the query's position. The output itself
   * without such a scheme.
   */
  weightedValues?: Tensor;
  /** The scaled products with all biases, before softcap and mask. */
  logits?: Tensor;
  /** The logits after softcap and mask: -Infinity where hidden. The weights are their softmax. */
  maskedLogits?: Tensor;
  /**
   * Named terms of every logit; they sum to `logits`. `content` is scale · q·k before any rotation
   * or other transform; a scheme that transforms q and k has the resulting change as its term, and
   * biases have their own names.
   */
  terms?: Record<string, Tensor>;
  /**
   * Rotary schemes: the contribution of each pair of channels to the scaled product of the rotated
   * query and key, `[H',T',S',pairs]`; they sum to that product (if every channel is in a pair).
   */
  pairs?: Tensor;
}

/**
 * The fields that a result is known to have, if the names in `record` are literals. (`pairs` exist
 * only with rotary schemes.) For a list computed at run time, all fields are optional.
 */
export type Recorded<All, Names extends readonly string[]> = number extends Names["length"]
  ? unknown
  : Required<Pick<All, Exclude<Names[number], "pairs"> & keyof All>>;

export interface AttentionResult extends AttentionRecord {
  /** `[H,T,Dv]` or `[B,H,T,Dv]` */
  output: Tensor;
}

/** Keys, as transformed by the schemes, and values of the tokens so far. */
export interface KvCache {
  /** Tokens stored. */
  readonly length: number;
  /** Maximum tokens. */
  readonly capacity: number;
  /** Removes all tokens from index `length` on. */
  truncate(length: number): void;
  /** Returns an independent copy. Errors: `out_of_memory`. */
  clone(): KvCache;
  /** Frees its memory now; calling it again does nothing. */
  dispose(): void;
  [Symbol.dispose](): void;
}

export interface Attention {
  /**
   * softmax(scale · q·kᵀ + biases, masked) · v, computed in tiles with a running softmax (Dao et
   * al. 2022, arXiv 2205.14135, algorithm 1). A query without visible keys gets zeros. Errors:
   * `invalid_argument` if shapes do not fit together, `out_of_memory`.
   */
  run<const Names extends readonly RecordName[] = readonly []>(
    input: AttentionInput & { record?: Names },
  ): AttentionResult & Recorded<AttentionRecord, Names>;
  /** A cache for `capacity` tokens. Errors: `out_of_memory`. */
  cache(options: { capacity: number }): KvCache;
  /**
   * Appends k `[K,T,D]` and v `[K,T,Dv]` to the cache and attends from q `[H,T,D]`, causally among
   * the new tokens. Positions default to the cache's length and on. However a sequence is split
   * into calls, the output is the same up to rounding, unless frequencies depend on the length
   * (RoPE's `dynamic` and `longrope`): then a call gives the last rows of a run over all tokens so
   * far. Errors: `invalid_argument` if the cache is full or belongs to another attention;
   * `unsupported` for a scheme that does not decode, and with `isCross`.
   */
  decode(
    cache: KvCache,
    input: Pick<AttentionInput, "q" | "k" | "v" | "positions" | "out">,
  ): { output: Tensor };
  dispose(): void;
  [Symbol.dispose](): void;
}

/** Tensors, memory for results, and positions of tokens. */
/** A dense row-major tensor of float32. `data.length` is the product of `shape`. */
export interface Tensor {
  data: Float32Array;
  shape: number[];
}

/**
 * A tensor argument: typed array or plain numbers, with its shape. Plain numbers are copied to
 * float32.
 */
export interface TensorLike {
  data: Float32Array | readonly number[];
  shape: readonly number[];
}

/**
 * A tensor that was copied into the engine's memory once and does not change: `wf.tensor`. Calls
 * with it copy nothing and need not check for NaN again.
 */
export interface EngineTensor {
  readonly shape: readonly number[];
  /** Returns a copy. Errors: `disposed`. */
  read(options?: { out?: Out }): Tensor;
  /** Frees its memory now; calling it again does nothing. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** A tensor argument of a call that may be repeated with the same numbers. */
export type Operand = TensorLike | EngineTensor;

/**
 * Memory for a result, of exactly its length, that the caller keeps: a loop that passes it
 * allocates no new memory. It may be that of an argument. After an error its contents are
 * undefined. Results copied out of a worker always have new memory, so `out` is refused there
 * (`unsupported`).
 */
export type Out = Float32Array | Tensor;

/**
 * Positions of tokens, integers below 2^30 in size: a list for a text, `[2,T]` for a grid (all
 * rows, then all columns), `[3,T]` for a video (times, rows, columns). A scheme reads
 * `SchemeDescription.positionAxes` axes; other shapes are refused.
 */
export type Positions =
  | readonly number[]
  | Int32Array
  | { data: Int32Array | readonly number[]; shape: readonly number[] };

/** A matrix in the engine's memory, laid out for products: `wf.matrix`. */
export interface Matrix {
  /** `[K,N]`, as in products, whether it was transposed or not. */
  readonly shape: readonly [k: number, n: number];
  /** Frees its memory now; calling it again does nothing. */
  dispose(): void;
  [Symbol.dispose](): void;
}

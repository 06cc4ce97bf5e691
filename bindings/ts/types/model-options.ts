/** How a model writes a text, written by hand. */

/** Sampling: temperature first, then topK, then topP (Holtzman et al. 2020, arXiv 1904.09751). */
export interface GenerateOptions {
  /** Default 100. Memory for all of them is taken at the start. */
  maxTokens?: number;
  /** 0 takes the likeliest token. Default 1. */
  temperature?: number;
  /** Keep the K likeliest; 0 = all. */
  topK?: number;
  /** Keep the smallest set whose probability reaches this. Default 1. */
  topP?: number;
  /** One seed always writes one text. Default 0. */
  seed?: number;
  /**
   * Of a model of "int8" or "int4": true computes with activations as they are, as `run` and `loss`
   * do; false rounds them to bytes, which is several times faster. Default false. A model of "f32"
   * is exact in any case.
   */
  exact?: boolean;
  /** Stop where this token would come; it is not yielded. */
  stopId?: number;
  /** Throws `aborted` before the next token. */
  signal?: AbortSignal;
}

export interface GeneratedToken {
  id: number;
  /** Empty when the model has no tokenizer. */
  text: string;
}

/** What a model's blocks have beside or instead of Llama's. Every default is Llama's. */
export interface Architecture {
  /** RMSNorm, or layer normalisation. Default "rms". */
  norm?: "rms" | "layer";
  /** Biases of layer normalisations. Default false. */
  normBias?: boolean;
  /**
   * Where the norms of attention and feed-forward f stand: "before", `x += f(norm(x))`; "after",
   * `x = norm(x + f(x))` (BERT); "output", `x += norm(f(x))` (OLMo-2); "around",
   * `x += norm(f(norm(x)))` (Gemma 2). Default "before".
   */
  normPlace?: "before" | "after" | "output" | "around";
  /**
   * "parallel": attention and feed-forward read the block's input, each through its own norm
   * (GPT-NeoX); "shared": through one (GPT-J, Phi). Default "serial".
   */
  residual?: "serial" | "parallel" | "shared";
  /** GELU is by erf, or by its approximation with tanh or with the sigmoid. Default "silu". */
  activation?: "silu" | "gelu" | "geluTanh" | "relu" | "geluSigmoid";
  /** `down(activation(gate(x)) · up(x))`; false: `down(activation(up(x)))`. Default true. */
  gated?: boolean;
  /** Biases of queries, keys and values. Default false. */
  queryBias?: boolean;
  /** Of attention's output. Default false. */
  outputBias?: boolean;
  /** Of the feed-forward. Default false. */
  feedBias?: boolean;
  /** The token embedding, a matrix of its own, or none: an encoder. Default "tied". */
  head?: "tied" | "own" | "none";
  /** Default false. */
  headBias?: boolean;
  /** A norm after the last block. Default true. */
  finalNorm?: boolean;
  /**
   * Between attention and feed-forward each block reads another sequence, with projections and a
   * norm of their own: decoders of families that have an encoder too. Such a model runs only where
   * its encoder was opened with it, and is not trained. Default false.
   */
  crossAttention?: boolean;
  /** The first block's norm before attention. Default true; ModernBERT has none. */
  firstNorm?: boolean;
  /** A norm before the first block. Default false. */
  embeddingNorm?: boolean;
  /** Rows of a table of token types, all tokens being of type 0. Default 0: there is none. */
  tokenTypes?: number;
  /** Multiplies token vectors. Default 1. */
  embeddingScale?: number;
  /** Of q·k; 0, the default: what the scheme says, else 1/√D. */
  attentionScale?: number;
  /** Multiplies what attention and feed-forward add. Default 1. */
  residualScale?: number;
  /** Multiplies the scores of the vocabulary. Default 1. */
  logitScale?: number;
  /**
   * Adaptive softmax (Grave et al. 2016, arXiv 1609.04309; Transformer-XL): the first token of each
   * cluster of rarer tokens, at most 16 of them, going up. Each cluster has a score of its own in
   * the softmax of the commonest tokens, and `vocabularyLogits` are log-probabilities. Default []:
   * one softmax over all tokens.
   */
  cutoffs?: readonly number[];
  /**
   * Adaptive input (Baevski and Auli 2019, arXiv 1809.10853; Transformer-XL): tables of tokens that
   * are not as wide as the model, one for the commonest tokens and one for each cluster, with a
   * projection each to the model's width and one back for the scores. The first table has this many
   * columns. Default 0: one table of the model's width.
   */
  embeddingWidth?: number;
  /** So many times fewer columns in each cluster's table than before it. Default 1. */
  clusterDivisor?: number;
}

/** How a model's blocks differ from Llama's. Every default is Llama's. */
export interface Architecture {
  /** RMSNorm, or layer normalisation. Default "rms". */
  norm?: "rms" | "layer";
  /** Whether layer normalisations have biases. Default false. */
  normBias?: boolean;
  /**
   * Place of the norms of attention and feed-forward f: "before", `x += f(norm(x))`; "after",
   * `x = norm(x + f(x))` (BERT); "output", `x += norm(f(x))` (OLMo-2); "around",
   * `x += norm(f(norm(x)))` (Gemma 2). Default "before".
   */
  normPlace?: "before" | "after" | "output" | "around";
  /**
   * "serial": feed-forward reads the sum after attention. "parallel": both read the block's input,
   * each through its own norm (GPT-NeoX); "shared": through one norm (GPT-J, Phi). Default
   * "serial".
   */
  residual?: "serial" | "parallel" | "shared";
  /**
   * "gelu" is exact (erf); "geluTanh" and "geluSigmoid" approximate it; "reluSquared" is the square
   * of max(x, 0). Default "silu".
   */
  activation?: "silu" | "gelu" | "geluTanh" | "relu" | "geluSigmoid" | "reluSquared";
  /** `down(activation(gate(x)) · up(x))`; false: `down(activation(up(x)))`. Default true. */
  gated?: boolean;
  /** Whether queries, keys and values have biases. Default false. */
  queryBias?: boolean;
  /** Whether attention's output has a bias. Default false. */
  outputBias?: boolean;
  /** Whether the feed-forward has biases. Default false. */
  feedBias?: boolean;
  /** Output head: the token embedding, its own matrix, or none (an encoder). Default "tied". */
  head?: "tied" | "own" | "none";
  /** Whether the output head has a bias. Default false. */
  headBias?: boolean;
  /** Whether there is a norm after the last block. Default true. */
  finalNorm?: boolean;
  /**
   * Whether each block reads another sequence between attention and feed-forward, with its own
   * projections and norm: decoders of families that have an encoder too. Such a model runs only if
   * its encoder was opened with it, and cannot be trained. Default false.
   */
  crossAttention?: boolean;
  /** Whether the first block has a norm before attention. Default true; ModernBERT has none. */
  firstNorm?: boolean;
  /** Whether there is a norm before the first block. Default false. */
  embeddingNorm?: boolean;
  /** Rows of the table of token types; every token has type 0. Default 0: no table. */
  tokenTypes?: number;
  /**
   * Width of token vectors and of what schemes add to them, before a projection with a bias to the
   * model's width (ALBERT, ELECTRA). It needs `head` "own" or "none". Default 0: the model's width.
   */
  inputWidth?: number;
  /**
   * Groups of consecutive layers, as many in each, that share their weights: 1 for all layers
   * (ALBERT). A tensor of a group has the number of its first layer. Default 0: no layer shares.
   */
  layerGroups?: number;
  /** Factor on token vectors. Default 1. */
  embeddingScale?: number;
  /** Factor on q·k. Default 0: the scheme's factor if it has one, else 1/√D. */
  attentionScale?: number;
  /** Factor on the outputs of attention and feed-forward. Default 1. */
  residualScale?: number;
  /** Factor on the vocabulary's logits. Default 1. */
  logitScale?: number;
  /**
   * Adaptive softmax (Grave et al. 2016, arXiv 1609.04309; Transformer-XL): the first token of each
   * cluster of rarer tokens, at most 16, ascending. The softmax of the commonest tokens has one
   * logit for each cluster, and `vocabularyLogits` are log-probabilities. Default []: one softmax
   * over all tokens.
   */
  cutoffs?: readonly number[];
  /**
   * Adaptive input (Baevski and Auli 2019, arXiv 1809.10853; Transformer-XL): token tables narrower
   * than the model, one for the commonest tokens and one for each cluster, each with a projection
   * to the model's width and one back for the logits. The first table has this many columns.
   * Default 0: one table of the model's width.
   */
  embeddingWidth?: number;
  /**
   * Whether attention's outputs are multiplied by the sigmoid of a projection of the layer's input:
   * one number for each channel (Qwen3-Next; Qiu et al. 2025, arXiv 2505.06708) or for each head.
   * "headOutputs" has the products. Default "none".
   */
  attentionGate?: "none" | "channels" | "heads";
  /**
   * Taps of the convolution of queries, keys and values in layers with `deltaRule` or
   * `stateSpace`. Default 0, which models with such layers must change, as the next four.
   */
  deltaTaps?: number;
  /** Heads of queries and keys in such layers: Mamba's groups. Default 0. */
  deltaKeyHeads?: number;
  /** Heads of values in such layers, a multiple of those of keys. Default 0. */
  deltaValueHeads?: number;
  /** Channels of a query and of a key in such layers: Mamba's state. Default 0. */
  deltaKeyDim?: number;
  /** Channels of a value in such layers. Default 0. */
  deltaValueDim?: number;
  /** The least step of Mamba. Default 0: none. */
  stateStepMin?: number;
  /** The largest step of Mamba. Default 0: none. */
  stateStepMax?: number;
  /**
   * Whether short convolutions and their projections have biases, and the convolutions of Mamba.
   * Default false.
   */
  convolutionBias?: boolean;
  /**
   * Number of experts, gated feed-forwards of which a router chooses some for each token; their
   * outputs are summed with its weights. Default 0: one feed-forward, which reads every token.
   */
  experts?: number;
  /** How many experts each token has. Default 0, which models with experts must change. */
  expertsPerToken?: number;
  /** Width of each expert. Default 0, which models with experts must change. */
  expertSize?: number;
  /**
   * How the router's logits become the weights of the chosen experts: a softmax over all experts,
   * or the sigmoid of each; "OfChosen": divided by their sum over those chosen. Default "softmax".
   */
  router?: "softmax" | "softmaxOfChosen" | "sigmoid" | "sigmoidOfChosen";
  /**
   * Whether the weights multiply the experts' inputs instead of their outputs (Llama 4). Default
   * false.
   */
  routerScalesInputs?: boolean;
  /** Whether the router's logits have a bias. Default false. */
  routerBias?: boolean;
  /**
   * Whether each expert has a number that is added to its score for the choice, but not to its
   * weight (DeepSeek-V3). Default false.
   */
  routerPreference?: boolean;
  /** Factor on the weights of the experts. Default 1. */
  routerScale?: number;
  /** Width of an expert that reads every token, without biases. Default 0: there is none. */
  sharedExpertSize?: number;
  /** Whether its output is multiplied by the sigmoid of a projection. Default false. */
  sharedExpertGate?: boolean;
  /** Limit of gate(x) from above, and of up(x) on both sides (gpt-oss). Default 0: none. */
  gateLimit?: number;
  /** Added to up(x), after the limit. Default 0. */
  upOffset?: number;
  /** Each cluster's table has this many times fewer columns than the one before. Default 1. */
  clusterDivisor?: number;
}

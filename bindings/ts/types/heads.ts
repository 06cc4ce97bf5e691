/** What each head of a model does, measured over texts. */
import type { headMeasures } from "../generated/fields.js";
import type { Tensor } from "./tensor.js";
import type { TokenIds } from "./tokenizer.js";

/**
 * What is measured of a head. Shares are of a query's attention, averaged over the queries for
 * which they are defined:
 * - `previous`, `self`, `first`: share of the token before, of the query's own token, and of the
 *   text's first token (by the queries after it);
 * - `same`: share of earlier tokens with the query's id;
 * - `induction`: share of tokens that follow an earlier token with the query's id (Olsson et al.
 *   2022, arXiv 2209.11895);
 * - `nobody`: share of a learned sink;
 * - `entropy`: of the weights, in bits;
 * - `distance`, `median`: mean distance of keys, and the distance of the key at which the weights,
 *   added along the text, reach half;
 * - `positional`: how much of the variance of a query's logits the position terms explain,
 *   cov(logit − content, logit) / var(logit): 0 if content decides alone, 1 if position does, and
 *   beyond both where they pull against each other; in texts of more than 528 tokens, for an
 *   eighth of the queries;
 * - `byDistance`: how much of the variance of the weights the mean weight at each distance explains
 *   (R²).
 */
export type HeadMeasureName = (typeof headMeasures)[number];

export interface HeadsOptions {
  /** Indices of layers, ascending. Default: all. */
  layers?: readonly number[];
  /** Indices of heads, ascending. Default: all. */
  heads?: readonly number[];
  /** The largest distance of `curve`. Default 1023. */
  maxDistance?: number;
}

/** Results over the layers L' and heads H' that were chosen. */
export interface HeadsResult {
  /** Texts, and tokens in all of them. */
  texts: number;
  tokens: number;
  layers: number[];
  heads: number[];
  /**
   * `[L',H']`: the mean of each measure over the texts, and the standard deviation between them (0
   * for one text). NaN where no text defines it, such as `same` without a repeated token.
   */
  measures: Record<HeadMeasureName, { mean: Tensor; spread: Tensor }>;
  /** Mean weight of the key that stands 0, 1, 2, … tokens before the query, `[L',H',D]`. */
  curve: Tensor;
  /**
   * Of a head that rotates: for each pair of channels, the mean length of the query's part times
   * that of the key's, scaled as logits, `[L',H',P]`: how far the pair can move a logit. Pairs that
   * a layer lacks are 0.
   */
  pairs: Tensor;
  /**
   * Of each pair of channels, the share of the variance of a query's logits that its part of them
   * explains, cov(part, logit) / var(logit), `[L',H',P]`, for the queries of `positional`. The
   * shares of all pairs, of channels that do not rotate, and of biases add up to 1; one is negative
   * where a pair pulls against the others. NaN where no text defines it, 0 for pairs that a layer
   * lacks.
   */
  pairShares: Tensor;
}

/** A head, and the means of its measures. */
export type RankedHead = { layer: number; head: number } & Record<HeadMeasureName, number>;

/** A text or its token ids, or a list of them. */
export type HeadTexts = string | TokenIds | readonly (string | TokenIds)[];

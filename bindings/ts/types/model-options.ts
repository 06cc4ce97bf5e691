/** What a model is asked for: what it reads, and how it writes a text. Written by hand. */
import type { RecordName, Region } from "./attention.js";
import type { Surgery } from "./surgery.js";
import type { Positions } from "./tensor.js";
import type { TokenIds } from "./tokenizer.js";

/** What a model's `run` may record. */
export type ModelRecordName = RecordName | "vocabularyLogits" | "hidden";

/** A number for each token of a text: 1 where it matters, 0 where it is padding. */
export type AttentionMask = readonly number[] | Uint8Array | Int32Array;

/** What `run` takes beside its input. */
export interface RunOptions {
  record?: readonly ModelRecordName[];
  region?: Region;
  /** Of the tokens that the result has rows of. */
  positions?: Positions;
  surgery?: Surgery | readonly Surgery[];
  /**
   * Which tokens of the input are padding, wherever they stand (before, between or after the
   * others): no token sees them. What comes of their own rows means nothing. Default: none is,
   * whatever its id, so that BERT's `[PAD]` is read like a word.
   */
  attentionMask?: AttentionMask;
  /**
   * Of a model with an encoder: what its decoder reads, at least one token. Default: the token that
   * its texts begin with (`decoder_start_token_id`).
   */
  decoderTokens?: TokenIds;
}

/** What `loss` takes beside its text. */
export interface LossOptions {
  positions?: Positions;
  surgery?: Surgery | readonly Surgery[];
  /**
   * Of a model with an encoder, where they must be given: what its decoder is to write after the
   * token that its texts begin with, at least one.
   */
  labels?: TokenIds;
  /**
   * Of a model of "int8" or "int4": false rounds activations too, as `generate` does unless told
   * otherwise, so that the difference of two losses is what that costs. Default true.
   */
  exact?: boolean;
}

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
   * do; false rounds them to bytes, which is several times faster. Default false. Others
   * are exact in any case.
   */
  exact?: boolean;
  /** Stop where this token, or any of these, would come; it is not yielded. */
  stopId?: number | TokenIds;
  /** Throws `aborted` before the next token. */
  signal?: AbortSignal;
}

export interface GeneratedToken {
  id: number;
  /**
   * What the token adds to `tokenizer.decode` of the ids that were generated before it. The texts
   * of all tokens, joined, are `decode` of all generated ids. Characters come whole, with the token
   * that completes them; one that only begins a character has an empty text, and comes when the
   * next token is known. The last token has what was held back. Like `decode`, the joined text
   * begins without the space of a SentencePiece token; where it is to go on with the prompt's, use
   * `new TextStream(tokenizer, promptIds)`. Empty when the model has no tokenizer.
   */
  text: string;
}

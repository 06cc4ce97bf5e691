/** Options of a model's runs, losses and generation. */
import type { AttentionRecord, RecordName, Region } from "./attention.js";
import type { HeadAblation, Patch, Surgery } from "./surgery.js";
import type { Positions, TensorLike } from "./tensor.js";
import type { TokenIds } from "./tokenizer.js";

/** Results that a model's `run` can record. */
export type ModelRecordName =
  | RecordName
  | "vocabularyLogits"
  | "hidden"
  | "residual"
  | "headOutputs"
  | "effectiveWeights";

/** A number for each token of a text: 1 for a token that matters, 0 for padding. */
export type AttentionMask = readonly number[] | Uint8Array | Int32Array;

/**
 * The input of a run: a text (with a tokenizer), T token ids, or T vectors `[T,E]` in place of the
 * ids' rows of the token table; the model's factor on these rows, its token types and its positions
 * apply to them as to tokens.
 */
export type ModelInput = string | TokenIds | { vectors: TensorLike | Float32Array };

/** Options of `run`. */
export interface RunOptions {
  record?: readonly ModelRecordName[];
  region?: Region;
  /** Positions of the tokens for which the result has rows. */
  positions?: Positions;
  surgery?: Surgery | readonly Surgery[];
  /** Heads whose output is replaced by zero or its mean. Later entries override earlier ones. */
  ablate?: HeadAblation | readonly HeadAblation[];
  /** Outputs of heads, or residual streams, to replace, in this order and after `ablate`. */
  patch?: Patch | readonly Patch[];
  /**
   * Which tokens of the input are padding, at any index: they are hidden from all tokens. Their own
   * rows in the results have no meaning. Default: none is, whatever its id, so BERT's `[PAD]` is
   * read like a word.
   */
  attentionMask?: AttentionMask;
  /**
   * For a model with an encoder: the input of its decoder, at least one token. Default: the token
   * that its texts begin with (`decoder_start_token_id`).
   */
  decoderTokens?: TokenIds;
}

/** Options of `loss`. */
export interface LossOptions {
  positions?: Positions;
  surgery?: Surgery | readonly Surgery[];
  /** As for `run`. The text is all ids but the last. */
  ablate?: HeadAblation | readonly HeadAblation[];
  patch?: Patch | readonly Patch[];
  /**
   * For a model with an encoder, and required there: the tokens that its decoder should predict
   * after the token that its texts begin with, at least one.
   */
  labels?: TokenIds;
  /**
   * For a model of "int8" or "int4": false rounds activations too, as `generate` does by default,
   * so the difference of two losses is the cost of that rounding. Default true.
   */
  exact?: boolean;
}

/**
 * Options of a generation. In this order, sampling adds `logitBias`, applies the penalties, divides
 * by the temperature, and keeps tokens by `topK`, `topP` (Holtzman et al. 2020, arXiv 1904.09751)
 * and `minP` (Nguyen et al. 2024, arXiv 2407.01082).
 */
export interface GenerateOptions {
  /** Maximum tokens. Default 100. Memory for all of them is allocated at the start. */
  maxTokens?: number;
  /** 0 takes the likeliest token. Default 1. */
  temperature?: number;
  /** Number of likeliest tokens to keep; 0 = all. */
  topK?: number;
  /** Keeps the smallest set of tokens whose probability reaches this. Default 1. */
  topP?: number;
  /** Keeps tokens at least this many times as probable as the likeliest one, 0 to 1. Default 0. */
  minP?: number;
  /**
   * Divides positive logits of tokens that the text already has, prompt included, and multiplies
   * negative ones (Keskar et al. 2019, arXiv 1909.05858). Default 1: no effect.
   */
  repetitionPenalty?: number;
  /** Subtracted from the logits of tokens that were generated. Default 0. */
  presencePenalty?: number;
  /** Subtracted as many times as the token was generated. Default 0. */
  frequencyPenalty?: number;
  /** Numbers added to the logits of tokens, by token id. */
  logitBias?: Readonly<Record<number, number>>;
  /**
   * Seed of the sampling: equal seeds give equal texts, unless two tokens are so nearly equal that
   * rounding decides. Default 0.
   */
  seed?: number;
  /**
   * For a model of "int8" or "int4": true computes with exact activations, as `run` and `loss` do;
   * false rounds them to bytes, which is several times faster. Default false. Other models are
   * always exact.
   */
  exact?: boolean;
  /**
   * Stops before this token, or any of these; it is not yielded. Default: the model's `endTokens`;
   * `[]` for none.
   */
  stopId?: number | TokenIds;
  /**
   * Stops before this text, or the first of these; it is not yielded. A token that may begin it
   * waits for the next one. Needs a tokenizer.
   */
  stop?: string | readonly string[];
  /**
   * Maps to record of each generated token: its row, from this token to all up to itself, as `run`
   * over the whole text gives it. The row from which a token was chosen is that of the token
   * before.
   */
  record?: readonly RecordName[];
  /** Layers and heads to record; others cost nothing. Default: all. */
  region?: Pick<Region, "layers" | "heads">;
  /** Throws `aborted` before the next token, and while a prompt is read after its current step. */
  signal?: AbortSignal;
  /** Called while the prompt is read, with tokens read and tokens to read. */
  onProgress?: (done: number, total: number) => void;
}

/** Summary of a generation; the result of its iterator. */
export interface Generation {
  /** Why it ended: `maxTokens` was reached, an end token chosen, or a text of `stop` written. */
  reason: "maxTokens" | "endToken" | "stop";
  /** Tokens of the text that it continued, and how many of them had to be read. */
  promptTokens: number;
  readTokens: number;
  /** Tokens generated. */
  tokens: number;
  /** Time of reading and of generating, in seconds. */
  readSeconds: number;
  writeSeconds: number;
}

/** Options of a session. */
export interface SessionOptions {
  /** As in `generate`. */
  exact?: boolean;
  /**
   * Which tokens to evict when there are more than a number, so that a text may go on without end
   * in bounded memory. Default: none.
   */
  eviction?: Eviction;
}

/**
 * StreamingLLM's rule (Xiao et al. 2023, arXiv 2309.17453): the first tokens stay, which serve as
 * attention sinks, and the last ones; positions are those among the tokens that are left. Keys and
 * values stay as they were computed, so evicted tokens still affect them. For schemes that read
 * only differences of positions.
 */
export interface Eviction {
  /** Tokens at the beginning that are never evicted. Default 4. */
  first?: number;
  /** Tokens after them that are kept. */
  last: number;
  /**
   * Tokens that are evicted at once when all of these are there, at most `last`. The default 1 is
   * the rule of the paper; more is faster, since each eviction rotates the keys that are left anew.
   */
  step?: number;
}

/** Options of `session.append`. */
export interface AppendOptions {
  /** Throws `aborted` after the current step (about 50 ms); what was read stays in the session. */
  signal?: AbortSignal;
  /** Called after each step, with tokens read and tokens to read. */
  onProgress?: (done: number, total: number) => void;
}

/** With the maps that `record` names, `[L',H',1,S]` for the S tokens up to this one. */
export interface GeneratedToken extends AttentionRecord {
  id: number;
  /**
   * The text that the token adds to `tokenizer.decode` of the ids generated before it. The texts of
   * all tokens, joined, are `decode` of all generated ids. Characters are complete and belong to
   * the token that completes them; a token that only begins a character has an empty text, and is
   * yielded when the next token is known. The last token has any text held back. Like `decode`, the
   * joined text begins without the space of a SentencePiece token; to continue the prompt's text,
   * use `new TextStream(tokenizer, promptIds)`. Empty if the model has no tokenizer.
   */
  text: string;
}

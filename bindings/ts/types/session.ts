/** Texts that a model reads once and continues. */
import type {
  AppendOptions,
  GeneratedToken,
  GenerateOptions,
  Generation,
} from "./model-options.js";
import type { TokenIds } from "./tokenizer.js";

/**
 * A text with its keys and values in the engine. Each token is read once: a chat's next answer
 * starts from where the text ended. The results equal those of reading the text afresh, up to
 * rounding; if the frequencies of a rotary scheme depend on the length (dynamic NTK, LongRoPE), a
 * changed text beyond the length of training is read afresh.
 */
export interface Session {
  /** Tokens of the text, evicted ones too. */
  readonly length: number;
  /** Bytes of its memory: keys and values, for twice as many tokens as needed so far at most. */
  readonly memoryBytes: number;
  /** The token ids of the text, evicted ones too. */
  ids(): number[];
  /**
   * Appends a text, and reads it in steps of about 50 ms, but of at least 16 tokens, or 2 if there
   * is a signal. Errors: `invalid_argument`, `aborted`, `out_of_memory`; the session then keeps the
   * tokens that were read. `unsupported` while another call of the session is in progress.
   */
  append(input: string | TokenIds, options?: AppendOptions): Promise<void>;
  /**
   * Continues `prompt`, the whole text: the session keeps what it has read of its beginning, and
   * reads the rest. Without a prompt, continues its own text. Otherwise as `model.generate`; the
   * generated tokens become part of the text, the end token does not. `exact` is an option of the
   * session.
   */
  generate(
    prompt?: string | TokenIds,
    options?: GenerateOptions,
  ): AsyncGenerator<GeneratedToken, Generation, void>;
  /**
   * Removes all tokens from index `length` on. If that is among evicted tokens, the next call
   * reads the text again after its first tokens, and that of a model with the delta rule reads all
   * of it again.
   */
  truncate(length: number): void;
  /** A session with the same text and its own memory. Errors: `out_of_memory`. */
  fork(): Session;
  dispose(): void;
  [Symbol.dispose](): void;
}

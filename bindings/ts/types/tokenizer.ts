/** The public types of tokenizers, written by hand. */

/** Ids of tokens; large integers, too, as runtimes of ONNX have them. */
export type TokenIds =
  | readonly number[]
  | readonly bigint[]
  | Int32Array
  | Uint32Array
  | Uint16Array
  | BigInt64Array
  | BigUint64Array;

/** What a model needs to read text. Any tokenizer library can be wrapped as one. */
export interface Tokenizer {
  encode(text: string): number[];
  /** The text of one or more ids. It need not be that of each id, joined. */
  decode(ids: readonly number[]): string;
}

/** What tokenizer.json and tokenizer_config.json hold, parsed. */
export interface TokenizerFiles {
  tokenizer: Record<string, unknown>;
  /** `chat_template` among others, where the model has one. */
  config: Record<string, unknown>;
}

/** The module `@huggingface/tokenizers`, or what is like it. */
export interface TokenizerLibrary {
  Tokenizer: new (
    tokenizer: Record<string, unknown>,
    config: Record<string, unknown>,
  ) => {
    encode(text: string): { ids: Iterable<number> };
    decode(
      ids: number[],
      options: { skip_special_tokens: boolean; clean_up_tokenization_spaces: boolean },
    ): string;
  };
}

/** What `wf.model` takes as a tokenizer. */
export type TokenizerOption =
  | Tokenizer
  | TokenizerLibrary
  | Promise<Tokenizer | TokenizerLibrary>
  | string
  | URL;

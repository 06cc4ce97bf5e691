/** The public types of tokenizers. */

/** Ids of tokens; also as BigInts, as ONNX runtimes have them. */
export type TokenIds =
  | readonly number[]
  | readonly bigint[]
  | Int32Array
  | Uint32Array
  | Uint16Array
  | BigInt64Array
  | BigUint64Array;

/** The part of a tokenizer that a model needs. Any tokenizer library can be wrapped as one. */
export interface Tokenizer {
  encode(text: string): number[];
  /** The text of one or more ids. It need not equal the texts of single ids, joined. */
  decode(ids: readonly number[]): string;
}

/** The contents of tokenizer.json and tokenizer_config.json, parsed. */
export interface TokenizerFiles {
  tokenizer: Record<string, unknown>;
  /** Includes `chat_template`, if the model has one. */
  config: Record<string, unknown>;
}

/** The module `@huggingface/tokenizers`, or one with the same interface. */
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

/** Forms of a tokenizer that `wf.model` takes. */
export type TokenizerOption =
  | Tokenizer
  | TokenizerLibrary
  | Promise<Tokenizer | TokenizerLibrary>
  | string
  | URL;

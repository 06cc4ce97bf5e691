/** What of a caller's tokenizer the package uses. */
import type { Tokenizer, TokenizerFiles, TokenizerLibrary } from "../types/index.js";
import { refuse, text } from "../wire/arguments.js";
import { answerOf } from "../wire/error.js";

/** A caller's tokenizer, or the library that makes one from a checkpoint's files. */
export interface OwnTokenizer {
  of(files: () => Promise<TokenizerFiles | undefined>): Promise<Tokenizer>;
}

const isTokenizer = (value: unknown): value is Tokenizer => {
  const { encode, decode } = (value ?? {}) as Partial<Tokenizer>;
  return typeof encode === "function" && typeof decode === "function";
};

/** A library's tokenizer: texts alone, and every token is shown. */
function wrapped({ Tokenizer: Made }: TokenizerLibrary, files: TokenizerFiles): Tokenizer {
  const made = answerOf("tokenizer", () => new Made(files.tokenizer, files.config));
  return {
    encode: (words) => [...made.encode(words).ids],
    decode: (ids) =>
      made.decode([...ids], { skip_special_tokens: false, clean_up_tokenization_spaces: false }),
  };
}

export function ownTokenizer(value: unknown): OwnTokenizer | undefined {
  if (value === undefined) return undefined;
  if (isTokenizer(value)) return { of: async () => value };
  const isLibrary = (one: unknown): one is TokenizerLibrary =>
    typeof (one as Partial<TokenizerLibrary> | null)?.Tokenizer === "function";
  const allowed =
    "an object with encode(text) and decode(ids), or the module @huggingface/tokenizers";
  if (!(value instanceof Promise) && !isLibrary(value)) return refuse("tokenizer", value, allowed);
  return {
    async of(files) {
      const library: unknown = await value;
      if (!isLibrary(library)) return refuse("tokenizer", library, allowed);
      const found = await files();
      return found
        ? wrapped(library, found)
        : refuse("tokenizer", library, "a tokenizer of your own: there is no tokenizer.json");
    },
  };
}

/** A text's ids, by the model's tokenizer. */
export function encoded(
  argument: string,
  value: unknown,
  tokenizer: Tokenizer | undefined,
): unknown {
  if (typeof value !== "string") return value;
  if (!tokenizer)
    return refuse(
      argument,
      text(argument, value),
      "a list of token ids, since the model has no tokenizer",
    );
  return answerOf("tokenizer.encode", () => tokenizer.encode(value));
}

/** A token's text: none where there is no tokenizer. */
export const decoded = (tokenizer: Tokenizer | undefined, id: number): string =>
  tokenizer ? answerOf("tokenizer.decode", () => tokenizer.decode([id])) : "";

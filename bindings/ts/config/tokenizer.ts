/** The parts of a caller's tokenizer that the package uses. */
import type { Tokenizer, TokenizerFiles, TokenizerLibrary } from "../types/index.js";
import { refuse, text } from "../wire/arguments.js";
import { resolveUrl } from "../wire/binary.js";
import { answerOf, WhereformerError } from "../wire/error.js";
import { isAddress, isPromise, messageOf } from "../wire/platform.js";

/** A caller's tokenizer, or the library that makes one from a checkpoint's files. */
export interface GivenTokenizer {
  of(files: () => Promise<TokenizerFiles | undefined>): Promise<Tokenizer>;
}

const isTokenizer = (value: unknown): value is Tokenizer => {
  const { encode, decode } = (value ?? {}) as Partial<Tokenizer>;
  return typeof encode === "function" && typeof decode === "function";
};

/** Wraps a library's tokenizer: texts only, and special tokens are shown. */
export function wrapped({ Tokenizer: Made }: TokenizerLibrary, files: TokenizerFiles): Tokenizer {
  const made = answerOf("tokenizer", () => new Made(files.tokenizer, files.config));
  return {
    encode: (words) => [...made.encode(words).ids],
    decode: (ids) =>
      made.decode([...ids], { skip_special_tokens: false, clean_up_tokenization_spaces: false }),
  };
}

type Opener = (address: URL) => Promise<Tokenizer>;
let opener: Opener | undefined;

/**
 * `whereformer/tokenizer` adds opening by address. It is a separate import: otherwise every bundler
 * would look for its library in every program.
 */
export function openAddressesWith(given: Opener): void {
  opener = given;
}

function addressed(value: string | URL): GivenTokenizer {
  if (!opener)
    return refuse(
      "tokenizer",
      String(value),
      "an object; whereformer/tokenizer opens addresses (npm install @huggingface/tokenizers)",
      "unsupported",
    );
  const open = opener;
  const address = resolveUrl("tokenizer", value);
  return { of: () => open(address) };
}

/** Awaits a promise; the error for a missing package names the package. */
export async function imported(value: unknown): Promise<unknown> {
  try {
    return await value;
  } catch (cause) {
    if (cause instanceof WhereformerError) throw cause;
    const said = messageOf(cause);
    throw new WhereformerError(
      "unsupported",
      `tokenizer: it could not be loaded (${said.slice(0, 200)}); ` +
        "npm install @huggingface/tokenizers",
      { argument: "tokenizer" },
      cause,
    );
  }
}

const allowed =
  "an object with encode(text) and decode(ids), the module @huggingface/tokenizers, or an address";
const isLibrary = (one: unknown): one is TokenizerLibrary =>
  typeof (one as Partial<TokenizerLibrary> | null)?.Tokenizer === "function";

export function givenTokenizer(value: unknown): GivenTokenizer | undefined {
  if (value === undefined) return undefined;
  if (isAddress(value)) return addressed(value);
  if (isTokenizer(value)) return { of: async () => value };
  if (!isPromise(value) && !isLibrary(value)) return refuse("tokenizer", value, allowed);
  // Handled at once: it may reject long before it is awaited, or never be awaited.
  if (isPromise(value)) value.then(undefined, () => {});
  return {
    async of(files) {
      const library = await imported(value);
      if (isTokenizer(library)) return library;
      if (!isLibrary(library)) return refuse("tokenizer", library, allowed);
      const found = await files();
      return found
        ? wrapped(library, found)
        : refuse(
            "tokenizer",
            library,
            "an object with encode and decode, since there is no tokenizer.json",
          );
    },
  };
}

/** The ids of a text, from the model's tokenizer. */
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

/**
 * WordPiece (BERT's) from a GGUF file, which marks pieces that begin a word, while a vocabulary
 * marks those that continue one ("##"). Devlin et al. 2018, arXiv 1810.04805.
 */

const mark = "\u2581";
const rest = "##";

/** A token as written in BERT's vocabulary. */
function written(token: string): string {
  if (/^\[.+\]$/.test(token)) return token;
  return token.startsWith(mark) ? token.slice(mark.length) : rest + token;
}

/** `lowercase` and `stripAccents`: null for the default. */
export function wordPieces(
  marked: readonly string[],
  lowercase: boolean | null,
  stripAccents: boolean | null,
) {
  const tokens = marked.map(written);
  // Default: lower case, unless the vocabulary has capitals.
  const isCased = tokens.some((token) => !/^\[.+\]$/.test(token) && /\p{Lu}/u.test(token));
  return {
    tokens,
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: stripAccents,
      lowercase: lowercase ?? !isCased,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    decoder: { type: "WordPiece", prefix: rest, cleanup: true },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: rest,
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(tokens.map((text, id) => [text, id])),
    },
  };
}

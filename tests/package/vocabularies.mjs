// Tokenizers of every kind: each decoder of @huggingface/tokenizers, alone and in the sequences of
// published tokenizer.json files, over small vocabularies with bytes, punctuation and special
// tokens; and every kind of vocabulary in GGUF files.

import { readFileSync } from "node:fs";
import { Tokenizer } from "@huggingface/tokenizers";
import { ggufTokenizer } from "../../build/modules/files/gguf-tokenizer.js";
import { wf } from "./golden.mjs";

/** GPT-2's characters for bytes (`bytes_to_unicode`). */
const isPlain = (byte) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
let others = 256;
const letterOf = Array.from({ length: 256 }, (_, byte) =>
  String.fromCodePoint(isPlain(byte) ? byte : others++),
);
const inLetters = (text) => [...Buffer.from(text)].map((byte) => letterOf[byte]).join("");

const words = ["Once", "upon", "time", "there", "was", "a", "n", "do", "猫", "é", "🦙"];
const signs = [..." .,?!'", "n't", "'s", "'m", "'ve", "'re", "\u200d", "\ufffd", "\ufeff"];
const special = ["<s>", "</s>", "<|end|>"];
const bytes = Array.from(
  { length: 256 },
  (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`,
);
const marked = (list) => list.flatMap((word) => [word, `\u2581${word}`]);

/** Returns a tokenizer.json with the given tokens and settings. */
function definition(given, { model, added = special, ...more }) {
  const tokens = [...new Set([...given, ...added])];
  const vocab = Object.fromEntries(tokens.map((token, id) => [token, id]));
  const own =
    model === "Unigram"
      ? { vocab: tokens.map((token) => [token, -1]), unk_id: 0 }
      : { vocab, unk_token: tokens[0], merges: [], max_input_chars_per_word: 99 };
  return {
    version: "1.0",
    added_tokens: added.map((content) => ({ id: vocab[content], content, special: true })),
    normalizer: null,
    pre_tokenizer: null,
    post_processor: null,
    decoder: null,
    model: { type: model ?? "BPE", ...own, ...more.own },
    ...more,
  };
}

const replace = (from, content) => ({ type: "Replace", pattern: from, content });
const strip = (start, stop) => ({ type: "Strip", content: " ", start, stop });
const sequence = (...decoders) => ({ type: "Sequence", decoders });
const fuse = { type: "Fuse" };
const fallback = { type: "ByteFallback" };
const metaspace = { type: "Metaspace", replacement: "\u2581", prepend_scheme: "always" };
const spaces = replace({ String: "\u2581" }, " ");
const byLetters = { pre_tokenizer: { type: "ByteLevel", add_prefix_space: false } };
const pieces = ["<unk>", "\u2581", "\u2581\u2581", ...marked([...words, ...signs]), ...bytes];
const letters = [
  ...letterOf,
  ...[...words, ...signs, " upon", "  ", "🦙"].map(inLetters),
  "\u1f999",
  "zz",
];
const parts = ["[UNK]", ...[...words, ...signs].flatMap((word) => [word, `##${word}`])];
const suffixed = [...words, ...signs].flatMap((word) => [word, `${word}</w>`]);
const spoken = ["<pad>", "|", " ", "'", ..."abnst.", "é"];

const definitions = {
  "byte-level BPE": definition(letters, { ...byLetters, decoder: { type: "ByteLevel" } }),
  "byte-level BPE with ends of words": definition(
    [...letters, ...words.map((word) => `${inLetters(word)}</w>`)],
    { ...byLetters, decoder: { type: "ByteLevel" }, own: { end_of_word_suffix: "</w>" } },
  ),
  "SentencePiece with bytes, Llama's": definition(pieces, {
    decoder: sequence(spaces, fallback, fuse, strip(1, 0)),
  }),
  "SentencePiece with bytes, Gemma's": definition(pieces, {
    decoder: sequence(spaces, fallback, fuse),
  }),
  Metaspace: definition(pieces, { decoder: metaspace }),
  "bytes, then Metaspace": definition(pieces, { decoder: sequence(fallback, metaspace) }),
  "unigrams with Metaspace": definition(pieces, { model: "Unigram", decoder: metaspace }),
  "WordPiece, cleaned up": definition(parts, {
    model: "WordPiece",
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
  }),
  "WordPiece as it is": definition(parts, {
    model: "WordPiece",
    decoder: { type: "WordPiece", prefix: "##", cleanup: false },
  }),
  "BPE with suffixes": definition(suffixed, { decoder: { type: "BPEDecoder", suffix: "</w>" } }),
  "BPE with suffixes within tokens": definition([...suffixed, "a</w>n</w>do", "</w>"], {
    decoder: { type: "BPEDecoder", suffix: "</w>" },
  }),
  "BPE without a suffix": definition(words, { decoder: { type: "BPEDecoder" } }),
  CTC: definition(spoken, {
    decoder: { type: "CTC", pad_token: "<pad>", word_delimiter_token: "|", cleanup: false },
  }),
  "CTC, cleaned up": definition(spoken, {
    decoder: { type: "CTC", pad_token: "<pad>", word_delimiter_token: "|", cleanup: true },
  }),
  Fuse: definition([...words, ...signs], { decoder: fuse }),
  "Strip at both ends of each token": definition(pieces, {
    decoder: sequence(spaces, strip(1, 1)),
  }),
  "Strip at both ends of the text": definition(pieces, {
    decoder: sequence(spaces, fallback, fuse, strip(3, 2)),
  }),
  "Replace by a pattern": definition(pieces, {
    decoder: sequence(spaces, replace({ Regex: "[aeiou]+" }, "-"), fallback),
  }),
  "no decoder": definition([...words, ...signs], {}),
};

const files = new Map(
  Object.entries(definitions).map(([name, tokenizer]) => [name, { tokenizer, config: {} }]),
);

const ggufs = JSON.parse(
  readFileSync(new URL("../golden/vocabularies/gguf.json", import.meta.url), "utf8"),
);
for (const name of ["llama", "gemma", "bert", "bert_cased"]) {
  const model = await wf.model(new Blob([Buffer.from(ggufs[name].bytes, "base64")]));
  files.set(`GGUF's ${name}`, await model.tokenizerFiles());
  model.dispose();
}

/** Returns the keys of a GGUF file for byte-level BPE. */
const keysOf = (values) => ({
  text: (name) => values[name],
  number: (name) => values[name],
  texts: (name) => values[name],
  numbers: (name) => values[name],
  value: (name) => values[name],
  flag: (name) => values[name],
  has: (name) => name in values,
  names: () => Object.keys(values),
});
for (const pre of ["gpt-2", "qwen2", "llama-bpe"])
  files.set(
    `GGUF's ${pre}`,
    ggufTokenizer(
      keysOf({
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": pre,
        "tokenizer.ggml.tokens": [...letters, ...special],
        "tokenizer.ggml.merges": [],
        "tokenizer.ggml.token_type": [...letters.map(() => 1), ...special.map(() => 3)],
      }),
    ),
  );

/** Wraps a tokenizer for use in a program; `size` is its number of ids. */
export function tokenizerOf({ tokenizer, config }, options) {
  const library = new Tokenizer(tokenizer, config);
  return {
    size: Math.max(...library.get_vocab().values()) + 1,
    encode: (text) => [...library.encode(text).ids],
    decode: (ids) => library.decode([...ids], options),
  };
}

/** Contents of tokenizer.json and tokenizer_config.json, by name. */
export const vocabularies = files;

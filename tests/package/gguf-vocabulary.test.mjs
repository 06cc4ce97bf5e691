// Keys of GGUF vocabularies: read, harmless, or refused by name.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as library from "@huggingface/tokenizers";
import { ggufVocabularyKeys } from "../../build/modules/files/gguf-table.js";
import { bothForms } from "./gguf-bytes.mjs";
import { flag, opened, text, u32 } from "./gguf-forms.mjs";
import { rejected } from "./golden.mjs";

const texts = (value) => ({ type: "text", value });
const floats = (value) => ({ type: "f32", value });
const mark = "\u2581";

/** Vocabularies of each kind, with 29 tokens like those of the tiny models. */
const filled = (tokens) => Array.from({ length: 29 }, (_, i) => tokens[i] ?? `${mark}unused${i}`);
const sentencePieces = filled(["<unk>", "<s>", "</s>", mark, "a", "b", "ab", `${mark}a`]);
const bytePairs = filled(["a", "b", "c", "ab", "Ġ", "<s>", "</s>", "é", "Ġa"]);
const wordPieces = filled(["[PAD]", "[UNK]", "[CLS]", "[SEP]", `${mark}ab`, `${mark}a`, "b"]);

const kinds = {
  llama: {
    model: text("llama"),
    tokens: texts(sentencePieces),
    scores: floats(sentencePieces.map((_, i) => -i)),
    token_type: u32(sentencePieces.map((_, i) => (i < 3 ? 3 : 1))),
  },
  gpt2: {
    model: text("gpt2"),
    pre: text("gpt-2"),
    tokens: texts(bytePairs),
    merges: texts(["a b"]),
    token_type: u32(bytePairs.map((_, i) => (i === 5 || i === 6 ? 3 : 1))),
  },
  bert: {
    model: text("bert"),
    tokens: texts(wordPieces),
    token_type: u32(wordPieces.map((_, i) => (i < 4 ? 3 : 1))),
    unknown_token_id: u32(1),
    bos_token_id: u32(2),
    seperator_token_id: u32(3),
  },
};

const form = bothForms("llama");
const other = Object.fromEntries(
  Object.entries(form.keys).filter(([key]) => !key.startsWith("tokenizer.")),
);

/** Returns the files of a kind with changed keys; undefined removes one. */
async function filesOf(kind, changes = {}) {
  const own = Object.entries({ ...kinds[kind], ...changes }).filter(([, value]) => value);
  const keys = { ...other };
  for (const [key, value] of own) keys[`tokenizer.ggml.${key}`] = value;
  const model = await opened({ ...form, keys });
  try {
    return await model.tokenizerFiles();
  } finally {
    model.dispose();
  }
}

async function idsOf(kind, changes, words) {
  const { tokenizer, config } = await filesOf(kind, changes);
  return new library.Tokenizer(tokenizer, config).encode(words).ids;
}

describe("special tokens around a text", () => {
  const cases = [
    // llama.cpp's default special tokens.
    ["llama", {}, "ab", [1, 3, 6]],
    ["llama", { bos_token_id: u32(2) }, "ab", [2, 3, 6]],
    ["llama", { bos_token_id: { type: "i64", value: 2 } }, "ab", [2, 3, 6]],
    ["llama", { bos_token_id: u32(2 ** 32 - 1) }, "ab", [1, 3, 6]],
    ["llama", { bos_token_id: { type: "i32", value: -1 } }, "ab", [1, 3, 6]],
    ["llama", { add_bos_token: flag(false) }, "ab", [3, 6]],
    ["llama", { add_bos_token: u32(0) }, "ab", [3, 6]],
    ["llama", { add_eos_token: flag(true) }, "ab", [1, 3, 6, 2]],
    [
      "llama",
      { add_eos_token: { type: "u8", value: 1 }, eos_token_id: u32(0) },
      "ab",
      [1, 3, 6, 0],
    ],
    ["llama", { add_space_prefix: flag(false) }, "ab", [1, 6]],
    ["gpt2", {}, "ab", [3]],
    ["gpt2", { add_bos_token: flag(true), bos_token_id: u32(5) }, "ab", [5, 3]],
    ["gpt2", { add_eos_token: flag(true), eos_token_id: u32(6) }, "ab", [3, 6]],
    ["gpt2", { bos_token_id: u32(5), eos_token_id: u32(6) }, "ab", [3]],
    ["bert", {}, "ab", [2, 4, 3]],
    ["bert", { cls_token_id: u32(0) }, "ab", [0, 4, 3]],
    ["bert", { seperator_token_id: undefined, eos_token_id: u32(1) }, "ab", [2, 4, 1]],
    ["bert", {}, "AB", [2, 4, 3]],
    ["bert", { "normalizer.lowercase": flag(true) }, "AB", [2, 4, 3]],
    ["bert", { "normalizer.lowercase": flag(false) }, "AB", [2, 1, 3]],
    ["bert", {}, "áb", [2, 4, 3]],
    ["bert", { "normalizer.strip_accents": flag(false) }, "áb", [2, 1, 3]],
  ];
  for (const [kind, keys, words, ids] of cases)
    test(`${kind}: ${JSON.stringify(keys)} ${words}`, async () => {
      assert.deepEqual(await idsOf(kind, keys, words), ids);
    });
});

test("keys listed as harmless change nothing", async () => {
  const harmless = Object.entries(ggufVocabularyKeys).filter(([, what]) => what === "harmless");
  assert.ok(harmless.length > 10);
  const keys = Object.fromEntries(harmless.map(([key]) => [key, u32(4)]));
  for (const kind of Object.keys(kinds))
    assert.deepEqual(await filesOf(kind, keys), await filesOf(kind), kind);
});

test("an unknown key is refused by name and value when the vocabulary is read", async () => {
  for (const kind of Object.keys(kinds))
    for (const key of ["other", "normalizer.other", "add_other_token"]) {
      const named = new RegExp(
        `^tokenizer\\.ggml\\.${key.replace(".", "\\.")}: true .*pass a tokenizer`,
      );
      await rejected(filesOf(kind, { [key]: flag(true) }), "unsupported", named);
    }
});

test("invalid values are refused by name", async () => {
  const id = u32(29);
  const refusals = [
    ["llama", { bos_token_id: id }, /bos_token_id: 29 \(expected an integer from 0 to 28/],
    ["llama", { eos_token_id: floats(1.5) }, /eos_token_id: 1\.5/],
    ["llama", { unknown_token_id: id }, /unknown_token_id: 29/],
    ["bert", { seperator_token_id: id }, /seperator_token_id: 29/],
    ["bert", { cls_token_id: id }, /cls_token_id: 29/],
    ["gpt2", { add_bos_token: flag(true) }, /bos_token_id: undefined .*add_bos_token is true/],
    ["gpt2", { add_eos_token: flag(true) }, /eos_token_id: undefined .*add_eos_token is true/],
    ["gpt2", { merges: undefined }, /merges: undefined/],
    ["gpt2", { pre: text("other") }, /pre: "other"/],
    ["gpt2", { model: text("other") }, /model: "other" \(expected one of gpt2, llama, bert/],
    ["llama", { scores: floats([1, 2]) }, /scores: \[1, 2\]/],
    ["llama", { scores: undefined }, /scores: \[\]/],
    ["llama", { token_type: u32([1, 2]) }, /token_type: \[1, 2\]/],
    ["bert", { token_type: u32([1, 2]) }, /token_type: \[1, 2\]/],
    ["llama", { precompiled_charsmap: { type: "u8", value: [1] } }, /precompiled_charsmap/],
  ];
  for (const [kind, keys, message] of refusals)
    await rejected(filesOf(kind, keys), "unsupported", message);
  const malformed = [
    ["llama", { bos_token_id: text("1") }, /bos_token_id: "1" \(expected a number/],
    ["llama", { add_bos_token: u32(2) }, /add_bos_token: 2 \(expected true or false/],
    ["llama", { add_bos_token: text("true") }, /add_bos_token: "true"/],
    ["llama", { scores: texts(["1"]) }, /scores: \["1"\] \(expected a list of numbers/],
    ["llama", { token_type: u32(1) }, /token_type: 1 \(expected a list of numbers/],
    ["gpt2", { merges: text("a b") }, /merges: "a b" \(expected a list of strings/],
    ["gpt2", { pre: u32(1) }, /pre: 1 \(expected a string/],
    ["gpt2", { model: texts(["gpt2"]) }, /model: \["gpt2"\] \(expected a string/],
    ["bert", { "normalizer.lowercase": text("no") }, /normalizer\.lowercase: "no"/],
  ];
  for (const [kind, keys, message] of malformed)
    await rejected(filesOf(kind, keys), "malformed_file", message);
});

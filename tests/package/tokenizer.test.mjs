// The committed tokenizer, run by @huggingface/tokenizers as on the page.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { test } from "node:test";
import { Tokenizer } from "@huggingface/tokenizers";

const models = new URL("../../models/", import.meta.url);
const read = (name) => fs.readFileSync(new URL(name, models), "utf8");
const manifest = JSON.parse(read("corpus.json"));
const definition = JSON.parse(read("tokenizer.json"));
const tokenizer = new Tokenizer(definition, JSON.parse(read("tokenizer_config.json")));
const unknown = tokenizer.token_to_id("<|unk|>");

/** Replaces every character without a token by the name of the unknown token. */
function withoutUnknowns(text) {
  const vocabulary = definition.model.vocab;
  const known = (character) => character in vocabulary;
  return Array.from(text, (character) => (known(character) ? character : "<|unk|>")).join("");
}

test("the vocabulary has 4736 distinct tokens with ids without gaps", () => {
  const ids = Object.values(definition.model.vocab).sort((a, b) => a - b);
  assert.deepEqual(
    ids,
    Array.from({ length: 4736 }, (_, index) => index),
  );
  assert.equal(unknown, 0);
  assert.equal(tokenizer.token_to_id("<|end|>"), 1);
});

test("every Chinese character is a separate token, and no token mixes scripts", () => {
  for (const token of Object.keys(definition.model.vocab)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what is meant
    const ascii = /^[\x00-\x7f]*$/.test(token);
    assert.ok(ascii || [...token].length === 1, `token "${token}"`);
  }
});

for (const [language, largestUnknownShare] of [
  ["en", 0],
  ["zh", 0.025],
]) {
  test(`held-out text (${language}) gives the recorded ids and is restored`, () => {
    const text = read(`heldout/${language}.txt`);
    const { ids } = tokenizer.encode(text);
    const bytes = Buffer.alloc(ids.length * 2);
    for (const [index, id] of ids.entries()) bytes.writeUInt16LE(id, index * 2);
    const hash = createHash("sha256").update(bytes).digest("hex");
    assert.equal(hash, manifest.files[`heldout.${language}.bin`].sha256);
    const unknowns = ids.filter((id) => id === unknown).length;
    assert.equal(unknowns, manifest.totals[`heldout.${language}`].unknowns);
    assert.ok(unknowns <= largestUnknownShare * ids.length, `${unknowns} of ${ids.length} unknown`);
    assert.equal(tokenizer.decode(ids), withoutUnknowns(text));
  });
}

test("words keep the space before them, so tokens join to the text", () => {
  assert.deepEqual(tokenizer.tokenize("In the beginning God created"), [
    "In",
    " the",
    " begin",
    "ning",
    " God",
    " c",
    "reat",
    "ed",
  ]);
  const texts = [
    "The cat chases the mouse; the mouse chases the cat.",
    "  two  spaces\n\nand (brackets) -- 100% don't",
    "猫追老鼠，老鼠追猫。",
    "我爱你 and 你爱我：“wo ai ni”！",
    "貓追老鼠，誰愛魚？",
  ];
  for (const text of texts) {
    assert.equal(tokenizer.decode(tokenizer.encode(text).ids), text);
  }
});

test("a character without a token gives one unknown token, without an error", () => {
  assert.deepEqual(tokenizer.tokenize("a🐱b"), ["a", "<|unk|>", "b"]);
  assert.deepEqual(tokenizer.tokenize("𠮷"), ["<|unk|>"]);
  const family = tokenizer.encode("👨‍👩‍👧").ids;
  assert.equal(family.length, [..."👨‍👩‍👧"].length);
  assert.ok(family.every((id) => id === unknown));
  assert.deepEqual(tokenizer.encode("").ids, []);
});

test("the end token in a text is a single token", () => {
  assert.deepEqual(tokenizer.tokenize("a<|end|>b"), ["a", "<|end|>", "b"]);
});

test("a long word and a long run of one character are encoded within the time limit", () => {
  assert.equal(tokenizer.decode(tokenizer.encode("a".repeat(20000)).ids), "a".repeat(20000));
  assert.equal(tokenizer.encode("猫".repeat(20000)).ids.length, 20000);
});

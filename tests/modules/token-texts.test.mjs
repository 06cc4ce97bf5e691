// The labels of tokens that are bytes: a character of several tokens is shown at its first token.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openSources } from "./sources.mjs";

let sources;
let tokenTexts;
before(async () => {
  sources = await openSources();
  ({ tokenTexts } = await sources.load("/engine/worker/token-texts.ts"));
});
after(() => sources.close());

// A tokenizer whose tokens are the given bytes.
const bytesOf = (...tokens) => tokens.map((token) => Buffer.from(token));
const decoderOf = (tokens) => (ids) => Buffer.concat(ids.map((id) => tokens[id])).toString("utf8");
const texts = (tokens) => tokenTexts([...tokens.keys()], decoderOf(tokens));

test("whole words and characters are unchanged", () => {
  assert.deepEqual(texts(bytesOf("The", " cat", "猫")), ["The", " cat", "猫"]);
});

test("a character of several tokens is at the first one", () => {
  const [a, b, c] = Buffer.from("猫");
  assert.deepEqual(texts([Buffer.from([a]), Buffer.from([b, c]), Buffer.from("!")]), [
    "猫",
    "·",
    "!",
  ]);
  assert.deepEqual(texts([Buffer.from([a]), Buffer.from([b]), Buffer.from([c])]), ["猫", "·", "·"]);
});

test("bytes that are no text do not change the labels after them", () => {
  const [a] = Buffer.from("猫");
  assert.deepEqual(texts([Buffer.from([a]), Buffer.from("cat"), Buffer.from(" sat")]), [
    "\ufffd",
    "cat",
    " sat",
  ]);
});

test("a text may end in the middle of a character", () => {
  const [a, b] = Buffer.from("猫");
  assert.deepEqual(texts([Buffer.from("x"), Buffer.from([a, b])]), ["x", "\ufffd"]);
});

// The tokens of `generate`, on the calling thread and in a worker: each once, in order, with texts
// that join to `decode` of all ids; and the labels of a model's tokens.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { TextStream } from "../../dist/index.js";
import { load } from "../../dist/worker.js";
import { rejected, wf } from "./golden.mjs";
import { tokenizerOf, vocabularies } from "./vocabularies.mjs";

const far = await load({ variant: "simd" });
after(() => far.dispose());
const engines = { "on this thread": wf, "in a worker": far };
const asItIs = { clean_up_tokenization_spaces: false, skip_special_tokens: false };

const config = (vocabSize) => ({
  vocabSize,
  hiddenSize: 16,
  numLayers: 1,
  numHeads: 2,
  intermediateSize: 16,
  scheme: "rope",
  initializerRange: 0.3,
});

async function collect(tokens) {
  const list = [];
  for await (const token of tokens) list.push(token);
  return list;
}
const idsIn = (tokens) => tokens.map(({ id }) => id);
const textOf = (tokens) => tokens.map(({ text }) => text).join("");

for (const [where, engine] of Object.entries(engines)) {
  test(`the texts of all tokens join to decode of all ids, ${where}`, async () => {
    for (const [name, files] of vocabularies) {
      const tokenizer = tokenizerOf(files, asItIs);
      const model = await engine.model(config(tokenizer.size), { tokenizer });
      for (const seed of [1, 2, 3]) {
        const options = { maxTokens: 24, seed };
        const tokens = await collect(model.generate([1, 2], options));
        assert.equal(tokens.length, 24);
        assert.equal(textOf(tokens), tokenizer.decode(idsIn(tokens)), name);
        const stopId = tokens[13].id;
        const stopped = await collect(model.generate([1, 2], { ...options, stopId }));
        const until = idsIn(tokens).indexOf(stopId);
        assert.deepEqual(idsIn(stopped), idsIn(tokens).slice(0, until), name);
        if (until) assert.equal(textOf(stopped), tokenizer.decode(idsIn(stopped)), name);
        const one = await collect(model.generate([1, 2], { ...options, maxTokens: 1 }));
        assert.equal(textOf(one), tokenizer.decode(idsIn(one)), name);
      }
      model.dispose();
    }
  });

  test(`a token is returned before the next is computed, ${where}`, async () => {
    let longest = 0;
    const decode = (ids) => {
      longest = Math.max(longest, ids.length / 2);
      return ids.map((id) => (id < 8 ? "\ufffd" : "abc")).join("");
    };
    const model = await engine.model(config(16), { tokenizer: { encode: () => [], decode } });
    let count = 0;
    for await (const _ of model.generate([1], { maxTokens: 20 })) assert.equal(longest, ++count);
    assert.equal(count, 20);
  });

  test(`an abort takes effect while a token waits to be read, ${where}`, async () => {
    const tokenizer = { encode: () => [], decode: (ids) => "\ufffd".repeat(ids.length) };
    const model = await engine.model(config(16), { tokenizer });
    const control = new AbortController();
    const tokens = model.generate([1], { maxTokens: 9, signal: control.signal });
    assert.equal((await tokens.next()).value.text, "");
    control.abort();
    await rejected(tokens.next(), "aborted");
    assert.deepEqual(await tokens.next(), { value: undefined, done: true });
    const all = await collect(model.generate([1], { maxTokens: 9 }));
    assert.deepEqual(
      all.map(({ text }) => text.length),
      [0, 0, 0, 0, 0, 0, 0, 0, 9],
    );
  });

  test(`the labels of a model's tokens keep their spaces, ${where}`, async () => {
    const tokenizer = tokenizerOf(vocabularies.get("SentencePiece with bytes, Llama's"), asItIs);
    const { vocab } = vocabularies.get("SentencePiece with bytes, Llama's").tokenizer.model;
    const words = ["\u2581Once", "\u2581upon", "\u2581a", "<0xE7>", "<0x8C>", "<0xAB>"];
    const ids = words.map((word) => vocab[word]);
    const model = await engine.model(config(tokenizer.size), { tokenizer });
    const expected = ["Once", " upon", " a", "猫", "·", "·"];
    assert.deepEqual((await model.run(ids)).tokens, expected);
    const bent = await model.bend({ ropeTheta: 5 });
    assert.deepEqual((await bent.run(ids)).tokens, expected);
    assert.deepEqual((await bent.run("Once")).ids, tokenizer.encode("Once"));
    assert.equal((await model.embed("Once")).length, 16);
  });
}

test("a stream continues after the prompt", async () => {
  const files = vocabularies.get("SentencePiece with bytes, Llama's");
  const tokenizer = tokenizerOf(files, asItIs);
  const model = await wf.model(config(tokenizer.size), { tokenizer });
  const prompt = ["\u2581Once", "\u2581upon"].map((word) => files.tokenizer.model.vocab[word]);
  const text = new TextStream(tokenizer, prompt);
  const ids = idsIn(await collect(model.generate(prompt, { maxTokens: 30, seed: 4 })));
  const written = ids.map((id) => text.add(id)).join("") + text.end();
  assert.equal(`Once upon${written}`, tokenizer.decode([...prompt, ...ids]));
});

// Sessions: texts that a model reads once and continues, on this thread and in a worker.

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { load } from "../../dist/worker.js";
import { refused, rejected, wf } from "./golden.mjs";

const far = await load({ variant: "simd" });
after(() => far.dispose());
const engines = { "on this thread": wf, "in a worker": far };

const small = {
  vocabSize: 32,
  hiddenSize: 16,
  numLayers: 2,
  numHeads: 4,
  numKvHeads: 2,
  intermediateSize: 24,
  scheme: "rope",
  initializerRange: 0.3,
};
const letters = {
  encode: (text) => [...text].map((letter) => letter.charCodeAt(0) - 96),
  decode: (ids) => ids.map((id) => String.fromCharCode(id + 96)).join(""),
};
const likeliest = { temperature: 0, maxTokens: 6 };
const many = Array.from({ length: 300 }, (_, i) => (7 * i + (i >> 3)) % 32);

/** The ids of a generation, and what it returned. */
async function collect(tokens) {
  const ids = [];
  let text = "";
  for (;;) {
    const { done, value } = await tokens.next();
    if (done) return { ids, text, end: value };
    ids.push(value.id);
    text += value.text;
  }
}

/** What a model that has read nothing yet continues a text with. */
async function afresh(engine, config, ids, options) {
  const model = await engine.model(config);
  const result = await collect(model.generate(ids, options));
  model.dispose();
  return result.ids;
}

for (const [where, engine] of Object.entries(engines)) {
  describe(where, () => {
    test("a chat reads each token once, and its answers are those of reading afresh", async () => {
      const model = await engine.model(small);
      const session = await model.session();
      let text = many.slice(0, 80);
      for (const turn of [1, 2, 3]) {
        const { ids, end } = await collect(session.generate(text, likeliest));
        assert.deepEqual(ids, await afresh(engine, small, text, likeliest), `turn ${turn}`);
        const { reason, promptTokens, readTokens, tokens } = end;
        assert.deepEqual(
          { reason, promptTokens, readTokens, tokens },
          {
            reason: "maxTokens",
            promptTokens: text.length,
            // The last token that was generated had not been read.
            readTokens: turn === 1 ? 80 : 21,
            tokens: 6,
          },
        );
        text = [...text, ...ids, ...many.slice(50 * turn, 50 * turn + 20)];
        assert.equal(session.length, text.length - 20);
      }
      session.dispose();
    });

    test("plain generate keeps what it read, and another beginning is read afresh", async () => {
      const model = await engine.model(small);
      const first = await collect(model.generate(many.slice(0, 100), likeliest));
      const longer = [...many.slice(0, 100), ...first.ids, 1, 2, 3];
      const second = await collect(model.generate(longer, likeliest));
      assert.equal(second.end.readTokens, 4);
      assert.deepEqual(second.ids, await afresh(engine, small, longer, likeliest));
      const third = await collect(model.generate([9, ...longer], likeliest));
      assert.equal(third.end.readTokens, longer.length + 1);
      const again = await collect(model.generate([9, ...longer], likeliest));
      assert.deepEqual([again.ids, again.end.readTokens], [third.ids, 1]);
    });

    test("append, truncate and fork change the text, each session its own", async () => {
      const model = await engine.model(small);
      const session = await model.session();
      const steps = [];
      await session.append(many.slice(0, 150), {
        onProgress: (done, total) => steps.push([done, total]),
      });
      assert.deepEqual(steps.at(-1), [150, 150]);
      assert.ok(steps.length > 1, "in steps");
      const fork = await session.fork();
      await session.truncate(40);
      await session.append([5, 6]);
      const shorter = [...many.slice(0, 40), 5, 6];
      assert.deepEqual(await session.ids(), shorter);
      const one = await collect(session.generate(undefined, likeliest));
      assert.deepEqual(one.ids, await afresh(engine, small, shorter, likeliest));
      assert.equal(one.end.readTokens, 0);
      const other = await collect(fork.generate(undefined, likeliest));
      assert.deepEqual(other.ids, await afresh(engine, small, many.slice(0, 150), likeliest));
      assert.deepEqual(await fork.ids(), [...many.slice(0, 150), ...other.ids]);
      assert.ok(session.memoryBytes > 0);
    });

    test("an abort while a prompt is read keeps what was read", async () => {
      const model = await engine.model({ ...small, hiddenSize: 256, intermediateSize: 1024 });
      const session = await model.session();
      const control = new AbortController();
      const long = Array.from({ length: 4000 }, (_, i) => i % 32);
      const tokens = session.generate(long, {
        maxTokens: 1,
        signal: control.signal,
        onProgress: (done) => done > 200 && control.abort(),
      });
      await rejected(tokens.next(), "aborted");
      // In a worker the session learns its new length with the next answer.
      const { length } = await session.ids();
      assert.ok(length > 200 && length < 4000, `${length} tokens`);
      const { end } = await collect(session.generate(long, { maxTokens: 1 }));
      assert.equal(end.readTokens, 4000 - length);
    });

    test("a stop text ends the text before it, however tokens divide it", async () => {
      const model = await engine.model(small, { tokenizer: letters });
      const options = { ...likeliest, maxTokens: 12, temperature: 1, seed: 4 };
      const { text } = await collect(model.generate("abc", options));
      assert.equal(text.length, 12);
      for (const [from, length] of [
        [0, 1],
        [4, 3],
        [9, 3],
        [11, 1],
      ]) {
        const stop = text.slice(from, from + length);
        const cut = await collect(model.generate("abc", { ...options, stop: ["zzzz", stop] }));
        assert.equal(cut.text, text.slice(0, text.indexOf(stop)), stop);
        assert.equal(cut.end.reason, "stop");
      }
      const all = await collect(model.generate("abc", { ...options, stop: `${text}x` }));
      assert.equal(all.text, text);
      assert.equal(all.end.reason, "maxTokens");
    });

    test("calls while another is in progress are refused", async () => {
      const session = await (await engine.model(small)).session();
      const tokens = session.generate([1, 2], { maxTokens: 5 });
      await tokens.next();
      await rejected(collect(session.generate([1], { maxTokens: 1 })), "unsupported", /in use/);
      await rejected(session.append([1]), "unsupported", /^session: "in use"/);
      await tokens.return();
      await session.append([1]);
    });

    test("wrong arguments are refused by name", async () => {
      const model = await engine.model(small);
      const session = await model.session();
      const wrong = [
        [{ minP: 2 }, /^minP: 2 \(expected/],
        [{ repetitionPenalty: 0 }, /^repetitionPenalty: 0 \(expected/],
        [{ presencePenalty: "1" }, /^presencePenalty: "1" \(expected/],
        [{ frequencyPenalty: 101 }, /^frequencyPenalty: 101 \(expected/],
        [{ logitBias: { 32: 1 } }, /^logitBias.*: 32 \(expected/],
        [{ logitBias: { 3: "a" } }, /^logitBias\[3\]: "a" \(expected/],
        [{ logitBias: [1] }, /^logitBias: .*\(expected/],
        [{ stop: "" }, /^stop: "" \(expected/],
      ];
      for (const [options, message] of wrong)
        await rejected(collectSafely(session, [1], options), "invalid_argument", message);
      await rejected(collectSafely(session, [1], { stop: "a" }), "unsupported", /^stop: "a"/);
      await rejected(collectSafely(session, [1], { exact: true }), "unsupported", /^exact: true/);
      await rejected(collectSafely(session, undefined, {}), "invalid_argument", /^prompt: undef/);
      await rejected(collectSafely(session, [], {}), "invalid_argument", /^prompt\.length: 0/);
      await rejected(session.append([99]), "invalid_argument", /^input\[0\]: 99 \(expected/);
      assert.deepEqual(await session.ids(), []);
    });
  });
}

/** As `collect`, also for errors that are thrown at the call. */
async function collectSafely(session, prompt, options) {
  return collect(session.generate(prompt, options));
}

test("penalties and biases change the logits as their papers and APIs say", async () => {
  const model = await wf.model(small);
  const text = many.slice(0, 12);
  const { vocabularyLogits } = model.run(text, { record: ["vocabularyLogits"] });
  const last = [...vocabularyLogits.data.slice(-32)];
  const ranked = (logits) => logits.indexOf(Math.max(...logits));
  const first = async (options) =>
    (await collect(model.generate(text, { maxTokens: 1, temperature: 0, ...options }))).ids[0];
  assert.equal(await first({}), ranked(last));
  const repeated = last.map((logit, id) =>
    text.includes(id) ? (logit > 0 ? logit / 50 : logit * 50) : logit,
  );
  assert.equal(await first({ repetitionPenalty: 50 }), ranked(repeated));
  for (const id of [3, 17]) {
    const bias = Math.max(...last) - last[id] + 0.01;
    assert.equal(await first({ logitBias: { [id]: bias } }), id);
  }
  // After a presence penalty no token comes twice: 100 is more than the largest difference.
  const once = await collect(
    model.generate(text, { maxTokens: 30, temperature: 0, presencePenalty: 100 }),
  );
  assert.equal(new Set(once.ids).size, 30);
  const only = await collect(model.generate(text, { maxTokens: 20, minP: 1, seed: 5 }));
  const greedy = await collect(model.generate(text, { maxTokens: 20, temperature: 0 }));
  assert.deepEqual(only.ids, greedy.ids);
});

test("an end token of the model's files ends the text by default", async () => {
  const model = await wf.model(small);
  assert.deepEqual(model.endTokens, []);
  const weights = model.save();
  const { ids } = await collect(model.generate([1, 2], likeliest));
  const config = {
    ...{ model_type: "llama", vocab_size: 32, hidden_size: 16, num_hidden_layers: 2 },
    ...{ num_attention_heads: 4, num_key_value_heads: 2, intermediate_size: 24 },
    ...{ rms_norm_eps: 1e-5, tie_word_embeddings: true, eos_token_id: [ids[3], 40] },
  };
  const opened = await wf.model({ config, weights });
  assert.deepEqual(opened.endTokens, [ids[3]], "ids outside the vocabulary are left out");
  const ended = await collect(opened.generate([1, 2], likeliest));
  assert.deepEqual(ended.ids, ids.slice(0, ids.indexOf(ids[3])));
  assert.equal(ended.end.reason, "endToken");
  const whole = await collect(opened.generate([1, 2], { ...likeliest, stopId: [] }));
  assert.deepEqual(whole.ids, ids);

  const json = (name, value) => new File([JSON.stringify(value)], name);
  const folder = [
    json("config.json", config),
    json("generation_config.json", { eos_token_id: ids[1] }),
    new File([weights], "model.safetensors"),
  ];
  assert.deepEqual((await wf.model(folder)).endTokens, [ids[1]]);
});

test("with frequencies that depend on the length, a changed text is read afresh", async () => {
  const scheme = {
    id: "rope",
    options: { ropeScaling: { ropeType: "dynamic", factor: 2 }, maxPositionEmbeddings: 64 },
  };
  const config = { ...small, scheme };
  const session = (await wf.model(config)).session();
  const { ids } = await collect(session.generate(many.slice(0, 40), likeliest));
  const next = [...many.slice(0, 40), ...ids, 1, 2, 3];
  assert.equal((await collect(session.generate(next, likeliest))).end.readTokens, 4);
  const beyond = [...next, ...many.slice(0, 60)];
  const read = await collect(session.generate(beyond, likeliest));
  assert.equal(read.end.readTokens, beyond.length);
  assert.deepEqual(read.ids, await afresh(wf, config, beyond, likeliest));
});

test("every scheme that decodes continues a session as it reads afresh", async () => {
  for (const { id, claims } of wf.schemes) {
    if (!claims.decodes) continue;
    const config = { ...small, numKvHeads: 4, scheme: id };
    let model;
    try {
      model = await wf.model(config);
    } catch (error) {
      assert.equal(error.code, "invalid_argument", id);
      continue;
    }
    const session = model.session();
    await session.append(many.slice(0, 20));
    session.truncate(11);
    const text = [...many.slice(0, 11), 4, 8, 1];
    const { ids } = await collect(session.generate(text, likeliest));
    assert.deepEqual(ids, await afresh(wf, config, text, likeliest), id);
    model.dispose();
  }
});

test("the memory of sessions that were disposed of is used again", async () => {
  const model = await wf.model(small);
  const one = async () => {
    const session = model.session();
    await session.append(many);
    assert.ok(session.memoryBytes >= many.length * 2 * 2 * 2 * 4 * 4, "keys and values as floats");
    session.dispose();
    return session;
  };
  const session = await one();
  const before = wf.memory();
  for (let i = 0; i < 50; i++) await one();
  assert.equal(wf.memory(), before);
  refused(() => session.length, "disposed");
  const bidirectional = await wf.model({ ...small, isCausal: false });
  refused(() => bidirectional.session(), "unsupported", /isCausal/);
});

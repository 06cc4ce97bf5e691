// Maps of tokens while they are generated, compared with a run over the whole text.

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { load } from "../../dist/worker.js";
import { familyFile, modelOf } from "./families.mjs";
import { engines, near, refused, variants, wf } from "./golden.mjs";

const sizes = {
  vocabSize: 32,
  hiddenSize: 32,
  numLayers: 3,
  numHeads: 4,
  numKvHeads: 2,
  intermediateSize: 24,
  initializerRange: 0.3,
  seed: 4,
};
const prompt = Array.from({ length: 11 }, (_, i) => (i * 7 + 3) % 32);
const record = ["weights", "logits", "maskedLogits", "terms", "pairs"];
const region = { layers: [0, 2], heads: [1, 3] };
const settings = { maxTokens: 6, temperature: 0, stopId: [] };

async function collected(tokens) {
  const list = [];
  for await (const token of tokens) list.push(token);
  return list;
}

/**
 * Compares each token's maps with its row of a run over the whole text. Logits reach 10, and sums
 * of a step are rounded in another order than those of a text.
 */
function compare(model, ids, tokens, names, chosen, tolerance = 3e-5) {
  const first = ids.length - tokens.length;
  const whole = model.run(ids, { record: names, region: chosen });
  const compareTensor = (found, expected, row, what) => {
    const [layers, heads, rows, columns, pairs = 1] = expected.shape;
    const count = row + 1;
    assert.deepEqual(found.shape, [layers, heads, 1, count, ...expected.shape.slice(4)], what);
    for (let map = 0; map < layers * heads; map++) {
      const at = (map * rows + row) * columns * pairs;
      near(
        found.data.slice(map * count * pairs, (map + 1) * count * pairs),
        expected.data.slice(at, at + count * pairs),
        tolerance,
        `${what}, row ${row}, map ${map}`,
      );
    }
  };
  tokens.forEach((token, i) => {
    assert.equal(token.id, ids[first + i]);
    for (const name of names) {
      if (name === "pairs" && !whole.pairs) assert.equal(token.pairs, undefined);
      else if (name !== "terms") compareTensor(token[name], whole[name], first + i, name);
    }
    if (!names.includes("terms")) return;
    assert.deepEqual(Object.keys(token.terms), Object.keys(whole.terms));
    for (const term of Object.keys(whole.terms))
      compareTensor(token.terms[term], whole.terms[term], first + i, term);
  });
}

for (const variant of variants) {
  describe(variant, () => {
    const schemes = ["rope", "alibi", "t5", "shaw", "cope", "xpos", "pope", ["rope", "alibi"]];
    const chunks = { id: "remapped_rope", options: { method: "dual_chunk", window: 2, chunk: 5 } };
    const ofStates = ["forget_gate", ["conditioned_bias", "forget_gate"]];
    for (const scheme of [...schemes, chunks, ...ofStates])
      test(`${JSON.stringify(scheme)}: rows of generated tokens are those of a run`, async () => {
        const model = await engines[variant].model({ ...sizes, scheme });
        const session = model.session();
        const tokens = await collected(session.generate(prompt, { ...settings, record, region }));
        assert.equal(tokens.length, settings.maxTokens);
        compare(model, session.ids(), tokens, record, region);
        // Without a record the text is the same, and tokens have no maps.
        const plain = await collected(model.generate(prompt, settings));
        assert.deepEqual(
          plain,
          tokens.map(({ id, text }) => ({ id, text })),
        );
      });
  });
}

test("all layers and heads by default, in a window, and from model.generate", async () => {
  const model = await wf.model({ ...sizes, scheme: "rope", slidingWindow: 5 });
  const names = ["weights", "terms"];
  const tokens = await collected(model.generate(prompt, { ...settings, record: names }));
  const ids = [...prompt, ...tokens.map(({ id }) => id)];
  assert.equal(tokens[0].weights.shape[0], sizes.numLayers);
  compare(model, ids, tokens, names, {});
});

test("a session reads its text again only to split logits into terms", async () => {
  const model = await wf.model({ ...sizes, scheme: "rope" });
  const session = model.session();
  await session.append(prompt);
  const next = async (names) => {
    const tokens = session.generate(undefined, { ...settings, record: names, region });
    const list = [];
    let step = await tokens.next();
    for (; !step.done; step = await tokens.next()) list.push(step.value);
    compare(model, session.ids(), list, names, region);
    return step.value.readTokens;
  };
  assert.equal(await next(["weights"]), 0);
  const { length } = session;
  assert.equal(await next(["weights", "terms"]), length);
  assert.equal(await next(["terms"]), 0);
  // What a fork and a shorter text keep is enough.
  const fork = session.fork();
  fork.truncate(14);
  const tokens = await collected(
    fork.generate(undefined, { ...settings, record: ["terms"], region, maxTokens: 2 }),
  );
  compare(model, fork.ids(), tokens, ["terms"], region);
});

test("a text that outgrows the session's memory is recorded further", async () => {
  const model = await wf.model({ ...sizes, scheme: "rope" });
  const session = model.session();
  const options = {
    ...settings,
    record: ["weights", "terms"],
    region: { layers: [1], heads: [0] },
  };
  const long = Array.from({ length: 250 }, (_, i) => (i * 11 + 3) % 32);
  const tokens = await collected(session.generate(long, { ...options, maxTokens: 12 }));
  compare(model, session.ids(), tokens, options.record, options.region);
});

test("frequencies that depend on the length give the rows of a run of that length", async () => {
  const options = {
    ropeScaling: { ropeType: "dynamic", factor: 2, originalMaxPositionEmbeddings: 8 },
  };
  const scheme = { id: "rope", options };
  const model = await wf.model({ ...sizes, numLayers: 1, scheme });
  const session = model.session();
  const only = { ...settings, record: ["weights", "terms"], maxTokens: 1 };
  for (let i = 0; i < 3; i++) {
    const tokens = await collected(session.generate(i ? undefined : prompt, only));
    compare(model, session.ids(), tokens, only.record, {});
  }
});

test("the decoder of a model with an encoder is recorded; latent layers are refused", async () => {
  const bart = await modelOf(wf, familyFile("bart"));
  const options = { ...settings, maxTokens: 3, record: ["weights"] };
  const tokens = await collected(bart.generate([5, 6, 7], options));
  const decoderTokens = [familyFile("bart").config.decoder_start_token_id];
  decoderTokens.push(...tokens.map(({ id }) => id));
  const { weights } = bart.run([5, 6, 7], { record: ["weights"], decoderTokens });
  const [layers, heads, rows, columns] = weights.shape;
  for (let map = 0; map < layers * heads; map++)
    near(
      tokens[2].weights.data.slice(map * rows, (map + 1) * rows),
      weights.data.slice((map * rows + 3) * columns, (map * rows + 4) * columns),
      1e-5,
    );
  const youtu = await modelOf(wf, familyFile("youtu"));
  await assert.rejects(collected(youtu.generate([1, 2], options)), {
    code: "unsupported",
    message: /^record: layer 0 \(expected layers without latent projections/,
  });
  assert.equal((await collected(youtu.generate([1, 2], { ...settings, maxTokens: 1 }))).length, 1);
});

test("wrong records are refused at the call", async () => {
  const model = await wf.model({ ...sizes, scheme: "rope" });
  const refuse = (options, code, message) => {
    refused(() => model.generate(prompt, options), code, message);
    refused(() => model.session().generate(prompt, options), code, message);
  };
  refuse({ record: ["hidden"] }, "invalid_argument", /^record\[0\]: "hidden" \(expected/);
  refuse({ region: { rows: [1] } }, "unknown_option", /^region: unknown option "rows"/);
  refuse({ record: [], region: { heads: [4] } }, "invalid_argument", /^region\.heads\[0\]: 4/);
  refuse({ record: [], region: { layers: [3] } }, "invalid_argument", /^region\.layers\[0\]: 3/);
});

const inWorker = await load({ variant: "simd" });
after(() => inWorker.dispose());

test("in a worker the rows are the same", async () => {
  const config = { ...sizes, scheme: "rope" };
  const [model, remote] = [await wf.model(config), await inWorker.model(config)];
  const options = { ...settings, record: ["weights", "terms"], region };
  const session = await remote.session();
  const tokens = await collected(session.generate(prompt, options));
  assert.deepEqual(tokens, await collected(model.session().generate(prompt, options)));
});

// Sessions that evict tokens: StreamingLLM's rule, compared with windows and with the kept tokens
// read afresh.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { load } from "whereformer";
import { load as loadWorker } from "whereformer/worker";

const config = {
  vocabSize: 32,
  hiddenSize: 32,
  numLayers: 2,
  numHeads: 4,
  numKvHeads: 2,
  intermediateSize: 48,
  scheme: { id: "rope" },
  seed: 5,
  initializerRange: 0.3,
};
const text = Array.from({ length: 90 }, (_, i) => (i * 7 + (i >> 2)) % 32);

let wf;
before(async () => {
  wf = await load();
});

/** The logits after a session's text, from the weights of tokens that temperature 1 gives. */
async function continued(session, count = 12) {
  const ids = [];
  for await (const { id } of session.generate(undefined, { maxTokens: count, temperature: 0 }))
    ids.push(id);
  return ids;
}

/** What a model without sessions continues with, one token at a time. */
function byRuns(model, ids, count, textOf = (all) => all) {
  const all = [...ids];
  for (let n = 0; n < count; n++) {
    const read = textOf(all);
    const record = ["vocabularyLogits"];
    const { vocabularyLogits } = model.run(read, { record, region: { rows: [read.length - 1] } });
    all.push(vocabularyLogits.data.indexOf(Math.max(...vocabularyLogits.data)));
  }
  return all.slice(ids.length);
}

const rotatedValues = { id: "rope", options: { rotatedValues: true } };
const rerope = { id: "remapped_rope", options: { method: "rerope", window: 6 } };
const plain = ["rope", "alibi", "t5", "mla", "nope", "forget_gate", "pope"];
for (const scheme of [...plain, rotatedValues, rerope])
  test(`${JSON.stringify(scheme)}: without first tokens, eviction is a window`, async () => {
    const session = (await wf.model({ ...config, scheme })).session({
      eviction: { first: 0, last: 20 },
    });
    await session.append(text);
    assert.equal(session.length, 90);
    const window = await wf.model({ ...config, scheme, slidingWindow: 20 });
    assert.deepEqual(await continued(session), byRuns(window, text, 12));
    assert.equal(session.length, 102);
  });

test("in one layer, the kept tokens are as if they were read afresh", async () => {
  const model = await wf.model({ ...config, numLayers: 1 });
  for (const step of [1, 5]) {
    const session = model.session({ eviction: { first: 3, last: 16, step } });
    await session.append(text);
    const kept = (all) => {
      let count = 0;
      const left = [];
      for (const one of all) {
        if (left.length === 19) left.splice(3, step);
        left.push(one);
        count++;
      }
      assert.equal(count, all.length);
      return left;
    };
    assert.deepEqual(await continued(session), byRuns(model, text, 12, kept), `step ${step}`);
  }
});

test("a text that changes among evicted tokens is read again", async () => {
  const model = await wf.model(config);
  const eviction = { first: 2, last: 18 };
  const session = model.session({ eviction });
  const end = async (tokens) => {
    for (;;) {
      const { done, value } = await tokens.next();
      if (done) return value;
    }
  };
  const likeliest = { temperature: 0, maxTokens: 3 };
  assert.equal((await end(session.generate(text, likeliest))).readTokens, 90);
  const longer = [...session.ids(), 1, 2];
  assert.equal((await end(session.generate(longer, likeliest))).readTokens, 3);
  const other = [...text.slice(0, 40), 9, ...text.slice(40)];
  assert.equal((await end(session.generate(other, likeliest))).readTokens, 89);
  const afresh = model.session({ eviction });
  await end(afresh.generate(other, likeliest));
  assert.deepEqual(session.ids(), afresh.ids());
  session.truncate(1);
  assert.deepEqual(session.ids(), text.slice(0, 1));
  const fork = afresh.fork();
  assert.deepEqual(await continued(fork), await continued(afresh));
});

test("memory does not grow with the text", async () => {
  const session = (await wf.model(config)).session({ eviction: { last: 60, step: 20 } });
  await session.append(text);
  const before = session.memoryBytes;
  for (let n = 0; n < 40; n++) await session.append(text);
  assert.ok(session.memoryBytes <= before, `${session.memoryBytes}`);
  assert.equal(session.length, 41 * 90);
});

test("in a worker, too", async (context) => {
  const far = await loadWorker();
  context.after(() => far.dispose());
  const eviction = { first: 2, last: 18 };
  const session = await (await far.model(config)).session({ eviction });
  const near = (await wf.model(config)).session({ eviction });
  await session.append(text);
  await near.append(text);
  assert.deepEqual(await continued(session), await continued(near));
});

test("schemes that read positions, and lengths that change frequencies, are refused", async () => {
  const refused = async (scheme, eviction, code, message) => {
    const model = await wf.model({ ...config, scheme });
    assert.throws(
      () => model.session({ eviction }),
      (error) => {
        assert.equal(error.code, code);
        assert.match(error.message, message);
        return true;
      },
    );
  };
  const last = { last: 20 };
  await refused({ id: "learned" }, last, "unsupported", /^eviction: scheme learned /);
  await refused({ id: "sinusoidal" }, last, "unsupported", /^eviction: scheme sinusoidal /);
  const ropeScaling = { ropeType: "dynamic", factor: 2 };
  const dynamic = { id: "rope", options: { maxPositionEmbeddings: 16, ropeScaling } };
  await refused(dynamic, last, "unsupported", /^eviction.last: 20 .*at most 12/);
  const rope = { id: "rope" };
  await refused(rope, {}, "invalid_argument", /^eviction.last: undefined /);
  await refused(rope, { last: 4, step: 5 }, "invalid_argument", /^eviction.step: 5 /);
  await refused(rope, { first: -1, last: 4 }, "invalid_argument", /^eviction.first: -1 /);
  await refused(rope, { last: 4, sinks: 4 }, "unknown_option", /sinks/);
  await refused(rope, 4, "invalid_argument", /^eviction: 4 /);
});

after(() => wf.dispose?.());

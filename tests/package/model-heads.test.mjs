// model.heads: the measures are those of the maps that `run` records, over one text or several, on
// this thread and in a worker.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { load } from "whereformer";
import { load as loadWorker } from "whereformer/worker";

const config = {
  vocabSize: 24,
  hiddenSize: 32,
  numLayers: 2,
  numHeads: 4,
  numKvHeads: 2,
  intermediateSize: 48,
  scheme: { id: "rope" },
  seed: 3,
  initializerRange: 0.3,
};
const idsOf = (length, step) => Array.from({ length }, (_, i) => (i * step + (i >> 2)) % 24);
const texts = [idsOf(40, 5), idsOf(60, 7)];

let wf;
let model;
before(async () => {
  wf = await load();
  model = await wf.model(config);
});
after(() => model.dispose());

const close = (found, wanted, tolerance, what) =>
  assert.ok(Math.abs(found - wanted) <= tolerance, `${what}: ${found} for ${wanted}`);
const meanOf = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;

/** The measures of a head, from its map [T,T], by their definitions. */
function measured(ids, weights) {
  const count = ids.length;
  const of = (i, j) => weights[i * count + j];
  const rows = ids.map((_, i) => i);
  const earlier = (i) => rows.slice(0, i).filter((j) => ids[j] === ids[i]);
  const shareOf = (rowsAsked, columns) =>
    meanOf(rowsAsked.map((i) => columns(i).reduce((sum, j) => sum + of(i, j), 0)));
  const repeated = rows.filter((i) => earlier(i).length);
  const overKeys = (value) =>
    meanOf(rows.map((i) => rows.slice(0, i + 1).reduce((sum, j) => sum + value(i, j), 0)));
  return {
    previous: shareOf(rows.slice(1), (i) => [i - 1]),
    self: shareOf(rows, (i) => [i]),
    first: shareOf(rows.slice(1), () => [0]),
    same: shareOf(repeated, earlier),
    induction: shareOf(repeated, (i) => earlier(i).map((j) => j + 1)),
    nobody: 0,
    entropy: overKeys((i, j) => (of(i, j) > 0 ? -of(i, j) * Math.log2(of(i, j)) : 0)),
    distance: overKeys((i, j) => of(i, j) * (i - j)),
  };
}

const mapsOf = (ids) => {
  const { weights } = model.run(ids, { record: ["weights"] });
  const size = ids.length ** 2;
  return (layer, head) => weights.data.subarray((layer * 4 + head) * size).subarray(0, size);
};

test("measures of all heads are those of their maps", () => {
  const [ids] = texts;
  const { measures, curve, pairs, layers, heads, texts: count, tokens } = model.heads(ids);
  assert.deepEqual([layers, heads, count, tokens], [[0, 1], [0, 1, 2, 3], 1, 40]);
  const map = mapsOf(ids);
  for (const layer of layers)
    for (const head of heads) {
      const cell = layer * 4 + head;
      const weights = map(layer, head);
      for (const [name, wanted] of Object.entries(measured(ids, weights)))
        close(measures[name].mean.data[cell], wanted, 1e-4, `${layer} ${head} ${name}`);
      for (const { spread } of Object.values(measures)) assert.equal(spread.data[cell], 0);
      for (const back of [0, 1, 9, 39]) {
        const column = Array.from({ length: 40 - back }, (_, i) => weights[(i + back) * 40 + i]);
        close(curve.data[cell * 40 + back], meanOf(column), 1e-5, `${back} back`);
      }
    }
  assert.deepEqual(
    [curve.shape, pairs.shape],
    [
      [2, 4, 40],
      [2, 4, 4],
    ],
  );
  assert.ok(pairs.data.every((length) => length > 0));
});

test("several texts have a mean and a spread; layers, heads and distances can be chosen", () => {
  const each = texts.map((ids) => model.heads(ids).measures.previous.mean.data);
  const { measures, tokens, curve, layers, heads } = model.heads(texts, {
    layers: [1],
    heads: [0, 2],
    maxDistance: 9,
  });
  assert.deepEqual([layers, heads, tokens, curve.shape], [[1], [0, 2], 100, [1, 2, 10]]);
  const { mean, spread } = measures.previous;
  assert.deepEqual(mean.shape, [1, 2]);
  for (const [index, cell] of [4, 6].entries()) {
    const [a, b] = each.map((data) => data[cell]);
    close(mean.data[index], (a + b) / 2, 1e-6, "mean");
    close(spread.data[index], Math.abs(a - b) / Math.SQRT2, 1e-6, "spread");
  }
});

test("a measure that a text does not define is NaN, and does not count in a mean", () => {
  const distinct = [1, 2, 3, 4];
  const alone = model.heads(distinct).measures.same.mean.data;
  assert.ok(alone.every(Number.isNaN));
  const both = model.heads([distinct, texts[0]]).measures.same;
  assert.deepEqual(both.mean.data, model.heads(texts[0]).measures.same.mean.data);
});

test("equal tokens under ALiBi differ by position alone; without a scheme by nothing", async () => {
  const same = Array.from({ length: 30 }, () => 5);
  const positional = async (scheme) => {
    const other = await wf.model({ ...config, scheme });
    const { mean } = other.heads(same).measures.positional;
    other.dispose();
    return mean.data;
  };
  for (const share of await positional({ id: "alibi" })) close(share, 1, 1e-3, "alibi");
  const mixed = await wf.model({ ...config, scheme: [] });
  for (const share of mixed.heads(texts[0]).measures.positional.mean.data)
    close(share, 0, 1e-3, "nope");
  mixed.dispose();
});

test("a long text needs no memory for its maps", async () => {
  const ids = idsOf(3000, 11);
  // All maps together are 288 MB.
  const before = process.memoryUsage().arrayBuffers + process.memoryUsage().external;
  const { measures } = model.heads(ids);
  const grown = process.memoryUsage().arrayBuffers + process.memoryUsage().external - before;
  assert.ok(grown < 60e6, `${grown} bytes`);
  assert.ok(measures.entropy.mean.data.every((bits) => bits > 0 && bits < Math.log2(3000)));
});

test("an encoder's heads are measured too; arguments are checked", async () => {
  const encoder = await wf.model({ ...config, isCausal: false, scheme: { id: "t5" } });
  const { mean } = encoder.heads(texts[0]).measures.distance;
  const { weights } = encoder.run(texts[0], { record: ["weights"] });
  for (let cell = 0; cell < 8; cell++) {
    const rows = Array.from({ length: 40 }, (_, i) =>
      Array.from(weights.data.subarray((cell * 40 + i) * 40, (cell * 40 + i + 1) * 40)).reduce(
        (sum, w, j) => sum + w * Math.abs(i - j),
        0,
      ),
    );
    close(mean.data[cell], meanOf(rows), 1e-3, "distance");
  }
  encoder.dispose();
  const refused = (call, message) =>
    assert.throws(call, ({ code, message: said }) => {
      assert.equal(code, "invalid_argument");
      assert.match(said, message);
      return true;
    });
  refused(() => model.heads([]), /^input\.length: 0 /);
  refused(() => model.heads([[1, 2], [24]]), /^input\[1\]\[0\]: 24 /);
  refused(() => model.heads([1], { layers: [2] }), /^layers\[0\]: 2 /);
  refused(() => model.heads([1], { heads: [1, 1] }), /^heads/);
  refused(() => model.heads([1], { maxDistance: -1 }), /^maxDistance: -1 /);
  assert.throws(() => model.heads([1], { head: [1] }), { code: "unknown_option" });
});

test("shares of pairs, and of what does not rotate, add up to one", async () => {
  const half = await wf.model({
    ...config,
    scheme: { id: "rope", options: { partialRotaryFactor: 0.5 } },
  });
  const [ids] = texts;
  const { pairShares, pairs } = half.heads(ids);
  assert.deepEqual(
    [pairShares.shape, pairs.shape],
    [
      [2, 4, 2],
      [2, 4, 2],
    ],
  );
  const record = ["logits", "maskedLogits", "pairs"];
  const { logits, maskedLogits, pairs: parts } = half.run(ids, { record });
  const rows = ids.map((_, i) => i);
  for (let cell = 0; cell < 8; cell++) {
    let [variance, other] = [0, 0];
    const shares = [0, 0];
    for (const i of rows) {
      const at = (cell * 40 + i) * 40;
      const visible = rows.filter((j) => Number.isFinite(maskedLogits.data[at + j]));
      const of = visible.map((j) => logits.data[at + j]);
      const mean = meanOf(of);
      const covariance = (part) => visible.reduce((sum, j, n) => sum + part(j) * (of[n] - mean), 0);
      variance += covariance((j) => logits.data[at + j]);
      shares.forEach((_, p) => {
        shares[p] += covariance((j) => parts.data[(at + j) * 2 + p]);
      });
      other += covariance(
        (j) => logits.data[at + j] - parts.data[(at + j) * 2] - parts.data[(at + j) * 2 + 1],
      );
    }
    for (const [p, share] of shares.entries())
      close(pairShares.data[cell * 2 + p], share / variance, 1e-3, `pair ${p}`);
    close(shares[0] + shares[1] + other, variance, 1e-3 * variance, "sum");
  }
  assert.ok(half.heads([7]).pairShares.data.every(Number.isNaN));
  assert.deepEqual(half.heads([[7], ids]).pairShares, pairShares);
  half.dispose();
});

test("in a worker progress counts tokens", async (context) => {
  const remote = await loadWorker();
  context.after(() => remote.dispose());
  const far = await remote.model(config);
  const steps = [];
  const onProgress = (done, total) => steps.push([done, total]);
  const found = await far.heads(texts, { maxDistance: 5 }, { onProgress });
  assert.deepEqual(found, model.heads(texts, { maxDistance: 5 }));
  // 40 and 60 tokens, through two layers each.
  assert.deepEqual(
    steps,
    [0, 20, 40, 70, 100].map((done) => [done, 100]),
  );
});

test("in a worker an abort takes effect within a text", async (context) => {
  const remote = await loadWorker();
  context.after(() => remote.dispose());
  const long = idsOf(6000, 11);
  const far = await remote.model({ ...config, numLayers: 1 });
  const control = new AbortController();
  let reported = 0;
  const running = far.heads(
    long,
    {},
    {
      signal: control.signal,
      onProgress: (done) => {
        reported = done;
        control.abort();
      },
    },
  );
  await assert.rejects(running, { code: "aborted" });
  assert.ok(reported < 6000, `${reported} tokens`);
  // The worker is free, and the model as before.
  const { ids } = await far.run([1, 2, 3]);
  assert.deepEqual(ids, [1, 2, 3]);
});

// Texts with padding, compared with Transformers (tests/golden/families/padding.json), with and
// without an attention mask.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load as loadWorker } from "../../dist/worker.js";
import { familyFile, modelOf, textOfDecoder } from "./families.mjs";
import { near, refused, rejected, wf } from "./golden.mjs";

const padding = new URL("../golden/families/padding.json", import.meta.url);
const { attentionMask, models } = JSON.parse(readFileSync(padding, "utf8"));

/** Returns two rows of a run's result. */
function rowsOf({ data, shape: [, width] }, rows) {
  return rows.map((row) => [...data.subarray(row * width, (row + 1) * width)]);
}

for (const [name, { ids, rows, masked, unmasked }] of Object.entries(models))
  test(`${name}: tokens that are no padding equal Transformers, masked or not`, async () => {
    const file = familyFile(name);
    const model = await modelOf(wf, file);
    const output = file.output === "hidden" ? "hidden" : "vocabularyLogits";
    const run = (options) =>
      model.run(ids, { record: [output], ...textOfDecoder(file).decoderTokens, ...options })[
        output
      ];
    const compared = [
      ["masked", run({ attentionMask }), masked],
      ["unmasked", run(), unmasked],
    ];
    for (const [said, result, expected] of compared)
      rowsOf(result, rows).forEach((row, i) => {
        near(row, expected[i], 2e-4, `${said}, row ${rows[i]}`);
      });
    model.dispose();
  });

test("a lone encoder, a bent model and a worker accept the mask too", async (context) => {
  const file = familyFile("t5");
  const model = await modelOf(wf, file);
  const { ids } = models.t5;
  const record = ["hidden", "weights"];
  const own = model.encode(ids, { record, attentionMask });
  attentionMask.forEach((seen, column) => {
    const { data } = own.weights;
    const sum = data.reduce((all, x, i) => all + (i % ids.length === column ? x : 0), 0);
    assert.equal(sum > 0, seen === 1, String(column));
  });
  const { cross } = model.run(ids, { record: ["weights"], attentionMask });
  attentionMask.forEach((seen, column) => {
    assert.equal(cross.weights.data[column] > 0, seen === 1, String(column));
  });
  const remote = await loadWorker({ variant: "simd" });
  context.after(() => remote.dispose());
  const far = await modelOf(remote, file);
  assert.deepEqual((await far.encode(ids, { record, attentionMask })).hidden, own.hidden);
  const llama = await modelOf(wf, familyFile("llama"));
  const bent = llama.bend({ ropeTheta: 5e4 });
  const masked = bent.run(models.llama.ids, { record: ["hidden"], attentionMask }).hidden;
  const whole = bent.run(models.llama.ids, { record: ["hidden"] }).hidden;
  assert.notDeepEqual(masked.data, whole.data);
});

test("a mask that hides nothing changes nothing; without keys there are no weights", async () => {
  const model = await modelOf(wf, familyFile("roberta"));
  const { ids } = familyFile("roberta");
  const record = ["hidden", "weights"];
  const all = ids.map(() => 1);
  for (const mask of [all, Uint8Array.from(all), Int32Array.from(all)])
    assert.deepEqual(model.run(ids, { record, attentionMask: mask }), model.run(ids, { record }));
  const causal = await modelOf(wf, familyFile("llama"));
  const left = [0, 0, 1];
  const { weights } = causal.run([5, 6, 7], { record: ["weights"], attentionMask: left });
  assert.deepEqual([...weights.data.subarray(0, 9)], [0, 0, 0, 0, 0, 0, 0, 0, 1]);
});

test("padding uses no row of RoBERTa's table, and given positions are kept", async () => {
  const file = familyFile("roberta");
  const model = await modelOf(wf, file);
  const most = file.config.max_position_embeddings - 2;
  const text = Array.from({ length: most }, (_, i) => 3 + (i % 9));
  const record = ["hidden"];
  refused(() => model.run([...text, 5], { record }), "invalid_argument", /positions/);
  const alone = model.run(text, { record }).hidden.data;
  const padded = [1, 1, ...text];
  const attentionMask = padded.map((id) => Number(id !== 1));
  const { data, shape } = model.run(padded, { record, attentionMask }).hidden;
  near([...data.subarray(2 * shape[1])], [...alone], 1e-5);
  const positions = [0, 1, 2];
  const plain = model.run([5, 1, 6], { record, positions }).hidden.data;
  assert.notDeepEqual(plain, model.run([5, 1, 6], { record }).hidden.data);
  const counted = model.run([5, 1, 6], { record, positions: [0, -1, 1] }).hidden.data;
  assert.deepEqual(counted, model.run([5, 1, 6], { record }).hidden.data);
});

test("a mask of another length, without any token or with other numbers is refused", async () => {
  const model = await modelOf(wf, familyFile("bert"));
  for (const [mask, message] of [
    [[1, 1], /^attentionMask\.length: 2 \(expected 3/],
    [[0, 0, 0], /^attentionMask: \[0, 0, 0\] \(expected a mask with at least one 1/],
    [[1, 2, 1], /^attentionMask\[1\]: 2 \(expected an integer from 0 to 1/],
    ["111", /^attentionMask: "111"/],
  ])
    refused(() => model.run([3, 4, 5], { attentionMask: mask }), "invalid_argument", message);
  refused(() => model.loss([3, 4], { attentionMask: [1, 1] }), "unknown_option", /attentionMask/);
  const two = await modelOf(wf, familyFile("t5"));
  refused(() => two.run([3, 4], { attentionMask: [1] }), "invalid_argument", /length: 1/);
  await rejected(
    (async () => two.encode([3, 4], { attentionMask: [1] }))(),
    "invalid_argument",
    /length: 1/,
  );
});

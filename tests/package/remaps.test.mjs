// model.bend({ remap }): models of several families with other positions for distant keys, compared
// with Transformers (tests/golden/families/remaps.json).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { familyFile, modelOf } from "./families.mjs";
import { near, refused, wf } from "./golden.mjs";

const file = new URL("../golden/families/remaps.json", import.meta.url);
const { models, options, rows } = JSON.parse(readFileSync(file, "utf8"));

const record = ["vocabularyLogits"];
function rowsOf({ vocabularyLogits: { data, shape } }) {
  return rows.map((row) => [...data.subarray(row * shape[1], (row + 1) * shape[1])]);
}
const bendTo = (method) =>
  method === "none" ? { positions: "none" } : { remap: { method, ...options[method] } };

describe("a bent model equals Transformers", () => {
  for (const [name, { ids, logits }] of Object.entries(models))
    test(name, async () => {
      const model = await modelOf(wf, familyFile(name));
      for (const [method, expected] of Object.entries(logits)) {
        const found = rowsOf(model.bend(bendTo(method)).run(ids, { record }));
        found.forEach((row, i) => {
          near(row, expected[i], 2e-4, `${method}, row ${rows[i]}`);
        });
      }
      model.dispose();
    });
});

test("the term of the remapping is all that a bend changes, and only in its layers", async () => {
  const { ids } = models.llama;
  const model = await modelOf(wf, familyFile("llama"));
  const bent = model.bend({ remap: { method: "self_extend", window: 6, group: 3 }, layers: [1] });
  const kinds = ["terms", "logits", "vocabularyLogits"];
  const [was, is] = [model, bent].map((one) => one.run(ids, { record: kinds }));
  const { remapping, rotation, content } = is.terms;
  const layer = remapping.data.length / 2;
  const amount = (numbers) => numbers.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  assert.equal(amount(remapping.data.subarray(0, layer)), 0);
  assert.ok(amount(remapping.data.subarray(layer)) > 0.01);
  const sums = remapping.data.map((x, i) => x + rotation.data[i] + content.data[i]);
  near([...sums], [...is.logits.data], 1e-5);
  const undone = [...bent.surgery, { zero: ["remapping"], layers: [1] }];
  const same = model.run(ids, { record, surgery: undone }).vocabularyLogits.data;
  near([...same], [...was.vocabularyLogits.data], 1e-5);
});

test("a window as long as the text changes nothing; a base applies to all distances", async () => {
  const { ids } = models.llama;
  const model = await modelOf(wf, familyFile("llama"));
  const { mean } = model.loss(ids);
  const remap = { method: "rerope", window: ids.length };
  near([model.bend({ remap }).loss(ids).mean], [mean], 1e-6);
  const based = model.bend({ ropeTheta: 40 }).loss(ids).mean;
  near([model.bend({ remap, ropeTheta: 40 }).loss(ids).mean], [based], 1e-6);
  const twice = { surgery: model.bend({ remap: { ...remap, window: 4 } }).surgery };
  assert.notEqual(model.loss(ids, twice).mean, mean);
});

describe("a bend is refused, with the reason, for", () => {
  const remap = { method: "rerope", window: 4 };
  const cases = [
    ["gpt2", /no layer rotates/],
    ["deepseek_v2", /^remap: "mla" \(expected layers of plain RoPE/],
  ];
  for (const [name, reason] of cases)
    test(name, async () => {
      const model = await modelOf(wf, familyFile(name));
      refused(() => model.bend({ remap }), "unsupported", reason);
    });

  test("an encoder, whose keys after the query have no such positions", async () => {
    const model = await modelOf(wf, familyFile("eurobert"));
    const bent = model.bend({ remap });
    refused(() => bent.run([1, 2, 3]), "unsupported", /remapped_rope/);
  });

  test("options that are unknown or missing", async () => {
    const model = await modelOf(wf, familyFile("llama"));
    const sized = { ...remap, size: 4 };
    refused(() => model.bend({ remap: sized }), "unknown_option", /^remap: unknown option "size"/);
    refused(() => model.bend({ remap: { window: 4 } }), "invalid_argument", /^remap.method/);
    const unknown = model.bend({ remap: { method: "stretch" } });
    refused(() => unknown.run([1, 2]), "invalid_argument", /method.*self_extend/);
    const short = model.bend({ remap: { method: "dual_chunk", window: 8, chunk: 8 } });
    refused(() => short.run([1, 2]), "invalid_argument", /chunk: 8 .*more than window, 8/);
  });
});

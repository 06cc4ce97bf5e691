// The gallery worker's answers for schemes with other options than their defaults, without a
// browser.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { openSources } from "./sources.mjs";

const { load } = await import(fileURLToPath(new URL("../../dist/index.js", import.meta.url)));

let sources;
let wf;
let portrait;
before(async () => {
  sources = await openSources();
  wf = await load();
  ({ portrait } = await sources.load("/engine/worker/portrait.ts"));
});
after(() => sources.close());

const ask = (scheme, options = {}) =>
  portrait(wf, { scheme, options, tokens: ["a", "b", "c", "d"], isDetailed: true });

/**
 * Returns sets of options with one change each: every choice but the default, every switch
 * inverted.
 */
const settingsOf = ({ options }) =>
  options.flatMap(({ key, kind, choices, default: usual }) => {
    if (kind === "boolean") return [{ [key]: !usual }];
    return (choices ?? []).filter((word) => word !== usual).map((word) => ({ [key]: word }));
  });

test("every choice and each switch has an answer, or is refused with a reason", async () => {
  for (const description of wf.schemes) {
    for (const options of settingsOf(description)) {
      const name = `${description.id} ${JSON.stringify(options)}`;
      let answer;
      try {
        answer = await ask(description.id, options);
      } catch ({ code, message }) {
        assert.equal(code, "invalid_argument", `${name}: ${message}`);
        continue;
      }
      const { record, numHeads, labels, cost } = answer;
      assert.equal(record.logits.length, numHeads * labels.length ** 2, name);
      assert.ok(record.logits.every(Number.isFinite), name);
      const sum = record.logits.map((_, index) =>
        Object.values(record.terms).reduce((total, term) => total + term[index], 0),
      );
      record.logits.forEach((logit, index) => {
        assert.ok(Math.abs(sum[index] - logit) < 1e-3, `${name}: ${sum[index]} and ${logit}`);
      });
      assert.ok(cost.cacheBytes > 0, name);
    }
  }
});

test("the kind of picture of a scheme depends on its options", async () => {
  const kind = async (...question) => {
    const { picture } = await ask(...question);
    return picture.what ?? picture.kind;
  };
  // Queries and keys are normalised, which rotates nothing.
  assert.equal(await kind("swin", { version: "v2" }), "bias");
  // Added in every layer after the layer's projections, so there is no encoding to show.
  assert.equal(await kind("sinusoidal_2d", { layout: "detr" }), "attention");
  assert.equal(await kind("sinusoidal_2d"), "encoding");
  assert.equal(await kind("rope_2d"), "rotation");
});

test("some options limit a scheme's length: by a table, a window or overflow", async () => {
  const { endsSomewhere } = await sources.load("/engine/worker/ends.ts");
  const ends = (scheme, options = {}, far = 999_999) => endsSomewhere(wf, { scheme, options }, far);
  const found = wf.schemes.map(({ id }) => id).filter((id) => ends(id));
  assert.deepEqual(found, ["one_hot", "learned", "xpos", "learned_2d", "swin"]);
  assert.equal(ends("learned", { maxPositions: 1000 }, 999), false);
  assert.equal(ends("learned", { maxPositions: 999 }, 999), true);
  assert.equal(ends("swin", { version: "v2" }), false);
  assert.equal(ends("shaw", { clips: false }), true);
});

test("answers for all schemes can be requested at once", async () => {
  const answers = await Promise.all(wf.schemes.map(({ id }) => ask(id)));
  assert.deepEqual(
    answers.map(({ scheme }) => scheme),
    wf.schemes.map(({ id }) => id),
  );
});

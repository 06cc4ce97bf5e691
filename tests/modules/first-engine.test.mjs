// The small binary that answers the first figures gives the same results as the full one.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { makeFirstEngine } from "../../build/modules/api/first-engine.js";
import { load } from "../../dist/index.js";
import { openSources } from "./sources.mjs";

const variants = ["simd", "relaxed"];
const bytesOf = (path) => readFileSync(new URL(`../../${path}`, import.meta.url));
const wholeEngine = (variant) => load({ wasm: bytesOf(`dist/${variant}.wasm`), variant });
const firstEngine = async (variant) =>
  makeFirstEngine(
    await WebAssembly.compile(bytesOf(`build/first-engine/${variant}.wasm`)),
    variant,
  );

let sources;
let questions;
let defaults;
before(async () => {
  sources = await openSources();
  questions = await sources.load("/engine/worker/first-questions.ts");
  defaults = await sources.load("/defaults.ts");
});
after(() => sources.close());

/** Returns the answers that the first figures show, for several texts. */
async function answersOf(wf) {
  const { pair, order } = questions.firstAnswers((_, use) => use(wf));
  const answers = [];
  for (const idsA of [
    [9, 4, 7],
    [3, 1, 4, 1, 5, 9, 2, 6],
    Array.from({ length: 12 }, (_, i) => 20 * i),
  ]) {
    const texts = { idsA, idsB: [...idsA].reverse() };
    const places = idsA.map((_, index) => idsA.length - 1 - index);
    for (const scheme of [defaults.blindScheme, defaults.sightedScheme])
      answers.push(await pair({ ...texts, order: places, scheme }));
    answers.push(await order({ ...texts, seed: 17 }));
  }
  return answers;
}

for (const variant of variants) {
  test(`${variant}: its answers equal those of the full engine to the last bit`, async () => {
    const [first, whole] = await Promise.all([firstEngine(variant), wholeEngine(variant)]);
    assert.deepEqual(await answersOf(first), await answersOf(whole));
  });

  test(`${variant}: missing parts are typed errors, and it is less than 0.4 as large`, async () => {
    const first = await firstEngine(variant);
    await assert.rejects(
      async () => {
        const model = await first.model({ ...defaults.chaseModel, scheme: "t5" });
        model.run([1, 2, 3]);
      },
      { name: "WhereformerError", code: "internal" },
    );
    const sizes = ["build/first-engine", "dist"].map(
      (folder) => bytesOf(`${folder}/${variant}.wasm`).length,
    );
    assert.ok(sizes[0] < 0.4 * sizes[1], String(sizes));
  });
}

test("only questions that the small binary can answer are sent to it", async () => {
  const asked = [];
  const { pair, order } = questions.firstAnswers((canBeFirst) => {
    asked.push(canBeFirst);
    return Promise.resolve();
  });
  for (const scheme of [defaults.blindScheme, defaults.sightedScheme, "alibi"])
    await pair({ idsA: [], idsB: [], order: [], scheme });
  await order({ idsA: [], idsB: [], seed: 1 });
  assert.deepEqual(asked, [true, true, false, true]);
});

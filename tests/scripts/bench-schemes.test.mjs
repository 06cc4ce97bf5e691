// The summary that npm run bench:schemes computes from its measurements.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { lengthText, paperText } from "../../bench/schemes/lengths.mjs";
import { withPart } from "../../bench/schemes/page.mjs";
import { baseOf, optionsAt, planOf } from "../../bench/schemes/plan.mjs";
import { Findings, operationsOf, summaryOf } from "../../bench/schemes/summary.mjs";
import { measuredText } from "../../bench/schemes/tables.mjs";

const plan = {
  inference: [8],
  training: [4],
  decoding: { prompt: 8, tokens: 5 },
  tokensOfStep: 8,
  rounds: {},
  model: { num_hidden_layers: 2, hidden_size: 6, num_attention_heads: 2, head_dim: 3 },
  vocabulary: 10,
  schemes: { plain: [{ id: "plain", options: {} }], dear: [{ id: "dear", options: {} }] },
};
const cost = (layerFlops) => ({ onceFlops: 7, layerFlops, modelParameters: 0, layerParameters: 0 });

/** Makes results of both schemes, in rounds of which every second one is twice as slow. */
function someFindings() {
  const findings = new Findings(plan);
  findings.take("package", { work: "machine", node: "20", variant: "simd" });
  for (const [scheme, layer] of [
    ["plain", 0],
    ["dear", 100],
  ])
    findings.take("package", {
      work: "formula",
      scheme,
      parameterCount: 50 + layer / 10,
      trained: layer / 10,
      cacheFloats: 12,
      costs: { 8: cost(layer), 4: cost(layer) },
    });
  const rounds = [1, 2, 1].map((slow) => ({ plain: 2 * slow, dear: 3 * slow }));
  findings.take("package", { work: "inference", length: 8, rounds });
  for (const round of rounds)
    findings.take("native", { work: "inference", length: 8, rounds: [round] });
  for (const place of ["package", "native"])
    findings.take(place, { work: "training", length: 4, rounds });
  const writing = { "plain:one": 1, "plain:all": 11, "dear:one": 5, "dear:all": 10 };
  findings.take("package", { work: "decoding", length: 8, rounds: [writing] });
  findings.take("package", { work: "trainingMemory", length: 4, bytes: { plain: 1e6, dear: 2e6 } });
  findings.take("package", {
    work: "inferenceMemory",
    length: 8,
    bytes: { plain: 3e6, dear: 4e6 },
  });
  return findings;
}

test("every scheme of the recipe is measured, with a table as long as the text", () => {
  const recipe = JSON.parse(
    readFileSync(new URL("../../models/recipe.json", import.meta.url), "utf8"),
  );
  for (const isQuick of [true, false])
    assert.deepEqual(Object.keys(planOf({ isQuick }).schemes), Object.keys(recipe.schemes));
  assert.equal(baseOf(planOf({ isQuick: true })), "nope");
  assert.deepEqual(optionsAt({ maxPositions: 5, other: 1 }, 9), { maxPositions: 9, other: 1 });
  assert.deepEqual(optionsAt({ other: 1 }, 9), { other: 1 });
  assert.deepEqual(optionsAt({ maxPositions: 5 }), { maxPositions: 5 });
});

test("ratios are formed inside rounds; decoding excludes the first token", () => {
  const findings = someFindings();
  assert.deepEqual(findings.medians("package", "inference", 8), {
    plain: { ms: 2, ratio: 1 },
    dear: { ms: 3, ratio: 1.5 },
  });
  assert.deepEqual(
    findings.medians("native", "inference", 8),
    findings.medians("package", "inference", 8),
  );
  assert.deepEqual(findings.medians("package", "decoding", 8).dear, { ms: 1, ratio: 0.5 });
  assert.equal(findings.medians("native", "decoding", 8), undefined);
});

test("the formula counts products with weights, visible keys and the scheme's operations", () => {
  const { formulas } = someFindings();
  const products = 2 * 8 * 50;
  const attention = 2 * 4 * 6 * ((8 * 9) / 2);
  assert.equal(operationsOf(plan, formulas.plain, 8), products + attention + 7);
  assert.equal(operationsOf(plan, formulas.dear, 8), products + attention + 7 + 200);
});

test("the tables give milliseconds of the first scheme and ratios of the others", () => {
  const facts = {
    command: "c",
    commit: "abc",
    date: "2026-01-02",
    cpu: "chip",
    cores: 2,
    seconds: 3,
  };
  const summary = summaryOf(someFindings(), facts);
  const text = measuredText(summary, (name) => name.toUpperCase());
  const ratio = (
    operationsOf(plan, someFindings().formulas.dear, 8) /
    operationsOf(plan, someFindings().formulas.plain, 8)
  ).toFixed(2);
  assert.match(text, /\| PLAIN, ms \| 2\.00 \| 2\.00 \| 2\.00 \|/);
  assert.ok(text.includes(`| DEAR | 1.50 (${ratio}) | 0.50 | 1.50 (`), text);
  assert.match(text, /\| DEAR \| 10 \| 7 \| 100 \| 48 \| 2\.0 \| 4\.0 \|/);
  assert.match(text, /Medians of at least 1 rounds/);
  assert.doesNotMatch(text, /NaN|undefined/);
});

test("a part of the page is replaced between its marks, and only there", () => {
  const mark = "<!-- begin a: written by npm run bench:schemes -- --write -->";
  const page = `before\n${mark}\nold\n<!-- end a -->\nafter`;
  assert.equal(withPart(page, "a", "new\n"), `before\n${mark}\n\nnew\n\n<!-- end a -->\nafter`);
  assert.throws(() => withPart("nothing", "a", "new"), /lost its marks/);
  const real = readFileSync(new URL("../../docs/costs.md", import.meta.url), "utf8");
  for (const name of ["measured", "formulas", "lengths", "paper"]) withPart(real, name, "x");
});

test("our curves are beside the paper's, and undefined values are marked as such", () => {
  assert.match(lengthText(undefined), /has not been run/);
  const seeds = (...scores) => ({ 1: { en: scores, zh: scores }, 2: { en: scores, zh: scores } });
  const lengths = {
    plan: {
      small: { model: { num_hidden_layers: 2, hidden_size: 64, num_attention_heads: 4 } },
      length: { multiples: [1, 2], training: { length: 64, steps: 9, batch: 3 } },
    },
    results: {
      sinusoidal: seeds(2, 2.75),
      rope: seeds(2, null),
      t5: seeds(2, 2),
      alibi: seeds(2, 1.9),
    },
  };
  const text = lengthText(lengths, (name) => name);
  assert.match(text, /\| sinusoidal \| 2\.000 ± 0\.000 \| 2\.750 ± 0\.000 \|/);
  assert.match(text, /\| ours \| 2 × \| \+0\.75 \| not defined \| \+0\.00 \| −0\.10 \|/);
  // log2(43.54 / 20.05), from the paper's Table 2.
  assert.match(
    text,
    /\| paper, trained on 512 \| 2\.0 × \| \+1\.12 \| \+0\.09 \| −0\.06 \| −0\.08 \|/,
  );
  assert.match(paperText(), /\| 512 \| training, × as long \| 1\.00 \| 1\.43 \| 1\.98 \| 1\.01 \|/);
});

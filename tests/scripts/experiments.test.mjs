// The committed results of experiments belong to the recipe and the weights, and can be reproduced.

import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/setup/ensure.mjs";
import {
  formatResults,
  planHash,
  Results,
  spread,
  spreadText,
} from "../../scripts/train/experiments.mjs";
import { extensionPlan, rotationsInTraining } from "../../scripts/train/extension.mjs";
import { imagePlan, imageRun } from "../../scripts/train/image.mjs";
import { lengthPlan } from "../../scripts/train/length.mjs";
import { lawful, longropePlan, searchDivisors } from "../../scripts/train/longrope.mjs";
import { probe, probedModels, probesPlan } from "../../scripts/train/probes.mjs";
import {
  kinds,
  modelFolder,
  modelsFolder,
  planRun,
  readJson,
  readRecipe,
  schemesOf,
  sha256,
} from "../../scripts/train/recipe.mjs";

const recipe = readRecipe();
const seeds = recipe.small.seeds.map(String);
const file = (name) => join(modelsFolder, `${name}.json`);
const missing = (path, command) => (existsSync(path) ? false : `not there yet: ${command}`);
const hashOf = (folder) => sha256(readFileSync(join(folder, "model.safetensors")));

test("results are stored one by one, and those of another plan are ignored", () => {
  const name = `test-${process.pid}`;
  const results = new Results(name, { command: "x", plan: { a: 1 }, depth: 2 });
  try {
    results.set(["rope", "1"], { en: [1, null] });
    results.set(["rope", "2"], { en: [3, 4] });
    assert.deepEqual(results.read(), { rope: { 1: { en: [1, null] }, 2: { en: [3, 4] } } });
    const other = new Results(name, { command: "x", plan: { a: 2 }, depth: 2 });
    assert.deepEqual(other.read(), {});
  } finally {
    rmSync(file(name), { force: true });
  }
});

test("finished measurements are kept, and only the others run", async () => {
  const name = `test-again-${process.pid}`;
  const results = new Results(name, { command: "x", plan: 1, depth: 2 });
  const asked = [];
  const work = ([id, seed]) => {
    asked.push(id + seed);
    return Promise.resolve({ result: asked.length, summary: "" });
  };
  try {
    results.set(["a", "1"], 9);
    const paths = [
      ["a", "1"],
      ["b", "1"],
    ];
    assert.deepEqual(await results.complete(paths, work), { a: { 1: 9 }, b: { 1: 1 } });
    assert.deepEqual(asked, ["b1"]);
  } finally {
    rmSync(file(name), { force: true });
  }
});

test("a file of results is JSON with one result on a line", () => {
  const content = { command: "c", results: { rope: { 1: { en: [1, 2] } }, nope: {} } };
  const text = formatResults(content, 2);
  assert.deepEqual(JSON.parse(text), content);
  assert.match(text, /^ {6}"1": \{"en":\[1,2\]\}$/m);
});

test("spread gives the mean and the standard deviation of a sample", () => {
  assert.deepEqual(spread([2, 4, 6]), { mean: 4, deviation: 2 });
  assert.equal(spreadText([2, 4, 6], 1), "4.0 ± 2.0");
  assert.equal(spreadText([2, null], 1), "not defined");
});

test("masked models have one token more than the tokenizer, and attend in both directions", () => {
  const { vocab } = readJson(join(modelsFolder, "tokenizer.json")).model;
  const size = Object.keys(vocab).length;
  for (const id of Object.keys(recipe.masked.schemes)) {
    const { config, training, task } = planRun(recipe, id, {}, "masked");
    assert.equal(task, "masked_language_model");
    assert.equal(config.vocab_size, size + 1);
    assert.equal(config.mask_token_id, size);
    assert.equal(config.is_causal, false);
    assert.ok(!Object.values(vocab).includes(size));
    assert.deepEqual(training, recipe.training);
  }
});

for (const id of Object.keys(recipe.masked.schemes)) {
  const folder = modelFolder("masked", id);
  const skip = missing(
    join(folder, "model.safetensors"),
    `npm run train -- --masked --scheme ${id}`,
  );
  test(`the masked model of ${id} matches its record`, { skip }, () => {
    const record = readJson(join(folder, "training.json"));
    const run = planRun(recipe, id, {}, "masked");
    assert.deepEqual(readJson(join(folder, "config.json")), run.config);
    assert.deepEqual(record.training, run.training);
    assert.equal(record.weightsSha256, hashOf(folder));
    assert.ok(readFileSync(join(folder, "model.safetensors")).length <= 3e6);
  });
}

function checkResults(name, plan, paths, check) {
  const skip = missing(file(name), `npm run ${name}`);
  test(`models/${name}.json belongs to the recipe and is complete`, { skip }, () => {
    const { planSha256, results } = readJson(file(name));
    assert.equal(planSha256, planHash(plan));
    for (const path of paths) {
      const result = path.reduce((inner, key) => inner?.[key], results);
      assert.notEqual(result, undefined, `${path.join(" ")}: npm run ${name}`);
      check?.(result, path);
    }
  });
}

const { multiples } = recipe.length;
checkResults(
  "length",
  lengthPlan(recipe),
  Object.keys(recipe.schemes).flatMap((id) => seeds.map((seed) => [id, seed])),
  (result, [id]) => {
    for (const scores of [result.en, result.zh]) {
      assert.equal(scores.length, multiples.length);
      // Only a table of positions ends at the trained length.
      const hasTable = recipe.length.options[id] !== undefined;
      assert.deepEqual(
        scores.map((score) => score === null),
        multiples.map((multiple) => hasTable && multiple > 1),
      );
    }
  },
);

checkResults(
  "probes",
  probesPlan(recipe),
  Object.keys(recipe.probes.tasks).flatMap((task) =>
    Object.keys(probedModels(recipe, task)).flatMap((id) => seeds.map((seed) => [id, task, seed])),
  ),
  (accuracy, path) => assert.ok(accuracy >= 0 && accuracy <= 1, path.join(" ")),
);

checkResults(
  "extension",
  extensionPlan(recipe),
  Object.keys(recipe.extension.methods).flatMap((method) =>
    recipe.extension.multiples.map((multiple) => [method, String(multiple)]),
  ),
  ({ en, zh }, [, multiple]) => {
    for (const scores of [en, zh]) assert.equal(scores.byPosition.length, Number(multiple));
  },
);

checkResults(
  "longrope",
  longropePlan(recipe),
  recipe.longrope.multiples.map((multiple) => [String(multiple)]),
  ({ divisors, en, zh }, [multiple]) => {
    assert.deepEqual(divisors, lawful(divisors, recipe.longrope.most * Number(multiple)));
    for (const scores of [en, zh]) assert.equal(scores.byPosition.length, Number(multiple));
  },
);

test("the search improves on its starts, stays within its bounds, and is deterministic", () => {
  // The loss is the distance from this list.
  const wanted = [1, 1.5, 2.2, 3.7];
  const lossOf = (list) =>
    list.reduce((sum, divisor, at) => sum + Math.log(divisor / wanted[at]) ** 2, 0);
  const starts = [
    [4, 4, 4, 4],
    [1, 2, 3, 4],
  ];
  const found = searchDivisors(starts, lossOf, recipe.longrope, 4);
  assert.ok(found.loss < lossOf(starts[1]) / 10, `${found.list}: ${found.loss}`);
  assert.deepEqual(found.list, lawful(found.list, 5));
  assert.deepEqual(searchDivisors(starts, lossOf, recipe.longrope, 4), found);
  assert.deepEqual(lawful([0.2, 3.456, 2, 9], 5), [1, 3.46, 3.46, 5]);
});

checkResults(
  "image",
  imagePlan(recipe),
  Object.keys(recipe.image.schemes).flatMap((id) => seeds.map((seed) => [id, seed])),
  ({ weightsSha256 }, [id, seed]) => {
    if (seed !== seeds[0]) return;
    const folder = join(modelsFolder, "image", id);
    assert.equal(weightsSha256, hashOf(folder));
    assert.deepEqual(readJson(join(folder, "config.json")), imageRun(recipe, id, 1).config);
  },
);

for (const kind of kinds) {
  for (const id of Object.keys(schemesOf(recipe, kind))) {
    const folder = modelFolder(kind, id);
    const skip = missing(join(folder, "heads.json"), "npm run heads");
    test(`heads.json of ${kind} ${id} belongs to the weights beside it`, { skip }, () => {
      const { weightsSha256, results } = readJson(join(folder, "heads.json"));
      assert.equal(weightsSha256, hashOf(folder));
      for (const scores of Object.values(results)) {
        for (const [name, { mass, terms }] of Object.entries(scores)) {
          const sum = (list) => list.reduce((total, value) => total + value, 0);
          assert.ok(Math.abs(sum(mass) - 1) < 1e-3, name);
          if (name !== "uniform") assert.ok(Math.abs(sum(Object.values(terms)) - 1) < 1e-3, name);
        }
      }
    });
  }
}

test("ten of sixteen frequencies never make a full rotation in training", () => {
  const turns = rotationsInTraining(planRun(recipe, "rope", {}).config).map(
    (pair) => pair.rotations,
  );
  assert.equal(turns.length, 16);
  assert.ok(Math.abs(turns[0] - 128 / (2 * Math.PI)) < 1e-12);
  assert.equal(turns.filter((count) => count < 1).length, 10);
});

// Where the native trainer is built (npm run train builds it), a result is computed again.
const trainer = missing(join(root, "build", "release", "trainer"), "npm run probes");

test("training a probe again gives the recorded accuracy", {
  skip: trainer || missing(file("probes")),
}, async () => {
  const recorded = readJson(file("probes")).results.rope.copy["1"];
  const { result } = await probe(recipe, "rope", "copy", 1, 1);
  assert.ok(Math.abs(result - recorded) < 0.02, `${result}, recorded ${recorded}`);
});

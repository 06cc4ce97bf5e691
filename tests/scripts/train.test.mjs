// The parts of training outside the native trainer.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { modelOptions } from "../../scripts/train/native-trainer.mjs";
import {
  modelsFolder,
  planRun,
  readJson,
  readRecipe,
  sha256,
} from "../../scripts/train/recipe.mjs";
import { formatRecord, lossCurve, secondsAtWork } from "../../scripts/train/record.mjs";

const recipe = readRecipe();

test("a run by the recipe is no trial; an override makes it one, with a folder of its own", () => {
  const plain = planRun(recipe, "rope", {});
  assert.equal(plain.isTrial, false);
  const trial = planRun(recipe, "rope", { steps: 7, seed: 3 });
  assert.equal(trial.isTrial, true);
  assert.equal(trial.training.steps, 7);
  assert.equal(trial.training.batch, recipe.training.batch);
  assert.notEqual(trial.folder, plain.folder);
  assert.match(trial.folder, /rope-steps-7-seed-3$/);
});

test("a scheme that is not in the recipe is refused with a list of those that are", () => {
  assert.throws(
    () => planRun(recipe, "ropes", {}),
    /--scheme: ropes \(expected one of .*: nope, .*rope, alibi/,
  );
});

test("models differ only in their scheme", () => {
  const [first, ...others] = Object.keys(recipe.schemes).map((id) => planRun(recipe, id, {}));
  for (const { config, training } of others) {
    assert.deepEqual({ ...config, schemes: [] }, { ...first.config, schemes: [] });
    assert.deepEqual(training, first.training);
  }
});

test("options of a scheme are passed to the trainer under their keys", () => {
  const { config } = planRun(recipe, "rope", {});
  const schemes = [{ id: "rope", options: { ropeTheta: 500 } }];
  const options = modelOptions({ ...config, schemes });
  assert.deepEqual(options.slice(0, 2), [
    ["scheme", "rope"],
    ["scheme-option", "ropeTheta:500"],
  ]);
  assert.throws(() => modelOptions({ ...config, schemes: [] }), /has one scheme/);
});

test("time at work is the sum over the parts of an interrupted run", () => {
  const events = [{ seconds: 2 }, { seconds: 5 }, { seconds: 1 }, { seconds: 4 }, { seconds: 3 }];
  assert.equal(secondsAtWork(events), 5 + 4 + 3);
  assert.equal(secondsAtWork([]), 0);
});

test("a loss curve keeps the first point, the last, and about a hundred between them", () => {
  const events = Array.from({ length: 501 }, (_, i) => ({ step: 10 * (i + 1), loss: 8 - i / 100 }));
  const curve = lossCurve(events);
  assert.deepEqual(curve[0], [10, 8]);
  assert.deepEqual(curve.at(-1), [5010, 3]);
  assert.ok(curve.length > 60 && curve.length < 150, `${curve.length} points`);
  assert.equal(lossCurve(events.slice(0, 3)).length, 3);
});

test("a record is JSON with one line for each point of the curve", () => {
  const record = {
    losses: [
      [10, 8.25],
      [20, 7.5],
    ],
    note: "a",
  };
  const text = formatRecord(record);
  assert.deepEqual(JSON.parse(text), record);
  assert.match(text, /^ {4}\[10, 8\.25\],$/m);
});

// Models that are trained and shown, but without a claim about their loss.
const unpromised = ["nope", "integer", "one_hot"];

for (const id of Object.keys(recipe.schemes)) {
  const folder = join(modelsFolder, id);
  test(`the record of ${id} matches its files, and its loss is below the trigram's`, () => {
    const baseline = readJson(join(modelsFolder, "baseline.json"));
    const record = readJson(join(folder, "training.json"));
    const run = planRun(recipe, id, {});
    assert.deepEqual(readJson(join(folder, "config.json")), run.config);
    assert.deepEqual(record.training, run.training);
    assert.equal(record.weightsSha256, sha256(readFileSync(join(folder, "model.safetensors"))));
    const { en, zh } = record.heldOut;
    assert.equal(en.characters, baseline.en.characters);
    assert.equal(zh.characters, baseline.zh.characters);
    assert.equal(zh.hanCharacters, baseline.zh.hanCharacters);
    if (unpromised.includes(id)) return;
    assert.ok(en.bitsPerCharacter < 0.65 * baseline.en.bitsPerCharacter);
    assert.ok(zh.bitsPerCharacter < 0.95 * baseline.zh.bitsPerCharacter);
    assert.ok(zh.hanBitsPerCharacter < 0.98 * baseline.zh.hanBitsPerCharacter);
  });
}

test("beyond the trained length the loss of rope rises and that of alibi does not", () => {
  const change = (id, language) => {
    const { lengths } = readJson(join(modelsFolder, id, "training.json")).heldOut[language];
    assert.equal(lengths.at(-1).length, 8 * lengths[0].length);
    return lengths.at(-1).bitsPerToken - lengths[0].bitsPerToken;
  };
  for (const language of ["en", "zh"]) {
    assert.ok(change("rope", language) > 0.3);
    assert.ok(change("alibi", language) < 0.05);
  }
});

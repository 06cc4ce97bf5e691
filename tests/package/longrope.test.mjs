// The divisors that the search for LongRoPE found: the built package computes the recorded losses.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { heldOutTexts } from "../../scripts/train/held-out.mjs";
import { heldOutLoss, longropeSurgery, openModel } from "../../scripts/train/longrope.mjs";
import { modelsFolder, readJson, readRecipe } from "../../scripts/train/recipe.mjs";

const recipe = readRecipe();
const fileOf = (name) => join(modelsFolder, `${name}.json`);

test("LongRoPE's divisors are measured like other methods, with the recorded loss", async () => {
  const { model, config } = await openModel(recipe);
  const { en } = await heldOutTexts();
  const length = config.max_training_length;
  const longest = Math.max(...recipe.extension.multiples) * length;
  const scoreOf = (surgery) =>
    heldOutLoss(model, en, 2 * length, { longest, bucket: length, surgery }).bitsPerToken;
  const near = (found, recorded) => assert.ok(Math.abs(found - recorded) < 2e-4, `${found}`);
  near(scoreOf(undefined), readJson(fileOf("extension")).results.none[2].en.bitsPerToken);
  const { divisors, en: recorded } = readJson(fileOf("longrope")).results[2];
  near(scoreOf(longropeSurgery(config, 2, divisors)), recorded.bitsPerToken);
});

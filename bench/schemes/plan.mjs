// What `npm run bench:schemes` measures: models of the recipe's sizes that differ in their scheme
// alone.

import { join } from "node:path";
import { modelsFolder, readJson, readRecipe } from "../../scripts/train/recipe.mjs";

/**
 * Lengths that are read, lengths that are trained on, and what is read before the tokens that are
 * timed.
 */
const full = {
  inference: [128, 512, 2048],
  training: [64, 128, 256],
  decoding: { prompt: 256, tokens: 64 },
  /** In a step of training, in sequences of the length in question. */
  tokensOfStep: 512,
  rounds: { rounds: 9, least: 3, sampleMs: 4, budgetMs: 9000 },
};
const quick = {
  inference: [128, 256],
  training: [64],
  decoding: { prompt: 64, tokens: 16 },
  tokensOfStep: 128,
  rounds: { rounds: 3, least: 2, sampleMs: 1, budgetMs: 800 },
};

/** The job; schemes stand in the recipe's order, of which the first adds nothing to a model. */
export function planOf({ isQuick }) {
  const { model, schemes } = readRecipe();
  const vocabulary = Object.keys(readJson(join(modelsFolder, "tokenizer.json")).model.vocab).length;
  return { ...(isQuick ? quick : full), model, vocabulary, schemes };
}

export const baseOf = ({ schemes }) => Object.keys(schemes)[0];

/**
 * Options at this length: a table of positions gets as many rows as the text has tokens; without
 * one the recipe's.
 */
export function optionsAt(options, length) {
  return length !== undefined && "maxPositions" in options
    ? { ...options, maxPositions: length }
    : options;
}

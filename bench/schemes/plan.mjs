// The plan of `npm run bench:schemes`: models of the recipe's sizes that differ only in their
// scheme.

import { join } from "node:path";
import { modelsFolder, readJson, readRecipe } from "../../scripts/train/recipe.mjs";

/** Lengths for inference, lengths for training, and the prompt and the timed tokens of decoding. */
const full = {
  inference: [128, 512, 2048],
  training: [64, 128, 256],
  decoding: { prompt: 256, tokens: 64 },
  /** Tokens in a step of training, in sequences of the current length. */
  tokensOfStep: 512,
  rounds: { rounds: 9, min: 3, sampleMs: 4, budgetMs: 9000 },
};
const quick = {
  inference: [128, 256],
  training: [64],
  decoding: { prompt: 64, tokens: 16 },
  tokensOfStep: 128,
  rounds: { rounds: 3, min: 2, sampleMs: 1, budgetMs: 800 },
};

/**
 * Returns the job; schemes are in the recipe's order, of which the first adds nothing to a model.
 */
export function planOf({ isQuick }) {
  const { model, schemes } = readRecipe();
  const vocabulary = Object.keys(readJson(join(modelsFolder, "tokenizer.json")).model.vocab).length;
  return { ...(isQuick ? quick : full), model, vocabulary, schemes };
}

export const baseOf = ({ schemes }) => Object.keys(schemes)[0];

/**
 * Returns the options at a length: a table of positions gets as many rows as the text has tokens;
 * by default the recipe's.
 */
export function optionsAt(options, length) {
  return length !== undefined && "maxPositions" in options
    ? { ...options, maxPositions: length }
    : options;
}

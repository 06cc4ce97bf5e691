// What models/recipe.json says, and the files that belong to one training run.

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/ensure.mjs";
import { SetupError } from "../setup/process.mjs";

export const modelsFolder = join(root, "models");
export const corpusFolder = join(root, "build", "corpus");

export const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));
export const sha256 = (data) => createHash("sha256").update(data).digest("hex");

export function readRecipe() {
  return readJson(join(modelsFolder, "recipe.json"));
}

/** Ids of the schemes that have a committed model. */
export function trainedSchemes(recipe) {
  return Object.keys(recipe.schemes).filter((id) =>
    existsSync(join(modelsFolder, id, "model.safetensors")),
  );
}

/**
 * One run: a scheme's recipe with the overrides of the command line. A run with overrides is a
 * trial, whose result stays in its build folder.
 */
export function planRun(recipe, id, overrides) {
  const schemes = recipe.schemes[id];
  if (!schemes) {
    const known = Object.keys(recipe.schemes).join(", ");
    throw new SetupError(`--scheme is ${id}; models/recipe.json has: ${known}`);
  }
  const training = { ...recipe.training, ...overrides };
  const changes = Object.entries(overrides).map(([key, value]) => `-${key}-${value}`);
  const folder = join(root, "build", "training", id + changes.join(""));
  const vocabulary = Object.keys(readJson(join(modelsFolder, "tokenizer.json")).model.vocab).length;
  return {
    id,
    schemes,
    training,
    isTrial: changes.length > 0,
    folder,
    state: join(folder, "state.safetensors"),
    weights: join(folder, "model.safetensors"),
    progress: join(folder, "progress.jsonl"),
    plan: join(folder, "plan.json"),
    config: modelConfig(recipe, schemes, vocabulary),
  };
}

/** The model's config.json. */
function modelConfig(recipe, schemes, vocabulary) {
  const { model, training } = recipe;
  return {
    model_type: "whereformer",
    vocab_size: vocabulary,
    hidden_size: model.hidden_size,
    num_hidden_layers: model.num_hidden_layers,
    num_attention_heads: model.num_attention_heads,
    num_key_value_heads: model.num_key_value_heads,
    head_dim: model.head_dim,
    intermediate_size: model.intermediate_size,
    rms_norm_eps: model.rms_norm_eps,
    is_causal: true,
    tie_word_embeddings: true,
    max_training_length: training.length,
    schemes,
  };
}

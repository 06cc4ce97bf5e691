// Reads models/recipe.json, and names the files of one training run.

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/ensure.mjs";
import { unexpected } from "../setup/process.mjs";

export const modelsFolder = join(root, "models");

export const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));
export const sha256 = (data) => createHash("sha256").update(data).digest("hex");

export function readRecipe() {
  return readJson(join(modelsFolder, "recipe.json"));
}

/** The two kinds of language models; a masked one attends to both sides of a token. */
export const kinds = ["causal", "masked"];

/** The folder of a scheme's model. */
export const modelFolder = (kind, id) =>
  kind === "masked" ? join(modelsFolder, "masked", id) : join(modelsFolder, id);

export const schemesOf = (recipe, kind) =>
  kind === "masked" ? recipe.masked.schemes : recipe.schemes;

/** Ids of the schemes that have a committed model. */
export function trainedSchemes(recipe, kind = "causal") {
  return Object.keys(schemesOf(recipe, kind)).filter((id) =>
    existsSync(join(modelFolder(kind, id), "model.safetensors")),
  );
}

export const weightsHash = (folder) => sha256(readFileSync(join(folder, "model.safetensors")));

/**
 * Whether a model's heads have been measured: there is a heads.json, made from the weights beside
 * it.
 */
export function hasHeads(folder) {
  const file = join(folder, "heads.json");
  return existsSync(file) && readJson(file).weightsSha256 === weightsHash(folder);
}

/**
 * One run: a scheme's recipe with the overrides of the command line. A run with overrides is a
 * trial, whose result stays in its build folder.
 */
export function planRun(recipe, id, overrides, kind = "causal") {
  const known = schemesOf(recipe, kind);
  const schemes = known[id];
  if (!schemes) {
    throw unexpected("--scheme", id, `one of models/recipe.json: ${Object.keys(known).join(", ")}`);
  }
  const training = { ...recipe.training, ...overrides };
  const changes = Object.entries(overrides).map(([key, value]) => `-${key}-${value}`);
  const name = kind === "masked" ? `masked-${id}` : id;
  const folder = join(root, "build", "training", name + changes.join(""));
  const vocabulary = Object.keys(readJson(join(modelsFolder, "tokenizer.json")).model.vocab).length;
  const isMasked = kind === "masked";
  return {
    id,
    kind,
    schemes,
    training,
    task: isMasked ? recipe.masked.task : "language_model",
    isTrial: changes.length > 0,
    folder,
    target: changes.length > 0 ? folder : modelFolder(kind, id),
    state: join(folder, "state.safetensors"),
    weights: join(folder, "model.safetensors"),
    progress: join(folder, "progress.jsonl"),
    plan: join(folder, "plan.json"),
    config: modelConfig(recipe.model, schemes, {
      // The mask token is in no text; its id follows those of the tokenizer.
      vocabulary: isMasked ? vocabulary + 1 : vocabulary,
      mask: isMasked ? vocabulary : undefined,
      length: training.length,
    }),
  };
}

/** A model's config.json; with a `mask` its attention is bidirectional. */
export function modelConfig(model, schemes, { vocabulary, mask, length, isCausal }) {
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
    ...(model.initializer_range ? { initializer_range: model.initializer_range } : {}),
    is_causal: isCausal ?? mask === undefined,
    ...(mask === undefined ? {} : { mask_token_id: mask }),
    tie_word_embeddings: true,
    max_training_length: length,
    schemes,
  };
}

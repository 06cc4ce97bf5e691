// `npm run creatures`: a small model of pictures, which learns to restore symmetric creatures, and
// to tell the colour of their eyes. The trainer reads tiles as tokens. The weights are then written
// as a ViT that reads the tiles' pixels, with the same vectors (models/pictures/creatures).

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/ensure.mjs";
import { formatSeconds, say } from "../setup/progress.mjs";
import { pictures, side, tileSide, tiles } from "./creature-tiles.mjs";
import { Results, table } from "./experiments.mjs";
import { rounded } from "./held-out.mjs";
import { modelOptions, runTrainer, trainingOptions } from "./native-trainer.mjs";
import { modelConfig, modelsFolder, sha256 } from "./recipe.mjs";
import { formatSafetensors, readSafetensors } from "./safetensors.mjs";

export const creaturesFolder = join(modelsFolder, "pictures", "creatures");
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

const planOf = ({ creatures }) => ({ creatures, tiles });
const resultsOf = (recipe) =>
  new Results("creatures", { command: "npm run creatures", plan: planOf(recipe), depth: 1 });

/** config.json as the trainer reads it. */
const trainedConfig = ({ model, schemes, training }) =>
  modelConfig(model, schemes, {
    vocabulary: tiles.length + 1,
    isCausal: false,
    length: training.length,
  });

/** A tile's pixels as the model reads them: `[3,4,4]`, from -1 to 1, and a one for the bias. */
const readPixels = ({ pixels }) => [
  ...[0, 1, 2].flatMap((channel) => pixels.map((colour) => (2 * colour[channel]) / 255 - 1)),
  1,
];

/** Solves A X = B by elimination with pivots; A is [n,n], B [n,m]. */
function solved(a, b) {
  const rows = a.map((row, i) => [...row, ...b[i]]);
  for (let i = 0; i < rows.length; i++) {
    let pivot = i;
    for (let j = i + 1; j < rows.length; j++)
      if (Math.abs(rows[j][i]) > Math.abs(rows[pivot][i])) pivot = j;
    [rows[i], rows[pivot]] = [rows[pivot], rows[i]];
    for (let j = 0; j < rows.length; j++) {
      if (j === i) continue;
      const factor = rows[j][i] / rows[i][i];
      for (let k = i; k < rows[j].length; k++) rows[j][k] -= factor * rows[i][k];
    }
  }
  return rows.map((row, i) => row.slice(rows.length).map((value) => value / row[i]));
}

/**
 * The smallest projection `[width,49]`, with the bias last, that gives each tile's pixels the
 * vector of its token: Xᵀ (X Xᵀ)⁻¹ V.
 */
function projectionOf(vectors) {
  const x = tiles.map(readPixels);
  const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
  const gram = x.map((a) => x.map((b) => dot(a, b)));
  const weights = solved(gram, vectors);
  return vectors[0].map((_, channel) =>
    x[0].map((_, pixel) =>
      x.reduce((sum, row, tile) => sum + row[pixel] * weights[tile][channel], 0),
    ),
  );
}

const ofBlock = {
  input_layernorm: "layernorm_before",
  "self_attn.q_proj": "attention.attention.query",
  "self_attn.k_proj": "attention.attention.key",
  "self_attn.v_proj": "attention.attention.value",
  "self_attn.o_proj": "attention.output.dense",
  post_attention_layernorm: "layernorm_after",
  "mlp.up_proj": "intermediate.dense",
  "mlp.down_proj": "output.dense",
};

/** The tensors of Transformers' ViTModel. */
export function vitTensors(trained) {
  const tensors = {};
  const put = (name, shape, data, dtype = "F16") => {
    tensors[name] = { dtype, shape, data };
  };
  for (const [name, { shape, data }] of Object.entries(trained)) {
    const [, layer, part, kind] =
      /^(?:model\.)?layers\.(\d+)\.(.*)\.(weight|bias)$/.exec(name) ?? [];
    if (part) put(`encoder.layer.${layer}.${ofBlock[part]}.${kind}`, shape, data);
    const [, norm] = /^(?:model\.)?norm\.(weight|bias)$/.exec(name) ?? [];
    if (norm) put(`layernorm.${norm}`, shape, data);
  }
  const find = (end) => Object.entries(trained).find(([name]) => name.endsWith(end))[1];
  const { shape, data } = find("embed_tokens.weight");
  const width = shape[1];
  const rowOf = (id) => [...data.subarray(id * width, (id + 1) * width)];
  put("embeddings.cls_token", [1, 1, width], rowOf(0));
  const positions = find("position.learned.embeddings");
  put("embeddings.position_embeddings", [1, ...positions.shape], positions.data);
  const rows = projectionOf(tiles.map((_, at) => rowOf(at + 1)));
  const projection = "embeddings.patch_embeddings.projection";
  // In full precision: the vectors of tiles are differences of larger products.
  const patches = rows.flatMap((row) => row.slice(0, -1));
  put(`${projection}.weight`, [width, 3, tileSide, tileSide], patches, "F32");
  put(
    `${projection}.bias`,
    [width],
    rows.map((row) => row.at(-1)),
    "F32",
  );
  return tensors;
}

const vitConfig = ({ model }) => ({
  architectures: ["ViTModel"],
  model_type: "vit",
  hidden_size: model.hidden_size,
  intermediate_size: model.intermediate_size,
  num_hidden_layers: model.num_hidden_layers,
  num_attention_heads: model.num_attention_heads,
  hidden_act: "gelu",
  layer_norm_eps: model.rms_norm_eps,
  qkv_bias: true,
  num_channels: 3,
  patch_size: tileSide,
  image_size: side * tileSide,
});

const processor = {
  image_processor_type: "ViTImageProcessor",
  do_resize: true,
  size: { height: side * tileSide, width: side * tileSide },
  resample: 2,
  do_rescale: true,
  rescale_factor: 1 / 255,
  do_normalize: true,
  image_mean: [0.5, 0.5, 0.5],
  image_std: [0.5, 0.5, 0.5],
};

/** Writes the model's folder from the trained weights. */
function writeModel(plan, trained) {
  mkdirSync(creaturesFolder, { recursive: true });
  const write = (name, data) => writeFileSync(join(creaturesFolder, name), data);
  write("config.json", json(vitConfig(plan)));
  write("preprocessor_config.json", json(processor));
  write("model.safetensors", formatSafetensors(vitTensors(trained)));
  const shown = {
    tileSide,
    tiles: Object.fromEntries(tiles.map(({ letter, pixels }) => [letter, pixels.flat()])),
    pictures,
  };
  write("pictures.json", `${JSON.stringify(shown)}\n`);
}

async function trainCreatures(plan, threads) {
  const folder = join(root, "build", "creatures", sha256(JSON.stringify(plan)).slice(0, 12));
  mkdirSync(folder, { recursive: true });
  const weights = join(folder, "trained.safetensors");
  const result = {};
  await runTrainer(
    "creatures",
    [
      ...modelOptions(trainedConfig(plan)),
      ...trainingOptions(plan.training),
      ["state", join(folder, "state.safetensors")],
      ["weights", weights],
      ["save-every", 50],
      ["report-every", 50],
      ["sequences", plan.scoring.sequences],
      ["evaluation-seed", plan.scoring.seed],
      ["threads", threads],
    ],
    (event) => {
      if (event.event === "step") {
        const left = ((plan.training.steps - event.step) * event.seconds) / Math.max(1, event.step);
        say(`step ${event.step}: loss ${event.loss} (${formatSeconds(left)} left)`);
      }
      if (event.event === "accuracy") result[event.task] = rounded(event.correct / event.targets);
    },
  );
  writeModel(plan, readSafetensors(readFileSync(weights)));
  const bytes = readFileSync(join(creaturesFolder, "model.safetensors"));
  return { ...result, bytes: bytes.length, weightsSha256: sha256(bytes) };
}

export async function measureCreatures(recipe, threads) {
  await resultsOf(recipe).complete([[String(recipe.creatures.training.seed)]], async () => {
    const result = await trainCreatures(recipe.creatures, threads);
    return { result, summary: `cells ${result.cells}, eyes ${result.eyes}` };
  });
}

export function printCreatures(recipe) {
  const [result] = Object.values(resultsOf(recipe).read());
  if (!result || !existsSync(creaturesFolder)) return;
  say("Model of creatures: shares of hidden, replaced and kept tiles, and of eyes, told right\n");
  table([["tiles", "eyes", "bytes"], [result.cells, result.eyes, result.bytes].map(String)]);
}

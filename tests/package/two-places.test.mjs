// Configs with two contradictory sources of one setting: which one counts, as in Transformers (each
// row was read with its classes, 5.18.0).

import assert from "node:assert/strict";
import { test } from "node:test";
import { familyFile, modelOf } from "./families.mjs";
import { wf } from "./golden.mjs";
import { safetensors } from "./safetensors.mjs";

const v5 = { rope_type: "default", rope_theta: 500 };
const linear = { rope_type: "linear", factor: 4 };

/** A model, two sources of a setting, the effect, and the config by the other source. */
const rows = {
  "rope_scaling before rope_parameters, whose base is lost too": [
    "llama",
    { rope_parameters: v5, rope_scaling: linear },
    { rope_parameters: { ...linear, rope_theta: 10000 } },
    { rope_parameters: v5 },
  ],
  "an empty rope_scaling says nothing": [
    "llama",
    { rope_parameters: v5, rope_scaling: {} },
    { rope_parameters: v5 },
    { rope_parameters: null },
  ],
  "the base within rope_parameters before the one beside it": [
    "llama",
    { rope_parameters: v5, rope_theta: 7 },
    { rope_parameters: v5 },
    { rope_parameters: null, rope_theta: 7 },
  ],
  "rope_type before type": [
    "llama",
    { rope_parameters: null, rope_scaling: { ...linear, type: "llama3" } },
    { rope_parameters: null, rope_scaling: linear },
    { rope_parameters: null },
  ],
  "type, where there is no rope_type": [
    "llama",
    { rope_parameters: null, rope_scaling: { type: "linear", factor: 4 } },
    { rope_parameters: null, rope_scaling: linear },
    { rope_parameters: null },
  ],
  "rope_parameters before GPT-NeoX's own words": [
    "gpt_neox",
    { rope_parameters: { ...v5, partial_rotary_factor: 0.34 }, rotary_pct: 1, rotary_emb_base: 7 },
    { rope_parameters: { ...v5, partial_rotary_factor: 0.34 } },
    { rope_parameters: null, rotary_pct: 1, rotary_emb_base: 7 },
  ],
  "GPT-NeoX's own words before everybody's": [
    "gpt_neox",
    { rope_parameters: null, rotary_pct: 1, rope_theta: 7, partial_rotary_factor: 0.34 },
    { rope_parameters: null, rotary_pct: 1, rotary_emb_base: 10000 },
    { rope_parameters: { rope_type: "default", rope_theta: 7, partial_rotary_factor: 0.34 } },
  ],
  "Gemma reads hidden_act": [
    "gemma",
    { hidden_act: "relu", hidden_activation: "silu" },
    { hidden_act: "relu" },
    { hidden_act: "silu" },
  ],
  "Gemma means the approximation": [
    "gemma",
    { hidden_act: "gelu" },
    { hidden_act: "gelu_pytorch_tanh" },
    { hidden_act: "relu" },
  ],
  "Gemma 2 reads hidden_activation": [
    "gemma2",
    { hidden_act: "relu", hidden_activation: "silu" },
    { hidden_activation: "silu" },
    { hidden_activation: "relu" },
  ],
  "layers by rope_scaling, those with a window without": [
    "gemma3_text",
    { rope_scaling: linear },
    {
      rope_parameters: {
        full_attention: { ...linear, rope_theta: 1e6 },
        sliding_attention: { rope_type: "default", rope_theta: 1e4 },
      },
    },
    {},
  ],
};

async function outputOf({ config, weights, ids }, changes) {
  const model = await modelOf(wf, { config: { ...config, ...changes }, weights });
  const { data } = model.run(ids, { record: ["vocabularyLogits"] }).vocabularyLogits;
  model.dispose();
  return data;
}

for (const [title, [name, both, same, other]] of Object.entries(rows))
  test(title, async () => {
    const file = familyFile(name);
    const found = await outputOf(file, both);
    assert.deepEqual(found, await outputOf(file, same));
    assert.notDeepEqual(found, await outputOf(file, other));
  });

test("a second name of a size has priority over the first", async () => {
  for (const [name, first, second] of [
    ["gpt2", "n_embd", "hidden_size"],
    ["gptj", "n_layer", "num_hidden_layers"],
    ["gpt_neo", "num_heads", "num_attention_heads"],
    ["mpt", "d_model", "hidden_size"],
    ["bloom", "hidden_size", "n_embed"],
    ["bloom", "n_head", "num_attention_heads"],
    ["distilbert", "dim", "hidden_size"],
    ["xlnet", "n_layer", "num_hidden_layers"],
    ["t5", "d_kv", "head_dim"],
    ["bart", "d_model", "hidden_size"],
  ]) {
    const { config, weights } = familyFile(name);
    const changed = { ...config, [first]: 2 * config[first], [second]: config[first] };
    (await modelOf(wf, { config: changed, weights })).dispose();
  }
});

test("a whole file has priority over an index of shards, for files as for an address", async () => {
  const { config, weights } = familyFile("llama");
  const list = { weight_map: { "model.norm.weight": "gone.safetensors" } };
  const files = {
    "config.json": JSON.stringify(config),
    "model.safetensors": safetensors(weights),
    "model.safetensors.index.json": JSON.stringify(list),
  };
  const all = Object.entries(files).map(([file, content]) => new File([content], file));
  (await wf.model(all)).dispose();
});

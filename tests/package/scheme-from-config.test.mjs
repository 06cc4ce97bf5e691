// Schemes from config.json: families of Hugging Face, in the form of version 4 and of version 5.
// Facts are those of the public config classes; files are cut down to what matters and are small.
import assert from "node:assert/strict";
import { test } from "node:test";
import { near, refused, scattered, wf } from "./golden.mjs";

const sizes = { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 4 };
const wide = { ...sizes, num_key_value_heads: 2, head_dim: 16, max_position_embeddings: 4096 };
const v5 = (rope_parameters) => ({ ...wide, rope_parameters });

/** What a scheme is, as far as the expectation says. */
function matches(scheme, id, expected, name) {
  assert.equal(scheme.description.id, id, name);
  for (const [key, value] of Object.entries(expected)) {
    const [group, inner] = key.split(".");
    const found = inner ? scheme.options[group][inner] : scheme.options[key];
    assert.deepEqual(found, value, `${name}: ${key}`);
  }
}

const families = {
  BERT: [
    "learned",
    {
      model_type: "bert",
      ...sizes,
      max_position_embeddings: 512,
      position_embedding_type: "absolute",
    },
    { maxPositions: 512, indexRule: "plain" },
  ],
  "BERT without the key, as version 5 writes it": [
    "learned",
    { model_type: "bert", ...sizes, max_position_embeddings: 512 },
    { maxPositions: 512 },
  ],
  "BERT with Shaw's keys": [
    "shaw",
    {
      model_type: "bert",
      ...sizes,
      max_position_embeddings: 512,
      position_embedding_type: "relative_key",
    },
    { maxDistance: 511, relativeValues: false, relativeQueries: false, queryMinusKey: true },
  ],
  "BERT with Shaw's keys and queries": [
    "shaw",
    {
      model_type: "bert",
      ...sizes,
      max_position_embeddings: 512,
      position_embedding_type: "relative_key_query",
    },
    { maxDistance: 511, relativeQueries: true },
  ],
  "RoBERTa counts two more rows": [
    "learned",
    { model_type: "roberta", ...sizes, max_position_embeddings: 514 },
    { maxPositions: 512, indexRule: "roberta" },
  ],
  "XLM-RoBERTa": [
    "learned",
    { model_type: "xlm-roberta", ...sizes, max_position_embeddings: 514 },
    { maxPositions: 512, indexRule: "roberta" },
  ],
  "GPT-2": [
    "learned",
    { model_type: "gpt2", n_embd: 64, n_head: 4, n_layer: 2, n_positions: 1024 },
    { maxPositions: 1024, indexRule: "plain" },
  ],
  OPT: [
    "learned",
    { model_type: "opt", ...sizes, max_position_embeddings: 2048 },
    { maxPositions: 2048, indexRule: "opt" },
  ],
  "GPT-NeoX, version 4": [
    "rope",
    {
      model_type: "gpt_neox",
      ...sizes,
      rotary_pct: 0.25,
      rotary_emb_base: 20000,
      max_position_embeddings: 2048,
    },
    { partialRotaryFactor: 0.25, ropeTheta: 20000, interleaved: false },
  ],
  "GPT-NeoX, version 5": [
    "rope",
    {
      model_type: "gpt_neox",
      ...sizes,
      max_position_embeddings: 2048,
      rope_parameters: { rope_theta: 10000, partial_rotary_factor: 0.5, rope_type: "default" },
    },
    { partialRotaryFactor: 0.5, ropeTheta: 10000 },
  ],
  "GPT-J turns rotary_dim channels, neighbours": [
    "rope",
    { model_type: "gptj", n_embd: 64, n_head: 4, n_layer: 2, n_positions: 2048, rotary_dim: 8 },
    { partialRotaryFactor: 0.5, interleaved: true },
  ],
  CodeGen: [
    "rope",
    { model_type: "codegen", n_embd: 64, n_head: 4, n_layer: 2, rotary_dim: 16 },
    { partialRotaryFactor: 1, interleaved: true },
  ],
  "BLOOM, by its name alone": [
    "alibi",
    { model_type: "bloom", hidden_size: 64, n_head: 4, n_layer: 2 },
    {},
  ],
  "Falcon turns": [
    "rope",
    { model_type: "falcon", ...sizes, alibi: false, multi_query: true },
    { ropeTheta: 10000, interleaved: false },
  ],
  "Falcon-RW scales its bias": [
    "alibi",
    { model_type: "falcon", ...sizes, alibi: true, multi_query: false },
    { scaledBias: true, bfloat16Slopes: true },
  ],
  MPT: [
    "alibi",
    {
      model_type: "mpt",
      d_model: 64,
      n_heads: 4,
      n_layers: 2,
      attn_config: { alibi: true, alibi_bias_max: 16 },
    },
    { biasMax: 16 },
  ],
  "MPT without ALiBi": [
    "learned",
    {
      model_type: "mpt",
      d_model: 64,
      n_heads: 4,
      n_layers: 2,
      max_seq_len: 2048,
      attn_config: { alibi: false },
    },
    { maxPositions: 2048 },
  ],
  "Llama, version 4": [
    "rope",
    { model_type: "llama", ...wide, rope_theta: 500000, rope_scaling: null },
    {
      ropeTheta: 500000,
      interleaved: false,
      "ropeScaling.ropeType": "default",
      maxPositionEmbeddings: 4096,
    },
  ],
  "Llama without a base": ["rope", { model_type: "llama", ...wide }, { ropeTheta: 10000 }],
  "Llama, version 5": [
    "rope",
    { model_type: "llama", ...v5({ rope_type: "default", rope_theta: 500000 }) },
    { ropeTheta: 500000 },
  ],
  "Llama 3.1": [
    "rope",
    {
      model_type: "llama",
      ...wide,
      rope_theta: 500000,
      rope_scaling: {
        factor: 8,
        low_freq_factor: 1,
        high_freq_factor: 4,
        original_max_position_embeddings: 8192,
        rope_type: "llama3",
      },
    },
    {
      "ropeScaling.ropeType": "llama3",
      "ropeScaling.factor": 8,
      "ropeScaling.originalMaxPositionEmbeddings": 8192,
    },
  ],
  "Llama, linear, with the older key": [
    "rope",
    { model_type: "llama", ...wide, rope_scaling: { type: "linear", factor: 4 } },
    { "ropeScaling.ropeType": "linear", "ropeScaling.factor": 4 },
  ],
  "Llama, dynamic": [
    "rope",
    { model_type: "llama", ...v5({ rope_type: "dynamic", factor: 2, rope_theta: 1e4 }) },
    { "ropeScaling.ropeType": "dynamic", maxPositionEmbeddings: 4096 },
  ],
  "Llama, YaRN": [
    "rope",
    {
      model_type: "llama",
      ...wide,
      rope_scaling: {
        type: "yarn",
        factor: 16,
        original_max_position_embeddings: 4096,
        finetuned: true,
      },
    },
    { "ropeScaling.ropeType": "yarn", "ropeScaling.factor": 16 },
  ],
  Mistral: [
    "rope",
    { model_type: "mistral", ...wide, rope_theta: 1e6, sliding_window: null },
    { ropeTheta: 1e6 },
  ],
  "Qwen2 with YaRN": [
    "rope",
    {
      model_type: "qwen2",
      ...wide,
      max_position_embeddings: 131072,
      rope_theta: 1e6,
      use_sliding_window: false,
      sliding_window: 131072,
      max_window_layers: 28,
      rope_scaling: { type: "yarn", factor: 4, original_max_position_embeddings: 32768 },
    },
    { "ropeScaling.factor": 4, maxPositionEmbeddings: 131072 },
  ],
  Qwen3: [
    "rope",
    {
      model_type: "qwen3",
      ...wide,
      rope_theta: 1e6,
      sliding_window: null,
      use_sliding_window: false,
    },
    { ropeTheta: 1e6 },
  ],
  Gemma: ["rope", { model_type: "gemma", ...wide, rope_theta: 10000 }, { ropeTheta: 10000 }],
  "Phi-2": [
    "rope",
    { model_type: "phi", ...sizes, head_dim: 80, partial_rotary_factor: 0.4 },
    { partialRotaryFactor: 0.4 },
  ],
  "Phi-3 says the trained length beside": [
    "rope",
    {
      model_type: "phi3",
      ...wide,
      head_dim: 8,
      max_position_embeddings: 131072,
      original_max_position_embeddings: 4096,
      rope_scaling: { type: "su", short_factor: [1, 1, 1, 1], long_factor: [1, 2, 3, 4] },
    },
    {
      "ropeScaling.ropeType": "longrope",
      "ropeScaling.originalMaxPositionEmbeddings": 4096,
      "ropeScaling.longFactor": [1, 2, 3, 4],
    },
  ],
  StableLM: [
    "rope",
    { model_type: "stablelm", ...sizes, rope_theta: 10000, partial_rotary_factor: 0.25 },
    { partialRotaryFactor: 0.25 },
  ],
  "Cohere turns neighbours": [
    "rope",
    { model_type: "cohere", ...sizes, rope_theta: 8e6 },
    { ropeTheta: 8e6, interleaved: true },
  ],
  "GLM-4 turns half of the neighbours": [
    "rope",
    { model_type: "glm4", ...wide, partial_rotary_factor: 0.5, rope_theta: 10000 },
    { interleaved: true, partialRotaryFactor: 0.5 },
  ],
  "gpt-oss": [
    "rope",
    {
      model_type: "gpt_oss",
      ...wide,
      max_position_embeddings: 131072,
      layer_types: ["sliding_attention", "full_attention"],
      num_hidden_layers: 2,
      sliding_window: 128,
      rope_theta: 150000,
      rope_scaling: {
        rope_type: "yarn",
        factor: 32,
        beta_fast: 32,
        beta_slow: 1,
        truncate: false,
        original_max_position_embeddings: 4096,
      },
    },
    { "ropeScaling.truncate": false, "ropeScaling.factor": 32, ropeTheta: 150000 },
  ],
  "RoFormer turns neighbours": [
    "rope",
    { model_type: "roformer", ...sizes, max_position_embeddings: 1536, rotary_value: false },
    { interleaved: true },
  ],
  "ESM-2": [
    "rope",
    {
      model_type: "esm",
      ...sizes,
      position_embedding_type: "rotary",
      max_position_embeddings: 1026,
    },
    { interleaved: false },
  ],
  "DeepSeek-V2": [
    "mla",
    {
      model_type: "deepseek_v2",
      ...sizes,
      qk_nope_head_dim: 16,
      qk_rope_head_dim: 8,
      v_head_dim: 16,
      rope_theta: 10000,
    },
    { interleaved: true },
  ],
  "DeepSeek-V3": [
    "mla",
    {
      model_type: "deepseek_v3",
      ...sizes,
      qk_nope_head_dim: 16,
      qk_rope_head_dim: 8,
      v_head_dim: 16,
      rope_theta: 10000,
      rope_interleave: true,
    },
    { interleaved: true },
  ],
  "T5's encoder": [
    "t5",
    {
      model_type: "t5",
      d_model: 64,
      d_kv: 16,
      num_heads: 4,
      num_layers: 2,
      relative_attention_num_buckets: 16,
      relative_attention_max_distance: 64,
    },
    { numBuckets: 16, maxDistance: 64, bidirectional: true },
  ],
  "T5's decoder": [
    "t5",
    {
      model_type: "t5",
      d_model: 64,
      d_kv: 16,
      num_heads: 4,
      num_layers: 2,
      is_decoder: true,
      relative_attention_num_buckets: 32,
    },
    { bidirectional: false },
  ],
  mT5: [
    "t5",
    {
      model_type: "mt5",
      d_model: 64,
      d_kv: 16,
      num_heads: 4,
      num_layers: 2,
      relative_attention_num_buckets: 32,
      relative_attention_max_distance: 128,
    },
    { numBuckets: 32, bidirectional: true },
  ],
  DeBERTa: [
    "deberta",
    {
      model_type: "deberta",
      ...sizes,
      max_position_embeddings: 512,
      relative_attention: true,
      max_relative_positions: -1,
      position_biased_input: false,
      pos_att_type: "c2p|p2c",
    },
    { maxRelativePositions: 512, positionBuckets: 0, shareProjections: false },
  ],
  "DeBERTa-v3": [
    "deberta",
    {
      model_type: "deberta-v2",
      ...sizes,
      max_position_embeddings: 512,
      relative_attention: true,
      max_relative_positions: -1,
      position_buckets: 256,
      share_att_key: true,
      position_biased_input: false,
      pos_att_type: "p2c|c2p",
      norm_rel_ebd: "layer_norm",
    },
    {
      maxRelativePositions: 512,
      positionBuckets: 256,
      shareProjections: true,
      contentToPosition: true,
      positionToContent: true,
      normalisesTable: true,
    },
  ],
  Marian: [
    "sinusoidal",
    {
      model_type: "marian",
      d_model: 64,
      encoder_attention_heads: 4,
      encoder_layers: 2,
      max_position_embeddings: 512,
      scale_embedding: true,
    },
    { layout: "marian", embeddingScale: true },
  ],
  "Qwen2-VL": [
    "mrope",
    {
      model_type: "qwen2_vl",
      ...wide,
      hidden_size: 512,
      head_dim: 128,
      rope_theta: 1e6,
      rope_scaling: { type: "mrope", mrope_section: [16, 24, 24] },
    },
    { sectionTime: 16, sectionRow: 24, sectionColumn: 24, ropeTheta: 1e6 },
  ],
  "Qwen3-VL, version 5": [
    "mrope",
    {
      model_type: "qwen3_vl",
      vision_config: {},
      text_config: {
        model_type: "qwen3_vl_text",
        ...wide,
        rope_parameters: {
          rope_type: "default",
          rope_theta: 5e6,
          mrope_interleaved: true,
          mrope_section: [2, 3, 3],
        },
      },
    },
    { sectionTime: 2, sectionsInterleaved: true, ropeTheta: 5e6 },
  ],
  Swin: [
    "swin",
    {
      model_type: "swin",
      embed_dim: 96,
      num_heads: [3, 6, 12, 24],
      window_size: 7,
      hidden_size: 768,
    },
    { version: "v1", windowHeight: 7, windowWidth: 7 },
  ],
  "Swin v2": [
    "swin",
    {
      model_type: "swinv2",
      embed_dim: 96,
      num_heads: [3, 6, 12, 24],
      window_size: 16,
      pretrained_window_sizes: [12, 12, 12, 6],
      hidden_size: 768,
    },
    { version: "v2", windowHeight: 16, pretrainedHeight: 12 },
  ],
};

for (const [name, [id, file, expected]] of Object.entries(families)) {
  test(name, () => {
    const scheme = wf.schemeFromConfig(file);
    matches(scheme, id, expected, name);
    scheme.dispose();
  });
}

test("at least fifteen families of Hugging Face are known", () => {
  const known = new Set(
    wf.schemes.flatMap(({ selects }) => selects.split(" ").map((rule) => rule.split(/[?:]/)[0])),
  );
  known.delete("");
  assert.ok(known.size >= 40, [...known].join(" "));
  assert.ok(new Set(Object.values(families).map(([, { model_type }]) => model_type)).size >= 25);
});

const layered = {
  "Gemma 3, version 5: two bases": [
    {
      model_type: "gemma3_text",
      ...wide,
      layer_types: ["sliding_attention", "sliding_attention", "full_attention"],
      num_hidden_layers: 3,
      sliding_window: 512,
      rope_parameters: {
        sliding_attention: { rope_type: "default", rope_theta: 10000 },
        full_attention: { rope_type: "linear", factor: 8, rope_theta: 1e6 },
      },
    },
    [
      ["rope", { ropeTheta: 10000, "ropeScaling.ropeType": "default" }],
      ["rope", { ropeTheta: 10000 }],
      ["rope", { ropeTheta: 1e6, "ropeScaling.factor": 8 }],
    ],
  ],
  "Gemma 3, version 4, inside a model that also sees": [
    {
      model_type: "gemma3",
      vision_config: {},
      text_config: {
        model_type: "gemma3_text",
        ...wide,
        num_hidden_layers: 4,
        sliding_window: 512,
        sliding_window_pattern: 3,
        rope_theta: 1e6,
        rope_local_base_freq: 10000,
        rope_scaling: { factor: 8, rope_type: "linear" },
      },
    },
    [
      ["rope", { ropeTheta: 10000, "ropeScaling.ropeType": "default" }],
      ["rope", { ropeTheta: 10000 }],
      ["rope", { ropeTheta: 1e6, "ropeScaling.factor": 8 }],
      ["rope", { ropeTheta: 10000 }],
    ],
  ],
  "ModernBERT, version 4: its own names for two bases": [
    {
      model_type: "modernbert",
      ...sizes,
      num_hidden_layers: 4,
      global_attn_every_n_layers: 3,
      global_rope_theta: 160000,
      local_rope_theta: 10000,
      local_attention: 128,
    },
    [
      ["rope", { ropeTheta: 160000 }],
      ["rope", { ropeTheta: 10000 }],
      ["rope", { ropeTheta: 10000 }],
      ["rope", { ropeTheta: 160000 }],
    ],
  ],
  "Cohere 2: windows turn, full layers have no positions": [
    {
      model_type: "cohere2",
      ...wide,
      num_hidden_layers: 4,
      sliding_window: 4096,
      sliding_window_pattern: 4,
      rope_theta: 50000,
    },
    [
      ["rope", { interleaved: true, ropeTheta: 50000 }],
      ["rope", {}],
      ["rope", {}],
      ["nope", {}],
    ],
  ],
  "SmolLM3: every fourth layer does not turn": [
    {
      model_type: "smollm3",
      ...wide,
      num_hidden_layers: 4,
      no_rope_layers: [1, 1, 1, 0],
      rope_theta: 5e6,
    },
    [
      ["rope", { ropeTheta: 5e6 }],
      ["rope", {}],
      ["rope", {}],
      ["nope", {}],
    ],
  ],
  "Llama 4: neighbours, chunks, and a temperature where nothing turns": [
    {
      model_type: "llama4_text",
      ...wide,
      num_hidden_layers: 4,
      no_rope_layers: [1, 1, 1, 0],
      attention_chunk_size: 8192,
      attn_temperature_tuning: true,
      attn_scale: 0.1,
      floor_scale: 8192,
      rope_theta: 500000,
    },
    [
      ["rope", { interleaved: true }],
      ["rope", {}],
      ["rope", {}],
      ["nope", { temperatureScale: 0.1, temperatureFloor: 8192 }],
    ],
  ],
};

for (const [name, [file, expected]] of Object.entries(layered)) {
  test(name, () => {
    refused(() => wf.schemeFromConfig(file), "invalid_argument", /layer: undefined; allowed is/);
    expected.forEach(([id, options], layer) => {
      const scheme = wf.schemeFromConfig(file, { layer });
      matches(scheme, id, options, `${name}, layer ${layer}`);
      scheme.dispose();
    });
    refused(
      () => wf.schemeFromConfig(file, { layer: expected.length }),
      "invalid_argument",
      /layer/,
    );
  });
}

test("what is unknown is refused by its name, with what is known", () => {
  const unknown = (file, message) =>
    refused(() => wf.schemeFromConfig(file), "unsupported", message);
  unknown(
    { model_type: "compass", ...wide, rope_theta: 1e4 },
    /config\.model_type: "compass"; allowed is one of .*llama/,
  );
  unknown(
    { model_type: "bert", ...sizes, position_embedding_type: "spiral" },
    /config of bert.*position_embedding_type/,
  );
  unknown(
    { model_type: "llama", ...wide, rope_scaling: { rope_type: "yarn", factor: 2, twist: 1 } },
    /config\.rope_scaling\.twist/,
  );
  unknown(
    {
      model_type: "deberta",
      ...sizes,
      relative_attention: true,
      max_relative_positions: -1,
      position_biased_input: true,
      pos_att_type: "c2p",
    },
    /config of deberta/,
  );
  unknown({ ...sizes }, /config/);
  refused(
    () =>
      wf.schemeFromConfig({ model_type: "llama", ...wide, rope_scaling: { rope_type: "spiral" } }),
    "invalid_argument",
    /ropeScaling\.ropeType: "spiral"/,
  );
  refused(
    () =>
      wf.schemeFromConfig({ model_type: "llama", ...wide, rope_scaling: { rope_type: "linear" } }),
    "invalid_argument",
    /ropeScaling\.factor/,
  );
  refused(
    () => wf.schemeFromConfig({ model_type: "llama", ...wide, rope_scaling: 4 }),
    "invalid_argument",
    /rope_scaling/,
  );
});

test("BLOOM's slopes and Falcon-RW's division come out of their configs", () => {
  const bloom = wf.schemeFromConfig({
    model_type: "bloom",
    hidden_size: 64,
    n_head: 4,
    n_layer: 2,
  });
  near(bloom.bias([1], [0, 1]).data.slice(0, 1), [-0.25], 1e-7);
  const falcon = wf.schemeFromConfig({ model_type: "falcon", ...sizes, alibi: true });
  near(falcon.bias([1], [0, 1]).data.slice(0, 1), [-0.25 / 4], 1e-7);
});

test("a scheme made from a config turns as that config says", () => {
  const file = {
    model_type: "llama",
    ...wide,
    rope_theta: 500000,
    rope_scaling: {
      factor: 8,
      low_freq_factor: 1,
      high_freq_factor: 4,
      original_max_position_embeddings: 8192,
      rope_type: "llama3",
    },
  };
  const scheme = wf.schemeFromConfig(file);
  const { inverseFrequencies } = scheme.frequencies();
  assert.equal(inverseFrequencies.length, 8);
  near([inverseFrequencies[7]], [500000 ** (-14 / 16) / 8], 1e-11);
  assert.equal(scheme.rotate(scattered([4, 2, 16])).shape[2], 16);
});

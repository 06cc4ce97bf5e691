// Families of Hugging Face with rotated queries and keys, in the form of config-families.mjs.

import { sizes, wide } from "./config-families.mjs";

const v5 = (rope_parameters) => ({ ...wide, rope_parameters });
export const llama31 = {
  factor: 8,
  low_freq_factor: 1,
  high_freq_factor: 4,
  original_max_position_embeddings: 8192,
  rope_type: "llama3",
};

export const rotaryFamilies = {
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
  "Falcon turns": [
    "rope",
    { model_type: "falcon", ...sizes, alibi: false, multi_query: true },
    { ropeTheta: 10000, interleaved: false },
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
      rope_scaling: llama31,
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
  "Qwen2.5-VL, its context stretched": [
    "mrope",
    {
      model_type: "qwen2_5_vl",
      ...wide,
      hidden_size: 512,
      head_dim: 128,
      max_position_embeddings: 128000,
      rope_theta: 1e6,
      rope_scaling: {
        type: "yarn",
        mrope_section: [16, 24, 24],
        factor: 4,
        original_max_position_embeddings: 32768,
      },
    },
    {
      sectionTime: 16,
      sectionColumn: 24,
      "ropeScaling.ropeType": "yarn",
      "ropeScaling.factor": 4,
      "ropeScaling.originalMaxPositionEmbeddings": 32768,
    },
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
  "DINOv3: the sides of its trained grid": [
    "rope_2d",
    {
      model_type: "dinov3_vit",
      hidden_size: 64,
      num_attention_heads: 4,
      image_size: [224, 448],
      patch_size: 16,
      rope_theta: 100,
    },
    { layout: "qwen_vision", rows: 14, columns: 28, ropeTheta: 100 },
  ],
  "DINOv3: what its config class assumes": [
    "rope_2d",
    { model_type: "dinov3_vit", hidden_size: 384, num_attention_heads: 6 },
    { rows: 14, columns: 14, ropeTheta: 100 },
  ],
};

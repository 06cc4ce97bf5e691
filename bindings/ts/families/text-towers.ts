/** The towers of texts of models that compare pictures with texts. */

import type { ConfigReader } from "./config-reader.js";
import type { Family, FamilyConfig, TensorRule } from "./family.js";

const tensors: readonly TensorRule[] = [
  ["embed_tokens", "embeddings.token_embedding"],
  ["position.learned.embeddings", "embeddings.position_embedding.weight", "exact"],
  ["norm", "final_layer_norm"],
  ["layers.#.input_layernorm", "encoder.layers.#.layer_norm1"],
  ...["q_proj", "k_proj", "v_proj"].map(
    (name): TensorRule => [`layers.#.self_attn.${name}`, `encoder.layers.#.self_attn.${name}`],
  ),
  ["layers.#.self_attn.o_proj", "encoder.layers.#.self_attn.out_proj"],
  ["layers.#.post_attention_layernorm", "encoder.layers.#.layer_norm2"],
  ["layers.#.mlp.up_proj", "encoder.layers.#.mlp.fc1"],
  ["layers.#.mlp.down_proj", "encoder.layers.#.mlp.fc2"],
];

const towerOf = (file: ConfigReader, isCausal: boolean): FamilyConfig => ({
  vocabSize: file.number("vocab_size"),
  hiddenSize: file.number("hidden_size"),
  numLayers: file.number("num_hidden_layers"),
  numHeads: file.number("num_attention_heads"),
  intermediateSize: file.number("intermediate_size"),
  rmsNormEps: file.number("layer_norm_eps"),
  isCausal,
  architecture: {
    head: "none",
    norm: "layer",
    normBias: true,
    gated: false,
    queryBias: true,
    outputBias: true,
    feedBias: true,
    activation: file.activation("hidden_act"),
  },
  tensors,
  prefix: "text_model.",
  // The other tower, and what compares both.
  passes:
    "vision_model.* visual_projection.* text_projection.* logit_scale logit_bias head.* " +
    "*.position_ids",
});

const absent = { num_hidden_layers: 12, hidden_size: 512, intermediate_size: 2048 };

/** Radford et al. 2021, arXiv 2103.00020. */
export const clipText: Family = {
  id: "clip_text_model",
  absent: {
    ...absent,
    vocab_size: 49408,
    num_attention_heads: 8,
    max_position_embeddings: 77,
    hidden_act: "quick_gelu",
    layer_norm_eps: 1e-5,
  },
  read: (file) => towerOf(file, true),
  layerKeys: "max_position_embeddings",
  harmless: "projection_dim",
};

/** Zhai et al. 2023, arXiv 2303.15343: without a mask. */
export const siglipText: Family = {
  id: "siglip_text_model",
  absent: {
    ...absent,
    vocab_size: 32000,
    hidden_size: 768,
    intermediate_size: 3072,
    num_attention_heads: 12,
    max_position_embeddings: 64,
    hidden_act: "gelu_pytorch_tanh",
    layer_norm_eps: 1e-6,
  },
  read: (file) => towerOf(file, false),
  layerKeys: "max_position_embeddings",
  harmless: "projection_size",
};

/** Tschannen et al. 2025, arXiv 2502.14786: the same blocks. */
export const siglip2Text: Family = { ...siglipText, id: "siglip2_text_model" };

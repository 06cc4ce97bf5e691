import type { ConfigReader } from "./config-reader.js";
import { type Family, type FamilyConfig, rotaryKeys, windowKeys } from "./family.js";
import {
  llamaAbsent,
  llamaAttention,
  llamaEnds,
  llamaFeed,
  llamaFile,
  llamaSizes,
} from "./llama-block.js";

const absent = {
  ...llamaAbsent,
  vocab_size: 256000,
  hidden_size: 8192,
  intermediate_size: 22528,
  num_hidden_layers: 40,
  num_attention_heads: 64,
  max_position_embeddings: 8192,
  layer_norm_eps: 1e-5,
  logit_scale: 0.0625,
  tie_word_embeddings: true,
};

function read(file: ConfigReader): FamilyConfig {
  const bias = file.flag("attention_bias");
  return {
    ...llamaSizes(file, "layer_norm_eps"),
    architecture: {
      head: file.head(),
      norm: "layer",
      residual: "shared",
      activation: file.activation("hidden_act"),
      queryBias: bias,
      outputBias: bias,
      logitScale: file.number("logit_scale"),
    },
    tensors: [
      ...llamaEnds,
      ...llamaAttention,
      ...llamaFeed,
      ["layers.#.input_layernorm", "layers.#.input_layernorm"],
    ],
    ...llamaFile,
  };
}

/** Cohere's Command R. */
export const cohere: Family = {
  id: "cohere",
  absent: { ...absent, use_qk_norm: false },
  read(file) {
    const config = read(file);
    if (!file.flag("use_qk_norm", false)) return config;
    return {
      ...config,
      tensors: [
        ...config.tensors,
        ["layers.#.self_attn.q_norm", "layers.#.self_attn.q_norm", "F"],
        ["layers.#.self_attn.k_norm", "layers.#.self_attn.k_norm", "F"],
      ],
      // Not Llama 4's norm of the same name, which has no weights.
      layers: { query_key_norm: "layerHeads", use_qk_norm: false },
    };
  },
  layerKeys: rotaryKeys,
};

/** Command R7B (Cohere et al. 2025, arXiv 2504.00698): rotation only in layers with a window. */
export const cohere2: Family = {
  id: "cohere2",
  absent: { ...absent, sliding_window: 4096, sliding_window_pattern: 4 },
  read(file) {
    if (file.value("layer_types") === undefined) file.number("sliding_window_pattern");
    // Only the first files have these keys; the values are those of all models.
    file.only("order_of_interleaved_layers", "local_attn_first");
    file.only("position_embedding_type", "rope_gptj");
    file.only("use_gated_activation", true);
    file.only("use_parallel_block", true);
    file.only("use_embedding_sharing", file.value("tie_word_embeddings"));
    return read(file);
  },
  layerKeys: `${rotaryKeys} ${windowKeys} sliding_window_pattern`,
  harmless: "layer_switch use_parallel_embedding",
};

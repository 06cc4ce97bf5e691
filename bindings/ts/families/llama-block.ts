/** Shared by the families derived from Llama: keys of config.json, and names of tensors. */

import type { ConfigReader } from "./config-reader.js";
import type { TensorRule } from "./family.js";

/** Defaults of Llama's class for omitted keys; other families override them. */
export const llamaAbsent = {
  vocab_size: 32000,
  hidden_size: 4096,
  intermediate_size: 11008,
  num_hidden_layers: 32,
  num_attention_heads: 32,
  hidden_act: "silu",
  max_position_embeddings: 2048,
  rms_norm_eps: 1e-6,
  tie_word_embeddings: false,
  attention_bias: false,
  mlp_bias: false,
};

/** Sizes, read from Llama's keys. */
export function llamaSizes(file: ConfigReader, epsilon = "rms_norm_eps") {
  const [hiddenSize, numHeads] = [file.number("hidden_size"), file.number("num_attention_heads")];
  return {
    vocabSize: file.number("vocab_size"),
    hiddenSize,
    numLayers: file.number("num_hidden_layers"),
    numHeads,
    numKvHeads: file.number("num_key_value_heads", numHeads),
    headDim: file.number("head_dim", hiddenSize / numHeads),
    intermediateSize: file.number("intermediate_size"),
    rmsNormEps: file.number(epsilon),
  };
}

export const llamaEnds: readonly TensorRule[] = [
  ["embed_tokens", "embed_tokens"],
  ["norm", "norm"],
];
export const llamaAttention: readonly TensorRule[] = ["q_proj", "k_proj", "v_proj", "o_proj"].map(
  (name) => [`layers.#.self_attn.${name}`, `layers.#.self_attn.${name}`],
);
export const llamaFeed: readonly TensorRule[] = ["gate_proj", "up_proj", "down_proj"].map(
  (name) => [`layers.#.mlp.${name}`, `layers.#.mlp.${name}`],
);
export const llamaNorms: readonly TensorRule[] = [
  ["layers.#.input_layernorm", "layers.#.input_layernorm"],
  ["layers.#.post_attention_layernorm", "layers.#.post_attention_layernorm"],
];
export const queryKeyNorms: readonly TensorRule[] = [
  ["layers.#.self_attn.q_norm", "layers.#.self_attn.q_norm"],
  ["layers.#.self_attn.k_norm", "layers.#.self_attn.k_norm"],
];
export const llamaTensors: readonly TensorRule[] = [
  ...llamaEnds,
  ...llamaNorms,
  ...llamaAttention,
  ...llamaFeed,
];

/** Name prefix and buffers of every file derived from Llama's. */
export const llamaFile = { prefix: "model.", passes: "*.inv_freq" };

import { type Family, ones, rotaryKeys, type TensorRule } from "./family.js";
import { llamaAbsent, llamaFile, llamaSizes } from "./llama-block.js";

/** Norms have no weights; queries and keys rotate the other way, as if halves were exchanged. */
function tensorsOf(norm: string): TensorRule[] {
  return [
    ["embed_tokens", "embed_tokens"],
    ["embedding_norm.weight", norm, "exact"],
    ["norm.weight", norm, "exact"],
    ["layers.#.input_layernorm.weight", norm, "exact"],
    ["layers.#.post_attention_layernorm.weight", norm, "exact"],
    ["layers.#.self_attn.q_proj", "layers.#.self_attn.q_proj", "S"],
    ["layers.#.self_attn.k_proj", "layers.#.self_attn.k_proj", "S"],
    ["layers.#.self_attn.v_proj", "layers.#.self_attn.v_proj"],
    ["layers.#.self_attn.o_proj", "layers.#.self_attn.o_proj"],
    ["layers.#.mlp.up_proj", "layers.#.mlp.fc1"],
    ["layers.#.mlp.down_proj", "layers.#.mlp.fc2"],
  ];
}

/** Karpathy 2025 (nanochat): norms of queries and keys after rotation, which keeps lengths. */
export const nanoChat: Family = {
  id: "nanochat",
  absent: {
    ...llamaAbsent,
    vocab_size: 50304,
    hidden_size: 768,
    intermediate_size: 8192,
    num_hidden_layers: 12,
    num_attention_heads: 6,
    hidden_act: "relu2",
    final_logit_softcapping: 15,
  },
  read(file) {
    const sizes = llamaSizes(file);
    const bias = file.flag("attention_bias");
    const norm = ones(sizes.hiddenSize);
    return {
      ...sizes,
      finalSoftcap: file.number("final_logit_softcapping", 0),
      architecture: {
        head: file.head(),
        activation: file.activation("hidden_act"),
        gated: false,
        embeddingNorm: true,
        queryBias: bias,
        outputBias: bias,
      },
      tensors: tensorsOf(norm.name),
      constants: [norm],
      ...llamaFile,
      layers: { query_key_norm: "plain" },
    };
  },
  layerKeys: rotaryKeys,
};

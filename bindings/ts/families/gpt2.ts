import type { ConfigReader } from "./config-reader.js";
import type { Family, TensorRule } from "./family.js";

export const gptAliases = {
  hidden_size: "n_embd",
  max_position_embeddings: "n_positions",
  num_attention_heads: "n_head",
  num_hidden_layers: "n_layer",
};

/** `flags` of the matrices, `fused` those of queries, keys and values. */
export const gptTensors = (flags: "" | "T", fused: "" | "T" | "heads"): readonly TensorRule[] => [
  ["embed_tokens", "wte"],
  ["position.learned.embeddings", "wpe.weight", "exact"],
  ["norm", "ln_f"],
  ["layers.#.input_layernorm", "h.#.ln_1"],
  ["layers.#.self_attn.q_proj k_proj v_proj", "h.#.attn.c_attn", fused],
  ["layers.#.self_attn.o_proj", "h.#.attn.c_proj", flags],
  ["layers.#.post_attention_layernorm", "h.#.ln_2"],
  ["layers.#.mlp.up_proj", "h.#.mlp.c_fc", flags],
  ["layers.#.mlp.down_proj", "h.#.mlp.c_proj", flags],
];

/** Sizes and arithmetic of GPT-2's block. */
export function gptBlock(file: ConfigReader) {
  const hiddenSize = file.number("n_embd");
  return {
    vocabSize: file.number("vocab_size"),
    hiddenSize,
    numLayers: file.number("n_layer"),
    numHeads: file.number("n_head"),
    intermediateSize: file.number("n_inner", 4 * hiddenSize),
    rmsNormEps: file.number("layer_norm_epsilon"),
    architecture: {
      head: file.head(),
      norm: "layer",
      normBias: true,
      activation: file.activation("activation_function"),
      gated: false,
      queryBias: true,
      outputBias: true,
      feedBias: true,
      attentionScale: file.flag("scale_attn_weights") ? 0 : 1,
    },
  } as const;
}

/** Radford et al. 2019; weights are stored [in, out]. */
export const gpt2: Family = {
  id: "gpt2",
  absent: {
    vocab_size: 50257,
    n_positions: 1024,
    n_embd: 768,
    n_layer: 12,
    n_head: 12,
    activation_function: "gelu_new",
    layer_norm_epsilon: 1e-5,
    scale_attn_weights: true,
    tie_word_embeddings: true,
  },
  aliases: gptAliases,
  read(file) {
    file.only("scale_attn_by_inverse_layer_idx", false);
    file.only("add_cross_attention", false);
    return {
      ...gptBlock(file),
      tensors: gptTensors("T", "T"),
      prefix: "transformer.",
      passes: "*.attn.bias *.attn.masked_bias",
    };
  },
  layerKeys: "n_positions",
  harmless: "afn n_ctx n_special predict_special_tokens reorder_and_upcast_attn",
};

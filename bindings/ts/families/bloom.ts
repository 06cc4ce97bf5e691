import type { Family } from "./family.js";

/** BigScience 2022, arXiv 2211.05100. */
export const bloom: Family = {
  id: "bloom",
  absent: {
    vocab_size: 250880,
    hidden_size: 64,
    n_layer: 2,
    n_head: 8,
    layer_norm_epsilon: 1e-5,
    tie_word_embeddings: true,
  },
  aliases: { num_hidden_layers: "n_layer", num_attention_heads: "n_head", n_embed: "hidden_size" },
  read(file) {
    const hiddenSize = file.number("hidden_size");
    file.only("apply_residual_connection_post_layernorm", false);
    return {
      vocabSize: file.number("vocab_size"),
      hiddenSize,
      numLayers: file.number("n_layer"),
      numHeads: file.number("n_head"),
      intermediateSize: 4 * hiddenSize,
      rmsNormEps: file.number("layer_norm_epsilon"),
      architecture: {
        head: file.head(),
        norm: "layer",
        normBias: true,
        embeddingNorm: true,
        activation: "geluTanh",
        gated: false,
        queryBias: true,
        outputBias: true,
        feedBias: true,
      },
      tensors: [
        ["embed_tokens", "word_embeddings"],
        ["embedding_norm", "word_embeddings_layernorm"],
        ["norm", "ln_f"],
        ["layers.#.input_layernorm", "h.#.input_layernorm"],
        ["layers.#.post_attention_layernorm", "h.#.post_attention_layernorm"],
        ["layers.#.self_attn.q_proj k_proj v_proj", "h.#.self_attention.query_key_value", "heads"],
        ["layers.#.self_attn.o_proj", "h.#.self_attention.dense"],
        ["layers.#.mlp.up_proj", "h.#.mlp.dense_h_to_4h"],
        ["layers.#.mlp.down_proj", "h.#.mlp.dense_4h_to_h"],
      ],
      prefix: "transformer.",
    };
  },
  harmless:
    "attention_softmax_in_fp32 bias_dropout_fusion masked_softmax_fusion n_inner offset_alibi " +
    "seq_length skip_bias_add skip_bias_add_qkv slow_but_exact unk_token_id",
};

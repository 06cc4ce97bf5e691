import type { Family } from "./family.js";

/** MosaicML 2023: ALiBi, no biases. */
export const mpt: Family = {
  id: "mpt",
  absent: {
    d_model: 2048,
    n_heads: 16,
    n_layers: 24,
    max_seq_len: 2048,
    vocab_size: 50368,
    layer_norm_epsilon: 1e-5,
    tie_word_embeddings: true,
  },
  aliases: {
    num_attention_heads: "n_heads",
    hidden_size: "d_model",
    num_hidden_layers: "n_layers",
  },
  read(file) {
    const hiddenSize = file.number("d_model");
    const attention = file.value("attn_config");
    file.notNull("true", "attn_config.alibi");
    file.only("attn_config.clip_qkv");
    file.only("attn_config.qk_ln", false);
    file.only("attn_config.prefix_lm", false);
    file.only("attn_config.attn_uses_sequence_id", false);
    file.only("attn_config.attn_type", "multihead_attention");
    file.only("attn_config.alibi", true);
    // Transformers uses 8, whatever the value.
    file.only("attn_config.alibi_bias_max", 8);
    file.only("no_bias", true);
    file.only("embedding_fraction", 1);
    file.only("expansion_ratio", 4);
    file.only("logit_scale");
    return {
      vocabSize: file.number("vocab_size"),
      hiddenSize,
      numLayers: file.number("n_layers"),
      numHeads: file.number("n_heads"),
      intermediateSize: 4 * hiddenSize,
      rmsNormEps: file.number("layer_norm_epsilon"),
      architecture: {
        head: file.head(),
        norm: "layer",
        activation: "gelu",
        gated: false,
        attentionScale: file.number("attn_config.softmax_scale", 0),
      },
      tensors: [
        ["embed_tokens", "wte"],
        ["norm", "norm_f"],
        ["layers.#.input_layernorm", "blocks.#.norm_1"],
        ["layers.#.post_attention_layernorm", "blocks.#.norm_2"],
        ["layers.#.self_attn.q_proj k_proj v_proj", "blocks.#.attn.Wqkv"],
        ["layers.#.self_attn.o_proj", "blocks.#.attn.out_proj"],
        ["layers.#.mlp.up_proj", "blocks.#.ffn.up_proj"],
        ["layers.#.mlp.down_proj", "blocks.#.ffn.down_proj"],
      ],
      prefix: "transformer.",
      layers: { attn_config: { alibi: true, ...(attention as object) } },
    };
  },
  layerKeys: "max_seq_len",
  harmless: "init_config init_device learned_pos_emb norm_type verbose",
};

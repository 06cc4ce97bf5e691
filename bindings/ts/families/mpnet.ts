import { encoderArchitecture } from "./bert.js";
import type { Family } from "./family.js";

const block = "encoder.layer.#";

/** Song et al. 2020, arXiv 2004.09297: learned positions, and T5's buckets in addition. */
export const mpnet: Family = {
  id: "mpnet",
  absent: {
    vocab_size: 30527,
    hidden_size: 768,
    num_hidden_layers: 12,
    num_attention_heads: 12,
    intermediate_size: 3072,
    hidden_act: "gelu",
    max_position_embeddings: 512,
    layer_norm_eps: 1e-12,
    pad_token_id: 1,
  },
  read(file) {
    file.only("pad_token_id", 1);
    // Transformers uses 32, whatever the value.
    file.only("relative_attention_num_buckets", 32);
    return {
      vocabSize: file.number("vocab_size"),
      hiddenSize: file.number("hidden_size"),
      numLayers: file.number("num_hidden_layers"),
      numHeads: file.number("num_attention_heads"),
      intermediateSize: file.number("intermediate_size"),
      rmsNormEps: file.number("layer_norm_eps"),
      isCausal: false,
      architecture: { ...encoderArchitecture, activation: file.activation("hidden_act") },
      tensors: [
        ["embed_tokens", "embeddings.word_embeddings"],
        ["position.learned.embeddings", "embeddings.position_embeddings.weight", "exact"],
        ["position.t5.relative_attention_bias", "encoder.relative_attention_bias.weight", "exact"],
        ["embedding_norm", "embeddings.LayerNorm"],
        ["layers.#.self_attn.q_proj", `${block}.attention.attn.q`],
        ["layers.#.self_attn.k_proj", `${block}.attention.attn.k`],
        ["layers.#.self_attn.v_proj", `${block}.attention.attn.v`],
        ["layers.#.self_attn.o_proj", `${block}.attention.attn.o`],
        ["layers.#.attention_norm", `${block}.attention.LayerNorm`],
        ["layers.#.mlp.up_proj", `${block}.intermediate.dense`],
        ["layers.#.mlp.down_proj", `${block}.output.dense`],
        ["layers.#.feed_norm", `${block}.output.LayerNorm`],
      ],
      prefix: "mpnet.",
      passes: "embeddings.position_ids pooler.* lm_head.* classifier.* qa_outputs.*",
    };
  },
  layerKeys: "max_position_embeddings",
  harmless: "tie_word_embeddings type_vocab_size",
};

import { encoderArchitecture } from "./bert.js";
import type { Family } from "./family.js";

const block = "transformer.layer.#";

/** Sanh et al. 2019, arXiv 1910.01108. */
export const distilbert: Family = {
  id: "distilbert",
  absent: {
    vocab_size: 30522,
    max_position_embeddings: 512,
    n_layers: 6,
    n_heads: 12,
    dim: 768,
    hidden_dim: 3072,
    activation: "gelu",
  },
  aliases: { hidden_size: "dim", num_attention_heads: "n_heads", num_hidden_layers: "n_layers" },
  read: (file) => ({
    vocabSize: file.number("vocab_size"),
    hiddenSize: file.number("dim"),
    numLayers: file.number("n_layers"),
    numHeads: file.number("n_heads"),
    intermediateSize: file.number("hidden_dim"),
    rmsNormEps: 1e-12,
    isCausal: false,
    architecture: { ...encoderArchitecture, activation: file.activation("activation") },
    tensors: [
      ["embed_tokens", "embeddings.word_embeddings"],
      ["position.learned.embeddings", "embeddings.position_embeddings.weight", "exact"],
      ["embedding_norm", "embeddings.LayerNorm"],
      ["layers.#.self_attn.q_proj", `${block}.attention.q_lin`],
      ["layers.#.self_attn.k_proj", `${block}.attention.k_lin`],
      ["layers.#.self_attn.v_proj", `${block}.attention.v_lin`],
      ["layers.#.self_attn.o_proj", `${block}.attention.out_lin`],
      ["layers.#.attention_norm", `${block}.sa_layer_norm`],
      ["layers.#.mlp.up_proj", `${block}.ffn.lin1`],
      ["layers.#.mlp.down_proj", `${block}.ffn.lin2`],
      ["layers.#.feed_norm", `${block}.output_layer_norm`],
    ],
    prefix: "distilbert.",
    passes:
      "embeddings.position_ids vocab_layer_norm.* vocab_projector.* vocab_transform.* " +
      "pre_classifier.* classifier.* qa_outputs.*",
  }),
  layerKeys: "max_position_embeddings sinusoidal_pos_embds",
  harmless: "tie_weights_ tie_word_embeddings",
};

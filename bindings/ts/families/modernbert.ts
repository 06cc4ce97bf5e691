import type { ConfigReader } from "./config-reader.js";
import type { Family, FamilyConfig } from "./family.js";
import { rotaryOfTypes } from "./rotary-types.js";

function read(file: ConfigReader): FamilyConfig {
  const bias = file.flag("attention_bias");
  file.notNull("a number", "global_rope_theta", "local_rope_theta");
  const bases = rotaryOfTypes(
    file,
    {
      full_attention: ["global_rope_theta", 160_000],
      sliding_attention: ["local_rope_theta", 10_000],
    },
    ["full_attention", "sliding_attention"],
  );
  return {
    vocabSize: file.number("vocab_size"),
    hiddenSize: file.number("hidden_size"),
    numLayers: file.number("num_hidden_layers"),
    numHeads: file.number("num_attention_heads"),
    intermediateSize: file.number("intermediate_size"),
    rmsNormEps: file.number("norm_eps"),
    isCausal: false,
    architecture: {
      head: "none",
      norm: "layer",
      normBias: file.flag("norm_bias"),
      embeddingNorm: true,
      // The token vectors are already normalised.
      firstNorm: false,
      activation: file.activation("hidden_activation"),
      queryBias: bias,
      outputBias: bias,
      feedBias: file.flag("mlp_bias"),
    },
    tensors: [
      ["embed_tokens", "embeddings.tok_embeddings"],
      ["embedding_norm", "embeddings.norm"],
      ["norm", "final_norm"],
      ["layers.#.input_layernorm", "layers.#.attn_norm"],
      ["layers.#.self_attn.q_proj k_proj v_proj", "layers.#.attn.Wqkv"],
      ["layers.#.self_attn.o_proj", "layers.#.attn.Wo"],
      ["layers.#.post_attention_layernorm", "layers.#.mlp_norm"],
      ["layers.#.mlp.gate_proj up_proj", "layers.#.mlp.Wi"],
      ["layers.#.mlp.down_proj", "layers.#.mlp.Wo"],
    ],
    prefix: "model.",
    passes: "head.* decoder.* classifier.*",
    layers: {
      ...bases,
      // `local_attention` counts both sides together; the query itself is one more.
      sliding_window: Math.floor(file.number("local_attention") / 2) + 1,
    },
  };
}

/** Warner et al. 2024, arXiv 2412.13663. */
export const modernbert: Family = {
  id: "modernbert",
  absent: {
    vocab_size: 50368,
    hidden_size: 768,
    intermediate_size: 1152,
    num_hidden_layers: 22,
    num_attention_heads: 12,
    hidden_activation: "gelu",
    max_position_embeddings: 8192,
    norm_eps: 1e-5,
    norm_bias: false,
    attention_bias: false,
    mlp_bias: false,
    local_attention: 128,
    global_attn_every_n_layers: 3,
  },
  read,
  layerKeys:
    "layer_types rope_parameters rope_scaling global_attn_every_n_layers " +
    "max_position_embeddings position_embedding_type",
  harmless:
    "classifier_activation classifier_bias classifier_pooling decoder_bias " +
    "deterministic_flash_attn initializer_cutoff_factor layer_norm_eps mlp_dropout " +
    "reference_compile repad_logits_with_grad sparse_pred_ignore_index sparse_prediction " +
    "tie_word_embeddings",
};

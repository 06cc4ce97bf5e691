import type { ConfigReader } from "./config-reader.js";
import type { Family, FamilyConfig, TensorRule } from "./family.js";
import { rotaryOfTypes } from "./rotary-types.js";

const norms: readonly TensorRule[] = [
  ["embed_tokens", "embeddings.tok_embeddings"],
  ["embedding_norm", "embeddings.norm"],
  ["norm", "final_norm"],
  ["layers.#.input_layernorm", "layers.#.attn_norm"],
  ["layers.#.post_attention_layernorm", "layers.#.mlp_norm"],
];
const fused = "layers.#.self_attn.q_proj k_proj v_proj";
const feed: readonly TensorRule[] = [
  ["layers.#.mlp.gate_proj up_proj", "layers.#.mlp.Wi"],
  ["layers.#.mlp.down_proj", "layers.#.mlp.Wo"],
];

/** All but the window. */
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
      ...norms,
      [fused, "layers.#.attn.Wqkv"],
      ["layers.#.self_attn.o_proj", "layers.#.attn.Wo"],
      ...feed,
    ],
    prefix: "model.",
    passes: "head.* decoder.* classifier.*",
    layers: bases,
  };
}

/** `local_attention` counts both sides together. */
const sideOf = (file: ConfigReader) => Math.floor(file.number("local_attention") / 2);

const absent = {
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
};
const layerKeys =
  "layer_types rope_parameters rope_scaling global_attn_every_n_layers " +
  "max_position_embeddings position_embedding_type";
const harmless =
  "classifier_activation classifier_bias classifier_pooling decoder_bias " +
  "deterministic_flash_attn initializer_cutoff_factor layer_norm_eps mlp_dropout " +
  "reference_compile repad_logits_with_grad sparse_pred_ignore_index sparse_prediction " +
  "tie_word_embeddings";

/** Warner et al. 2024, arXiv 2412.13663. */
export const modernbert: Family = {
  id: "modernbert",
  absent,
  read(file) {
    const { layers, ...rest } = read(file);
    // The query itself is one more.
    return { ...rest, layers: { ...layers, sliding_window: sideOf(file) + 1 } };
  },
  layerKeys,
  harmless,
};

/**
 * Weller et al. 2025, arXiv 2507.11412 (Ettin's decoders): hidden states only, since the head has a
 * layer of its own before the scores.
 */
export const modernbertDecoder: Family = {
  id: "modernbert-decoder",
  absent,
  read(file) {
    const { layers, ...rest } = read(file);
    file.only("causal_mask", true);
    file.only("is_causal", true);
    // The file's own length wins.
    const window = file.value("sliding_window") ?? sideOf(file);
    return {
      ...rest,
      isCausal: true,
      tensors: [
        ...norms,
        ...["q_proj", "k_proj", "v_proj"].map(
          (name): TensorRule => [`layers.#.self_attn.${name}`, `layers.#.attn.${name}`],
        ),
        ["layers.#.self_attn.o_proj", "layers.#.attn.Wo"],
        ...feed,
      ],
      passes: "lm_head.* decoder.* classifier.*",
      // A side of ModernBERT's window, with the query in it.
      layers: { ...layers, sliding_window: window },
    };
  },
  layerKeys,
  harmless: `${harmless} local_attention`,
};

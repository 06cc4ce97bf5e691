import { isObject } from "../config/scheme-file.js";
import type { ConfigReader } from "./config-reader.js";
import type { Family, FamilyReading } from "./family.js";

/** The bases of layers that see all and of those with a window, in either version's words. */
function bases(file: ConfigReader) {
  const given = file.value("rope_parameters");
  const of = (type: string, key: string, absent: number) => {
    const own = isObject(given) ? given[type] : undefined;
    const base = file.number(key, absent);
    return isObject(own) ? { rope_theta: base, ...own } : { rope_theta: base };
  };
  const full = of("full_attention", "global_rope_theta", 160_000);
  const sliding = of("sliding_attention", "local_rope_theta", 10_000);
  return {
    rope_parameters: { full_attention: full, sliding_attention: sliding },
    global_rope_theta: full.rope_theta,
    local_rope_theta: sliding.rope_theta,
  };
}

function read(file: ConfigReader): FamilyReading {
  const bias = file.flag("attention_bias", false);
  const every = file.value("layer_types")
    ? undefined
    : file.number("global_attn_every_n_layers", 3);
  return {
    vocabSize: file.number("vocab_size"),
    hiddenSize: file.number("hidden_size"),
    numLayers: file.number("num_hidden_layers"),
    numHeads: file.number("num_attention_heads"),
    intermediateSize: file.number("intermediate_size"),
    rmsNormEps: file.number("norm_eps", 1e-5),
    isCausal: false,
    architecture: {
      head: "none",
      norm: "layer",
      normBias: file.flag("norm_bias", false),
      embeddingNorm: true,
      // The token vectors have been normalised already.
      firstNorm: false,
      activation: file.activation("hidden_activation", "gelu"),
      queryBias: bias,
      outputBias: bias,
      feedBias: file.flag("mlp_bias", false),
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
      ...bases(file),
      ...(every === undefined ? {} : { global_attn_every_n_layers: every }),
      // So many tokens on both sides together, and the query's own.
      sliding_window: Math.floor(file.number("local_attention", 128) / 2) + 1,
    },
  };
}

/** Warner et al. 2024, arXiv 2412.13663. */
export const modernbert: Family = {
  id: "modernbert",
  read,
  layerKeys: "layer_types rope_scaling max_position_embeddings position_embedding_type",
  harmless:
    "classifier_activation classifier_bias classifier_pooling decoder_bias " +
    "deterministic_flash_attn initializer_cutoff_factor layer_norm_eps mlp_dropout " +
    "reference_compile repad_logits_with_grad sparse_pred_ignore_index sparse_prediction " +
    "tie_word_embeddings",
};

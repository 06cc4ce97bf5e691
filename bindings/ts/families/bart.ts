import type { Architecture } from "../types/index.js";
import type { ConfigReader } from "./config-reader.js";
import type { Family, FamilyConfig, TensorRule } from "./family.js";

type Part = "encoder" | "decoder";

const projections = (ours: string, theirs: string): TensorRule[] => [
  [`${ours}.q_proj`, `${theirs}.q_proj`],
  [`${ours}.k_proj`, `${theirs}.k_proj`],
  [`${ours}.v_proj`, `${theirs}.v_proj`],
  [`${ours}.o_proj`, `${theirs}.out_proj`],
];

function tensors(part: Part, embedding: string): TensorRule[] {
  const block = `${part}.layers.#`;
  const shared: TensorRule[] = [
    ["embed_tokens", embedding],
    ["embedding_norm", `${part}.layernorm_embedding`],
    ["position.learned.embeddings", `${part}.embed_positions.weight`, "exact"],
    ...projections("layers.#.self_attn", `${block}.self_attn`),
    ["layers.#.attention_norm", `${block}.self_attn_layer_norm`],
    ["layers.#.mlp.up_proj", `${block}.fc1`],
    ["layers.#.mlp.down_proj", `${block}.fc2`],
    ["layers.#.feed_norm", `${block}.final_layer_norm`],
  ];
  if (part === "encoder") return shared;
  return [
    ...shared,
    ...projections("layers.#.cross_attn", `${block}.encoder_attn`),
    ["layers.#.cross_norm", `${block}.encoder_attn_layer_norm`],
    ["lm_head.bias", "final_logits_bias", "exact F"],
  ];
}

/** Differences between the families derived from BART. */
export interface BartKind {
  /** Whether token vectors have a norm. */
  isNormed: boolean;
  /** Factor of token vectors, beside the position scheme's. */
  scale: number;
  /** Names of the embedding in files: one shared, or one for encoder and decoder each. */
  embeddings: Record<Part, string>;
  vocabSizes: Record<Part, number>;
  start: number;
}

/** Encoder and decoder with norms after attention and feed-forward, and biases everywhere. */
export function bartConfig(file: ConfigReader, kind: BartKind): FamilyConfig {
  // Written by older versions; models with other values have other family names.
  file.only("normalize_before", false);
  file.only("add_final_layer_norm", false);
  file.only("normalize_embedding", kind.isNormed);
  file.only("is_decoder", false);
  file.only("is_encoder_decoder", true);
  const architecture = {
    norm: "layer",
    normBias: true,
    normPlace: "after",
    finalNorm: false,
    embeddingNorm: kind.isNormed,
    gated: false,
    queryBias: true,
    outputBias: true,
    feedBias: true,
    activation: file.activation("activation_function"),
    embeddingScale: kind.scale,
  } satisfies Architecture;
  const sizes = (part: Part) => ({
    vocabSize: kind.vocabSizes[part],
    hiddenSize: file.number("d_model"),
    numLayers: file.number(`${part}_layers`),
    numHeads: file.number(`${part}_attention_heads`),
    intermediateSize: file.number(`${part}_ffn_dim`),
    rmsNormEps: 1e-5,
    tensors: tensors(part, kind.embeddings[part]),
    prefix: "model.",
  });
  return {
    ...sizes("decoder"),
    architecture: {
      ...architecture,
      head: file.head(),
      headBias: true,
      crossAttention: true,
    },
    passes: "encoder.* *.embed_tokens.weight *.embed_positions.weight",
    encoder: {
      ...sizes("encoder"),
      isCausal: false,
      architecture: { ...architecture, head: "none" },
      passes:
        "decoder.* *.embed_tokens.weight *.embed_positions.weight lm_head.* final_logits_bias",
    },
    start: kind.start,
  };
}

export const bartAbsent = {
  vocab_size: 50265,
  max_position_embeddings: 1024,
  d_model: 1024,
  encoder_layers: 12,
  encoder_ffn_dim: 4096,
  encoder_attention_heads: 16,
  decoder_layers: 12,
  decoder_ffn_dim: 4096,
  decoder_attention_heads: 16,
  activation_function: "gelu",
  scale_embedding: false,
  decoder_start_token_id: 2,
  tie_word_embeddings: true,
};
export const bartAliases = {
  num_attention_heads: "encoder_attention_heads",
  hidden_size: "d_model",
  num_hidden_layers: "encoder_layers",
};

/** Keys of older versions' configs, and keys for summaries of tasks. */
export const bartHarmless =
  "add_bias_logits classif_dropout decoder_layerdrop encoder_layerdrop extra_pos_embeddings " +
  "force_bos_token_to_be_generated save_step " +
  "static_position_embeddings";

/** Lewis et al. 2019, arXiv 1910.13461. */
export const bart: Family = {
  id: "bart",
  absent: bartAbsent,
  aliases: bartAliases,
  read(file) {
    const scaled = file.flag("scale_embedding", false);
    const vocabulary = file.number("vocab_size");
    const shared = "shared|decoder.embed_tokens|encoder.embed_tokens";
    return bartConfig(file, {
      isNormed: true,
      scale: scaled ? Math.sqrt(file.number("d_model")) : 1,
      embeddings: { encoder: shared, decoder: shared },
      vocabSizes: { encoder: vocabulary, decoder: vocabulary },
      start: file.number("decoder_start_token_id", 2),
    });
  },
  layerKeys: "max_position_embeddings",
  harmless: bartHarmless,
};

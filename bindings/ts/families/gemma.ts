import type { ConfigReader } from "./config-reader.js";
import { type Family, rotaryKeys, type TensorRule, windowKeys } from "./family.js";
import { llamaAbsent, llamaAttention, llamaFeed, llamaFile, llamaSizes } from "./llama-block.js";
import { rotaryOfTypes } from "./rotary-types.js";

/** Norms multiply by 1 + w. */
const ends: readonly TensorRule[] = [
  ["embed_tokens", "embed_tokens"],
  ["norm", "norm", "1"],
  ["layers.#.input_layernorm", "layers.#.input_layernorm", "1"],
];
const fourNorms: readonly TensorRule[] = [
  ["layers.#.attention_norm", "layers.#.post_attention_layernorm", "1"],
  ["layers.#.post_attention_layernorm", "layers.#.pre_feedforward_layernorm", "1"],
  ["layers.#.feed_norm", "layers.#.post_feedforward_layernorm", "1"],
];

const absent = {
  ...llamaAbsent,
  vocab_size: 256000,
  hidden_size: 3072,
  intermediate_size: 24576,
  num_hidden_layers: 28,
  num_attention_heads: 16,
  num_key_value_heads: 16,
  head_dim: 256,
  hidden_act: "gelu_pytorch_tanh",
  max_position_embeddings: 8192,
  tie_word_embeddings: true,
};
const { hidden_act, ...others } = absent;
const absentAround = {
  ...others,
  hidden_size: 2304,
  intermediate_size: 9216,
  num_hidden_layers: 26,
  num_attention_heads: 8,
  num_key_value_heads: 4,
  hidden_activation: hidden_act,
  query_pre_attn_scalar: 256,
  sliding_window: 4096,
};

function read(file: ConfigReader, activation: string) {
  const bias = file.flag("attention_bias");
  const sizes = llamaSizes(file);
  const said = file.value(activation);
  // Gemma's first files have "gelu" and mean its tanh approximation.
  const word = said === "gelu" && activation === "hidden_act" ? "gelu_pytorch_tanh" : said;
  return {
    ...sizes,
    headDim: file.number("head_dim"),
    architecture: {
      head: file.head(),
      activation: file.activationOf(activation, word),
      queryBias: bias,
      outputBias: bias,
      embeddingScale: Math.sqrt(sizes.hiddenSize),
    },
    tensors: [...ends, ...llamaAttention, ...llamaFeed],
    ...llamaFile,
  };
}

/** Norms before and after attention and feed-forward, a query scale and softcaps. */
function readAround(file: ConfigReader) {
  const { architecture, tensors, ...rest } = read(file, "hidden_activation");
  return {
    ...rest,
    softcap: file.number("attn_logit_softcapping", 0),
    finalSoftcap: file.number("final_logit_softcapping", 0),
    architecture: {
      ...architecture,
      normPlace: "around" as const,
      attentionScale: file.number("query_pre_attn_scalar") ** -0.5,
    },
    tensors: [...tensors, ...fourNorms],
  };
}

/** Gemma Team 2024, arXiv 2403.08295. */
export const gemma: Family = {
  id: "gemma",
  absent,
  read(file) {
    file.only("use_bidirectional_attention", false);
    const { tensors, ...rest } = read(file, "hidden_act");
    const feedNorm = "layers.#.post_attention_layernorm";
    return { ...rest, tensors: [...tensors, [feedNorm, feedNorm, "1"]] };
  },
  layerKeys: rotaryKeys,
  harmless: "hidden_activation",
};

/** Gemma Team 2024, arXiv 2408.00118: every other layer has a window, from the first on. */
export const gemma2: Family = {
  id: "gemma2",
  absent: { ...absentAround, attn_logit_softcapping: 50, final_logit_softcapping: 30 },
  read(file) {
    file.only("use_bidirectional_attention", false);
    const count = Math.min(file.number("num_hidden_layers"), 256);
    const types = Array.from({ length: count }, (_, i) =>
      i % 2 ? "full_attention" : "sliding_attention",
    );
    return { ...readAround(file), layers: { layer_types: file.value("layer_types") ?? types } };
  },
  layerKeys: `${rotaryKeys} ${windowKeys}`,
  harmless: "hidden_act sliding_window_size",
};

/**
 * Gemma Team 2025, arXiv 2503.19786: five layers with a window, then one without. EmbeddingGemma
 * (arXiv 2509.20354) reads both sides, and its windows count both together.
 */
export const gemma3: Family = {
  id: "gemma3_text",
  absent: {
    ...absentAround,
    vocab_size: 262208,
    max_position_embeddings: 131072,
    sliding_window_pattern: 6,
  },
  read(file) {
    const { tensors, ...rest } = readAround(file);
    const isCausal = !file.flag("use_bidirectional_attention", false);
    const reach = isCausal
      ? {}
      : { sliding_window: Math.floor(file.number("sliding_window") / 2) + 1 };
    if (file.value("layer_types") === undefined) file.number("sliding_window_pattern");
    const bases = rotaryOfTypes(file, {
      full_attention: ["rope_theta", 1e6],
      sliding_attention: ["rope_local_base_freq", 1e4],
    });
    return {
      ...rest,
      isCausal,
      tensors: [
        ...tensors,
        ["layers.#.self_attn.q_norm", "layers.#.self_attn.q_norm", "1"],
        ["layers.#.self_attn.k_norm", "layers.#.self_attn.k_norm", "1"],
      ],
      layers: {
        query_key_norm: "weighted",
        ...bases,
        ...reach,
      },
    };
  },
  layerKeys: `${rotaryKeys} ${windowKeys}`,
  harmless: "hidden_act sliding_window_pattern _sliding_window_pattern",
};

import type { ConfigReader } from "./config-reader.js";
import { type Family, rotaryKeys, type TensorRule, windowKeys } from "./family.js";
import { llamaAttention, llamaFeed, llamaFile, llamaSizes } from "./llama-block.js";

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

/** One word for the activation stands under two keys, or under either. */
function activation(file: ConfigReader) {
  const word = file.value("hidden_activation");
  if (word === undefined) return file.activation("hidden_act", "gelu_pytorch_tanh");
  file.only("hidden_act", word);
  return file.activation("hidden_activation", "");
}

function read(file: ConfigReader) {
  const bias = file.flag("attention_bias", false);
  file.only("use_bidirectional_attention", false);
  const sizes = llamaSizes(file);
  return {
    ...sizes,
    headDim: file.number("head_dim", 256),
    architecture: {
      head: file.head("tied"),
      activation: activation(file),
      queryBias: bias,
      outputBias: bias,
      embeddingScale: Math.sqrt(sizes.hiddenSize),
    },
    tensors: [...ends, ...llamaAttention, ...llamaFeed],
    ...llamaFile,
  };
}

/** Norms on both sides of attention and feed-forward, a scale and caps of their own. */
function readAround(file: ConfigReader) {
  const { architecture, tensors, ...rest } = read(file);
  return {
    ...rest,
    softcap: file.number("attn_logit_softcapping", 0),
    finalSoftcap: file.number("final_logit_softcapping", 0),
    architecture: {
      ...architecture,
      normPlace: "around" as const,
      attentionScale: file.number("query_pre_attn_scalar", 256) ** -0.5,
    },
    tensors: [...tensors, ...fourNorms],
  };
}

/** Gemma Team 2024, arXiv 2403.08295. */
export const gemma: Family = {
  id: "gemma",
  read(file) {
    const { tensors, ...rest } = read(file);
    const feedNorm = "layers.#.post_attention_layernorm";
    return { ...rest, tensors: [...tensors, [feedNorm, feedNorm, "1"]] };
  },
  layerKeys: rotaryKeys,
};

/** Gemma Team 2024, arXiv 2408.00118: every other layer has a window, the first one too. */
export const gemma2: Family = {
  id: "gemma2",
  read(file) {
    const count = Math.min(file.number("num_hidden_layers"), 256);
    const types = Array.from({ length: count }, (_, i) =>
      i % 2 ? "full_attention" : "sliding_attention",
    );
    return { ...readAround(file), layers: { layer_types: file.value("layer_types") ?? types } };
  },
  layerKeys: `${rotaryKeys} ${windowKeys}`,
  harmless: "cache_implementation",
};

/** Gemma Team 2025, arXiv 2503.19786: five layers with a window for one without. */
export const gemma3: Family = {
  id: "gemma3_text",
  read(file) {
    const { tensors, ...rest } = readAround(file);
    const said = ["layer_types", "sliding_window_pattern", "_sliding_window_pattern"].map((key) =>
      file.value(key),
    );
    // Both are what Transformers takes where a file is silent.
    const rhythm = said[0] === undefined ? { sliding_window_pattern: said[1] ?? said[2] ?? 6 } : {};
    const bases =
      file.value("rope_parameters") === undefined
        ? {
            rope_theta: file.value("rope_theta") ?? 1e6,
            rope_local_base_freq: file.value("rope_local_base_freq") ?? 1e4,
          }
        : {};
    return {
      ...rest,
      tensors: [
        ...tensors,
        ["layers.#.self_attn.q_norm", "layers.#.self_attn.q_norm", "1"],
        ["layers.#.self_attn.k_norm", "layers.#.self_attn.k_norm", "1"],
      ],
      layers: { query_key_norm: "weighted", ...rhythm, ...bases },
    };
  },
  layerKeys: `${rotaryKeys} ${windowKeys} sliding_window_pattern rope_local_base_freq`,
  harmless: "cache_implementation",
};

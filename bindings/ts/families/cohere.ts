import type { ConfigReader } from "./config-reader.js";
import { type Family, type FamilyReading, rotaryKeys, windowKeys } from "./family.js";
import { llamaAttention, llamaEnds, llamaFeed, llamaFile, llamaSizes } from "./llama-block.js";

function read(file: ConfigReader): FamilyReading {
  const bias = file.flag("attention_bias", false);
  return {
    ...llamaSizes(file, "layer_norm_eps", 1e-5),
    architecture: {
      head: file.head("tied"),
      norm: "layer",
      residual: "shared",
      activation: file.activation("hidden_act", "silu"),
      queryBias: bias,
      outputBias: bias,
      logitScale: file.number("logit_scale", 0.0625),
    },
    tensors: [
      ...llamaEnds,
      ...llamaAttention,
      ...llamaFeed,
      ["layers.#.input_layernorm", "layers.#.input_layernorm"],
    ],
    ...llamaFile,
  };
}

/** Cohere's Command R. */
export const cohere: Family = {
  id: "cohere",
  read(file) {
    const reading = read(file);
    if (!file.flag("use_qk_norm", false)) return reading;
    return {
      ...reading,
      tensors: [
        ...reading.tensors,
        ["layers.#.self_attn.q_norm", "layers.#.self_attn.q_norm", "F"],
        ["layers.#.self_attn.k_norm", "layers.#.self_attn.k_norm", "F"],
      ],
      // Not Llama 4's norm of that name, which has no weights.
      layers: { query_key_norm: "layerHeads", use_qk_norm: false },
    };
  },
  layerKeys: rotaryKeys,
};

/** Command R7B (Cohere et al. 2025, arXiv 2504.00698): rotation in layers with a window alone. */
export const cohere2: Family = {
  id: "cohere2",
  read,
  layerKeys: `${rotaryKeys} ${windowKeys} sliding_window_pattern`,
};

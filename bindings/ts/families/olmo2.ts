import { type Family, rotaryKeys } from "./family.js";
import {
  llamaAbsent,
  llamaAttention,
  llamaEnds,
  llamaFeed,
  llamaFile,
  llamaSizes,
  queryKeyNorms,
} from "./llama-block.js";

/** OLMo et al. 2024, arXiv 2501.00656: norms on the outputs of attention and feed-forward. */
export const olmo2: Family = {
  id: "olmo2",
  absent: { ...llamaAbsent, vocab_size: 50304, rms_norm_eps: 1e-5 },
  read(file) {
    const bias = file.flag("attention_bias");
    return {
      ...llamaSizes(file),
      architecture: {
        head: file.head(),
        activation: file.activation("hidden_act"),
        normPlace: "output",
        queryBias: bias,
        outputBias: bias,
      },
      tensors: [
        ...llamaEnds,
        ...llamaAttention,
        ...llamaFeed,
        ...queryKeyNorms,
        ["layers.#.attention_norm", "layers.#.post_attention_layernorm"],
        ["layers.#.feed_norm", "layers.#.post_feedforward_layernorm"],
      ],
      ...llamaFile,
      layers: { query_key_norm: "whole" },
    };
  },
  layerKeys: rotaryKeys,
};

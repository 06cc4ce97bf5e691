import type { ConfigReader } from "./config-reader.js";
import {
  type Family,
  type FamilyConfig,
  rotaryKeys,
  type TensorRule,
  windowKeys,
} from "./family.js";
import {
  llamaAbsent,
  llamaAttention,
  llamaEnds,
  llamaFeed,
  llamaFile,
  llamaSizes,
  queryKeyNorms,
} from "./llama-block.js";
import { rotaryOfTypes } from "./rotary-types.js";

/** Llama's tensors, with norms on the outputs of attention and feed-forward. */
export const outputNormTensors: readonly TensorRule[] = [
  ...llamaEnds,
  ...llamaAttention,
  ...llamaFeed,
  ["layers.#.attention_norm", "layers.#.post_attention_layernorm"],
  ["layers.#.feed_norm", "layers.#.post_feedforward_layernorm"],
];

const absent = { ...llamaAbsent, vocab_size: 50304 };

function read(file: ConfigReader): FamilyConfig {
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
    tensors: [...outputNormTensors, ...queryKeyNorms],
    ...llamaFile,
    layers: { query_key_norm: "whole" },
  };
}

/** OLMo et al. 2024, arXiv 2501.00656. */
export const olmo2: Family = {
  id: "olmo2",
  absent: { ...absent, rms_norm_eps: 1e-5 },
  read,
  layerKeys: rotaryKeys,
};

/** OLMo 3 (Ai2 2025): three layers with a window, then one without, whose rotation is scaled. */
export const olmo3: Family = {
  id: "olmo3",
  absent: { ...absent, rms_norm_eps: 1e-5, sliding_window: 4096, sliding_window_pattern: 4 },
  read(file) {
    const { layers, ...rest } = read(file);
    const bases = rotaryOfTypes(file, {
      full_attention: ["rope_theta", 500_000],
      // Transformers reads the file's only base for the other layers.
      sliding_attention: ["", 500_000],
    });
    return { ...rest, layers: { ...layers, ...bases } };
  },
  layerKeys: `${rotaryKeys} ${windowKeys}`,
};

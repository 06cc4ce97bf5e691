import { type Family, rotaryKeys, windowKeys } from "./family.js";
import { llamaAbsent, llamaFile, llamaSizes, llamaTensors } from "./llama-block.js";

/** Layers without rotation have the window. */
const windowsOf = (rotates: unknown) =>
  Array.isArray(rotates)
    ? rotates.map((hasRotation) => (hasRotation ? "full_attention" : "sliding_attention"))
    : [];

/** Bakouch et al. 2025: every fourth layer is without rotation. */
export const smollm3: Family = {
  id: "smollm3",
  absent: {
    ...llamaAbsent,
    vocab_size: 128256,
    hidden_size: 2048,
    num_hidden_layers: 36,
    num_attention_heads: 16,
    num_key_value_heads: 4,
    max_position_embeddings: 32768,
    tie_word_embeddings: true,
    use_sliding_window: false,
    no_rope_layer_interval: 4,
  },
  read(file) {
    const bias = file.flag("attention_bias");
    const every = file.number("no_rope_layer_interval");
    const count = file.number("num_hidden_layers");
    const rotates =
      file.value("no_rope_layers") ??
      Array.from({ length: Math.min(count, 256) }, (_, i) => Number((i + 1) % every !== 0));
    const isWindowed =
      file.flag("use_sliding_window") && file.value("sliding_window") !== undefined;
    return {
      ...llamaSizes(file),
      architecture: {
        head: file.head(),
        activation: file.activation("hidden_act"),
        queryBias: bias,
        outputBias: bias,
        feedBias: file.flag("mlp_bias"),
      },
      tensors: llamaTensors,
      ...llamaFile,
      layers: {
        no_rope_layers: rotates,
        ...(isWindowed
          ? { layer_types: file.value("layer_types") ?? windowsOf(rotates) }
          : { sliding_window: null }),
      },
    };
  },
  layerKeys: `${rotaryKeys} ${windowKeys}`,
  harmless: "max_window_layers",
};

import { type Family, rotaryKeys, windowKeys } from "./family.js";
import { llamaFile, llamaSizes, llamaTensors } from "./llama-block.js";

/** Bakouch et al. 2025: every fourth layer has no rotation. */
export const smollm3: Family = {
  id: "smollm3",
  read(file) {
    const bias = file.flag("attention_bias", false);
    const every = file.number("no_rope_layer_interval", 4);
    const count = file.number("num_hidden_layers");
    const turns =
      file.value("no_rope_layers") ??
      Array.from({ length: Math.min(count, 256) }, (_, i) => Number((i + 1) % every !== 0));
    return {
      ...llamaSizes(file),
      architecture: {
        head: file.head("tied"),
        activation: file.activation("hidden_act", "silu"),
        queryBias: bias,
        outputBias: bias,
        feedBias: file.flag("mlp_bias", false),
      },
      tensors: llamaTensors,
      ...llamaFile,
      layers: {
        no_rope_layers: turns,
        // Without it the window is not used, whatever it is.
        ...(file.flag("use_sliding_window", false) ? {} : { sliding_window: null }),
      },
    };
  },
  layerKeys: `${rotaryKeys} ${windowKeys}`,
};

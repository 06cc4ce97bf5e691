import { type Family, rotaryKeys, windowKeys } from "./family.js";
import { llamaAbsent, llamaFile, llamaSizes, queryKeyNorms } from "./llama-block.js";
import { outputNormTensors } from "./olmo2.js";

/** LG AI Research 2025, arXiv 2507.11407: with windows, layers without one have no rotation. */
export const exaone4: Family = {
  id: "exaone4",
  absent: {
    ...llamaAbsent,
    vocab_size: 102400,
    intermediate_size: 16384,
    num_key_value_heads: 32,
    rms_norm_eps: 1e-5,
    sliding_window: 4096,
    sliding_window_pattern: 4,
  },
  read(file) {
    file.notNull("a finite number", "num_key_value_heads");
    const every = file.value("sliding_window_pattern");
    if (file.value("layer_types") === undefined && !(typeof every === "number" && every >= 1))
      file.refuse("layer_types", null, "a list, or sliding_window_pattern from 1");
    return {
      ...llamaSizes(file),
      architecture: {
        head: file.head(),
        activation: file.activation("hidden_act"),
        normPlace: "output",
      },
      tensors: [...outputNormTensors, ...queryKeyNorms],
      ...llamaFile,
      layers: { query_key_norm: "weighted" },
    };
  },
  layerKeys: `${rotaryKeys} ${windowKeys}`,
};

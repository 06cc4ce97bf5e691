import { type Family, rotaryKeys, windowKeys } from "./family.js";
import { llamaFile, llamaSizes, llamaTensors, queryKeyNorms } from "./llama-block.js";
import { qwenAbsent, qwenLayers } from "./qwen2.js";

/** Yang et al. 2025, arXiv 2505.09388. */
export const qwen3: Family = {
  id: "qwen3",
  absent: { ...qwenAbsent, head_dim: 128 },
  read(file) {
    const bias = file.flag("attention_bias");
    return {
      ...llamaSizes(file),
      headDim: file.number("head_dim"),
      architecture: {
        head: file.head(),
        activation: file.activation("hidden_act"),
        queryBias: bias,
        outputBias: bias,
      },
      tensors: [...llamaTensors, ...queryKeyNorms],
      ...llamaFile,
      layers: { ...qwenLayers(file), query_key_norm: "weighted" },
    };
  },
  layerKeys: `${rotaryKeys} ${windowKeys}`,
};

import { type Family, rotaryKeys, windowKeys } from "./family.js";
import { llamaAbsent, llamaFile, llamaSizes, llamaTensors } from "./llama-block.js";

/** Jiang et al. 2023, arXiv 2310.06825. */
export const mistral: Family = {
  id: "mistral",
  absent: {
    ...llamaAbsent,
    intermediate_size: 14336,
    num_key_value_heads: 8,
    max_position_embeddings: 131072,
    sliding_window: 4096,
  },
  read: (file) => ({
    ...llamaSizes(file),
    architecture: {
      head: file.head(),
      activation: file.activation("hidden_act"),
    },
    tensors: llamaTensors,
    ...llamaFile,
  }),
  layerKeys: `${rotaryKeys} ${windowKeys}`,
};

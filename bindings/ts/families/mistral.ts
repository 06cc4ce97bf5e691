import { type Family, rotaryKeys, windowKeys } from "./family.js";
import { llamaFile, llamaSizes, llamaTensors } from "./llama-block.js";

/** Jiang et al. 2023, arXiv 2310.06825. */
export const mistral: Family = {
  id: "mistral",
  read: (file) => ({
    ...llamaSizes(file),
    architecture: {
      head: file.head("own"),
      activation: file.activation("hidden_act", "silu"),
    },
    tensors: llamaTensors,
    ...llamaFile,
  }),
  layerKeys: `${rotaryKeys} ${windowKeys}`,
};

import { type Family, rotaryKeys } from "./family.js";
import { llamaAbsent, llamaFile, llamaSizes, llamaTensors } from "./llama-block.js";

/** Touvron et al. 2023, arXiv 2302.13971; TinyLlama, SmolLM and Llama 2 and 3 too. */
export const llama: Family = {
  id: "llama",
  absent: llamaAbsent,
  read(file) {
    const bias = file.flag("attention_bias");
    file.only("rope_interleaved", false);
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
    };
  },
  layerKeys: rotaryKeys,
  harmless: "is_llama_config transformers.js_config",
};

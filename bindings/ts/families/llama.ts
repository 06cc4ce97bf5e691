import { type Family, rotaryKeys } from "./family.js";
import { llamaFile, llamaSizes, llamaTensors } from "./llama-block.js";

/** Touvron et al. 2023, arXiv 2302.13971; TinyLlama, SmolLM and Llama 2 and 3 too. */
export const llama: Family = {
  id: "llama",
  read(file) {
    const bias = file.flag("attention_bias", false);
    file.only("rope_interleaved", false);
    return {
      ...llamaSizes(file),
      architecture: {
        head: file.head("own"),
        activation: file.activation("hidden_act", "silu"),
        queryBias: bias,
        outputBias: bias,
        feedBias: file.flag("mlp_bias", false),
      },
      tensors: llamaTensors,
      ...llamaFile,
    };
  },
  layerKeys: rotaryKeys,
  harmless: "is_llama_config transformers.js_config",
};

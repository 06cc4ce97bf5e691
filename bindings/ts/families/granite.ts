import { type Family, rotaryKeys } from "./family.js";
import { llamaFile, llamaSizes, llamaTensors } from "./llama-block.js";

/** Granite Team, IBM 2024: Llama with four multipliers. */
export const granite: Family = {
  id: "granite",
  read(file) {
    const bias = file.flag("attention_bias", false);
    return {
      ...llamaSizes(file),
      architecture: {
        head: file.head("own"),
        activation: file.activation("hidden_act", "silu"),
        queryBias: bias,
        outputBias: bias,
        feedBias: file.flag("mlp_bias", false),
        embeddingScale: file.number("embedding_multiplier", 1),
        attentionScale: file.number("attention_multiplier", 1),
        residualScale: file.number("residual_multiplier", 1),
        logitScale: 1 / file.number("logits_scaling", 1),
      },
      tensors: llamaTensors,
      ...llamaFile,
    };
  },
  layerKeys: rotaryKeys,
};

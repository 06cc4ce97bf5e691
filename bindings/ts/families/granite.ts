import { type Family, rotaryKeys } from "./family.js";
import { llamaAbsent, llamaFile, llamaSizes, llamaTensors } from "./llama-block.js";

/** Granite Team, IBM 2024: Llama with four multipliers. */
export const granite: Family = {
  id: "granite",
  absent: {
    ...llamaAbsent,
    embedding_multiplier: 1,
    attention_multiplier: 1,
    residual_multiplier: 1,
    logits_scaling: 1,
  },
  read(file) {
    const bias = file.flag("attention_bias");
    return {
      ...llamaSizes(file),
      architecture: {
        head: file.head(),
        activation: file.activation("hidden_act"),
        queryBias: bias,
        outputBias: bias,
        feedBias: file.flag("mlp_bias"),
        embeddingScale: file.number("embedding_multiplier"),
        attentionScale: file.number("attention_multiplier"),
        residualScale: file.number("residual_multiplier"),
        logitScale: 1 / file.number("logits_scaling"),
      },
      tensors: llamaTensors,
      ...llamaFile,
    };
  },
  layerKeys: rotaryKeys,
};

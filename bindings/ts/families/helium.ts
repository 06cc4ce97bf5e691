import { type Family, rotaryKeys } from "./family.js";
import { llamaAbsent, llamaFile, llamaSizes, llamaTensors } from "./llama-block.js";

/** Kyutai 2025: Llama with adjacent pairs. */
export const helium: Family = {
  id: "helium",
  absent: {
    ...llamaAbsent,
    vocab_size: 48000,
    hidden_size: 2560,
    intermediate_size: 7040,
    num_hidden_layers: 24,
    num_attention_heads: 20,
    num_key_value_heads: 20,
    head_dim: 128,
    max_position_embeddings: 4096,
    rms_norm_eps: 1e-8,
  },
  read(file) {
    file.notNull("a finite number", "head_dim", "num_key_value_heads");
    return {
      ...llamaSizes(file),
      architecture: {
        head: file.head(),
        activation: file.activation("hidden_act"),
        queryBias: file.flag("attention_bias"),
        feedBias: file.flag("mlp_bias"),
      },
      tensors: llamaTensors,
      ...llamaFile,
    };
  },
  layerKeys: rotaryKeys,
};

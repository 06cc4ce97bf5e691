import { type Family, rotaryKeys } from "./family.js";
import { llamaAbsent, llamaFile, llamaSizes, llamaTensors } from "./llama-block.js";

/** ByteDance Seed 2025: Llama with a flag for each bias. */
export const seedOss: Family = {
  id: "seed_oss",
  absent: {
    ...llamaAbsent,
    vocab_size: 155136,
    intermediate_size: 27648,
    num_hidden_layers: 64,
    num_attention_heads: 80,
    num_key_value_heads: 8,
    head_dim: 128,
    max_position_embeddings: 524288,
    attention_bias: true,
    attention_out_bias: false,
  },
  read: (file) => ({
    ...llamaSizes(file),
    architecture: {
      head: file.head(),
      activation: file.activation("hidden_act"),
      queryBias: file.flag("attention_bias"),
      outputBias: file.flag("attention_out_bias"),
      feedBias: file.flag("mlp_bias"),
    },
    tensors: llamaTensors,
    ...llamaFile,
  }),
  layerKeys: rotaryKeys,
};

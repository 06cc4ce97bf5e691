import { type Family, rotaryKeys } from "./family.js";
import { llamaAbsent, llamaFile, llamaSizes, llamaTensors } from "./llama-block.js";

/** Baidu 2025, ERNIE 4.5 without experts: Llama with adjacent pairs. */
export const ernie4_5: Family = {
  id: "ernie4_5",
  absent: {
    ...llamaAbsent,
    vocab_size: 103424,
    hidden_size: 1024,
    intermediate_size: 3072,
    num_hidden_layers: 18,
    num_attention_heads: 16,
    num_key_value_heads: 2,
    head_dim: 128,
    max_position_embeddings: 131072,
    rms_norm_eps: 1e-5,
    tie_word_embeddings: true,
    use_bias: false,
  },
  read(file) {
    const bias = file.flag("use_bias", false);
    return {
      ...llamaSizes(file),
      architecture: {
        head: file.head(),
        activation: file.activation("hidden_act"),
        queryBias: bias,
        outputBias: bias,
        feedBias: bias,
      },
      tensors: llamaTensors,
      ...llamaFile,
    };
  },
  layerKeys: rotaryKeys,
};

import { type Family, rotaryKeys } from "./family.js";
import { llamaAbsent, llamaFile, llamaSizes, llamaTensors } from "./llama-block.js";

/** Boizard et al. 2025, arXiv 2503.05500: an encoder of Llama's blocks. */
export const eurobert: Family = {
  id: "eurobert",
  absent: {
    ...llamaAbsent,
    vocab_size: 128256,
    hidden_size: 768,
    intermediate_size: 3072,
    num_hidden_layers: 12,
    num_attention_heads: 12,
    max_position_embeddings: 8192,
    rms_norm_eps: 1e-5,
  },
  read(file) {
    const bias = file.flag("attention_bias");
    return {
      ...llamaSizes(file),
      isCausal: false,
      architecture: {
        head: "none",
        activation: file.activation("hidden_act"),
        queryBias: bias,
        outputBias: bias,
        feedBias: file.flag("mlp_bias"),
      },
      tensors: llamaTensors,
      ...llamaFile,
      passes: `${llamaFile.passes} lm_head.* classifier.* dense.*`,
    };
  },
  layerKeys: rotaryKeys,
  harmless:
    "classifier_pooling clf_pooling tie_word_embeddings hidden_dropout " +
    "bos_token eos_token pad_token mask_token",
};

import { type Family, rotaryKeys, windowKeys } from "./family.js";
import {
  llamaAbsent,
  llamaAttention,
  llamaEnds,
  llamaFile,
  llamaNorms,
  llamaSizes,
} from "./llama-block.js";

/** Lozhkov et al. 2024, arXiv 2402.19173. */
export const starcoder2: Family = {
  id: "starcoder2",
  absent: {
    ...llamaAbsent,
    vocab_size: 49152,
    hidden_size: 3072,
    intermediate_size: 12288,
    num_hidden_layers: 30,
    num_attention_heads: 24,
    num_key_value_heads: 2,
    hidden_act: "gelu_pytorch_tanh",
    max_position_embeddings: 4096,
    norm_epsilon: 1e-5,
    use_bias: true,
    tie_word_embeddings: true,
  },
  read(file) {
    const bias = file.flag("use_bias");
    file.only("mlp_type", "default");
    file.only("norm_type", "layer_norm");
    return {
      ...llamaSizes(file, "norm_epsilon"),
      architecture: {
        head: file.head(),
        norm: "layer",
        normBias: true,
        activation: file.activation("hidden_act"),
        gated: false,
        queryBias: bias,
        outputBias: bias,
        feedBias: bias,
      },
      tensors: [
        ...llamaEnds,
        ...llamaNorms,
        ...llamaAttention,
        ["layers.#.mlp.up_proj", "layers.#.mlp.c_fc"],
        ["layers.#.mlp.down_proj", "layers.#.mlp.c_proj"],
      ],
      ...llamaFile,
    };
  },
  layerKeys: `${rotaryKeys} ${windowKeys}`,
  // Keys of the code that it was trained with.
  harmless:
    "activation_function attention_softmax_in_fp32 layer_norm_epsilon " +
    "scale_attention_softmax_in_fp32 scale_attn_weights",
};

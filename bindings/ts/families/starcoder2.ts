import { type Family, rotaryKeys, windowKeys } from "./family.js";
import { llamaAttention, llamaEnds, llamaFile, llamaNorms, llamaSizes } from "./llama-block.js";

/** Lozhkov et al. 2024, arXiv 2402.19173. */
export const starcoder2: Family = {
  id: "starcoder2",
  read(file) {
    const bias = file.flag("use_bias", true);
    file.only("mlp_type", "default");
    file.only("norm_type", "layer_norm");
    return {
      ...llamaSizes(file, "norm_epsilon", 1e-5),
      architecture: {
        head: file.head("tied"),
        norm: "layer",
        normBias: true,
        activation: file.activation("hidden_act", "gelu_pytorch_tanh"),
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
};

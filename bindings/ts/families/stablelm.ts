import { type Family, rotaryKeys } from "./family.js";
import { llamaFile, llamaSizes, llamaTensors } from "./llama-block.js";

/** Bellagente et al. 2024, arXiv 2402.17834. */
export const stablelm: Family = {
  id: "stablelm",
  read(file) {
    file.only("qk_layernorm", false);
    return {
      ...llamaSizes(file, "layer_norm_eps", 1e-5),
      architecture: {
        head: file.head("own"),
        norm: "layer",
        normBias: true,
        activation: file.activation("hidden_act", "silu"),
        queryBias: file.flag("use_qkv_bias", false),
        residual: file.flag("use_parallel_residual", false) ? "shared" : "serial",
      },
      tensors: llamaTensors,
      ...llamaFile,
      layers: { partial_rotary_factor: file.value("partial_rotary_factor") ?? 0.25 },
    };
  },
  layerKeys: rotaryKeys,
};

import { type Family, rotaryKeys, type TensorRule } from "./family.js";
import { llamaFile, llamaSizes, llamaTensors } from "./llama-block.js";

/** Each head's norm is a tensor of its own. */
const headNorms: readonly TensorRule[] = ["q", "k"].map((part) => [
  `layers.#.self_attn.${part}_norm`,
  `layers.#.self_attn.${part}_layernorm.norms.%`,
]);

/** Bellagente et al. 2024, arXiv 2402.17834. */
export const stablelm: Family = {
  id: "stablelm",
  read(file) {
    const hasNorms = file.flag("qk_layernorm", false);
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
      tensors: hasNorms ? [...llamaTensors, ...headNorms] : llamaTensors,
      ...llamaFile,
      layers: {
        partial_rotary_factor: file.value("partial_rotary_factor") ?? 0.25,
        query_key_norm: hasNorms ? "layerHeads" : "none",
      },
    };
  },
  layerKeys: rotaryKeys,
};

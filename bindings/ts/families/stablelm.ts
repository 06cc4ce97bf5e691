import { type Family, rotaryKeys, type TensorRule } from "./family.js";
import { llamaAbsent, llamaFile, llamaSizes, llamaTensors } from "./llama-block.js";

/** The norm of each attention head is a separate tensor. */
const headNorms: readonly TensorRule[] = ["q", "k"].map((part) => [
  `layers.#.self_attn.${part}_norm`,
  `layers.#.self_attn.${part}_layernorm.norms.%`,
]);

/** Bellagente et al. 2024, arXiv 2402.17834. */
export const stablelm: Family = {
  id: "stablelm",
  absent: {
    ...llamaAbsent,
    vocab_size: 50304,
    hidden_size: 2560,
    intermediate_size: 6912,
    num_key_value_heads: 32,
    max_position_embeddings: 4096,
    layer_norm_eps: 1e-5,
    use_qkv_bias: false,
    qk_layernorm: false,
    use_parallel_residual: false,
  },
  read(file) {
    const hasNorms = file.flag("qk_layernorm");
    return {
      ...llamaSizes(file, "layer_norm_eps"),
      architecture: {
        head: file.head(),
        norm: "layer",
        normBias: true,
        activation: file.activation("hidden_act"),
        queryBias: file.flag("use_qkv_bias"),
        residual: file.flag("use_parallel_residual") ? "shared" : "serial",
      },
      tensors: hasNorms ? [...llamaTensors, ...headNorms] : llamaTensors,
      ...llamaFile,
      layers: {
        query_key_norm: hasNorms ? "layerHeads" : "none",
      },
    };
  },
  layerKeys: `${rotaryKeys} partial_rotary_factor`,
};

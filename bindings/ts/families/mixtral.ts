import { type Family, rotaryKeys, type TensorRule } from "./family.js";
import {
  llamaAbsent,
  llamaAttention,
  llamaEnds,
  llamaFile,
  llamaNorms,
  llamaSizes,
} from "./llama-block.js";

const block = "layers.#.block_sparse_moe";
const experts = ["gate_proj w1", "up_proj w3", "down_proj w2"].map((names): TensorRule => {
  const [ours, theirs] = names.split(" ");
  return [`layers.#.mlp.experts.${ours}.weight`, `${block}.experts.%.${theirs}.weight`, "exact"];
});

/** Jiang et al. 2024, arXiv 2401.04088: Mistral with experts. */
export const mixtral: Family = {
  id: "mixtral",
  absent: {
    ...llamaAbsent,
    intermediate_size: 14336,
    num_key_value_heads: 8,
    max_position_embeddings: 131072,
    rms_norm_eps: 1e-5,
    num_local_experts: 8,
    num_experts_per_tok: 2,
  },
  aliases: { num_experts: "num_local_experts" },
  read(file) {
    const sizes = llamaSizes(file);
    return {
      ...sizes,
      architecture: {
        head: file.head(),
        activation: file.activation("hidden_act"),
        experts: file.number("num_local_experts"),
        expertsPerToken: file.number("num_experts_per_tok"),
        expertSize: sizes.intermediateSize,
        router: "softmaxOfChosen",
      },
      tensors: [
        ...llamaEnds,
        ...llamaNorms,
        ...llamaAttention,
        ["layers.#.mlp.router", `${block}.gate`],
        ...experts,
      ],
      ...llamaFile,
    };
  },
  layerKeys: `${rotaryKeys} sliding_window`,
  harmless: "router_aux_loss_coef router_jitter_noise",
};

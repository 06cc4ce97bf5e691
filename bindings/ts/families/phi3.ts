import { type Family, rotaryKeys } from "./family.js";
import { llamaAbsent, llamaEnds, llamaFile, llamaNorms, llamaSizes } from "./llama-block.js";

/** Abdin et al. 2024, arXiv 2404.14219. */
export const phi3: Family = {
  id: "phi3",
  absent: {
    ...llamaAbsent,
    vocab_size: 32064,
    hidden_size: 3072,
    intermediate_size: 8192,
    max_position_embeddings: 4096,
    original_max_position_embeddings: 4096,
    rms_norm_eps: 1e-5,
  },
  read(file) {
    file.only("attention_bias", false);
    return {
      ...llamaSizes(file),
      architecture: {
        head: file.head(),
        activation: file.activation("hidden_act"),
      },
      tensors: [
        ...llamaEnds,
        ...llamaNorms,
        ["layers.#.self_attn.q_proj k_proj v_proj", "layers.#.self_attn.qkv_proj"],
        ["layers.#.self_attn.o_proj", "layers.#.self_attn.o_proj"],
        ["layers.#.mlp.gate_proj up_proj", "layers.#.mlp.gate_up_proj"],
        ["layers.#.mlp.down_proj", "layers.#.mlp.down_proj"],
      ],
      ...llamaFile,
    };
  },
  layerKeys: `${rotaryKeys} partial_rotary_factor sliding_window`,
};

import { type Family, rotaryKeys } from "./family.js";
import { llamaEnds, llamaFile, llamaNorms, llamaSizes } from "./llama-block.js";

/** Abdin et al. 2024, arXiv 2404.14219. */
export const phi3: Family = {
  id: "phi3",
  read(file) {
    file.only("attention_bias", false);
    return {
      ...llamaSizes(file, "rms_norm_eps", 1e-5),
      architecture: {
        head: file.head("own"),
        activation: file.activation("hidden_act", "silu"),
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

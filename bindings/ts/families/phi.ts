import { type Family, rotaryKeys } from "./family.js";
import { llamaSizes } from "./llama-block.js";

/** Li et al. 2023, arXiv 2309.05463. */
export const phi: Family = {
  id: "phi",
  read(file) {
    const isNormed = file.flag("qk_layernorm", false);
    const head = file.head("own");
    return {
      ...llamaSizes(file, "layer_norm_eps", 1e-5),
      architecture: {
        head,
        headBias: head === "own",
        norm: "layer",
        normBias: true,
        residual: "shared",
        activation: file.activation("hidden_act", "gelu_new"),
        gated: false,
        queryBias: true,
        outputBias: true,
        feedBias: true,
      },
      tensors: [
        ["embed_tokens", "embed_tokens"],
        ["norm", "final_layernorm"],
        ["layers.#.input_layernorm", "layers.#.input_layernorm"],
        ["layers.#.self_attn.q_proj", "layers.#.self_attn.q_proj"],
        ["layers.#.self_attn.k_proj", "layers.#.self_attn.k_proj"],
        ["layers.#.self_attn.v_proj", "layers.#.self_attn.v_proj"],
        ["layers.#.self_attn.o_proj", "layers.#.self_attn.dense"],
        ["layers.#.mlp.up_proj", "layers.#.mlp.fc1"],
        ["layers.#.mlp.down_proj", "layers.#.mlp.fc2"],
        ["layers.#.self_attn.q_norm", "layers.#.self_attn.q_layernorm"],
        ["layers.#.self_attn.k_norm", "layers.#.self_attn.k_layernorm"],
      ],
      prefix: "model.",
      passes: "*.inv_freq",
      layers: {
        partial_rotary_factor: file.value("partial_rotary_factor") ?? 0.5,
        ...(isNormed && { query_key_norm: "layer" }),
      },
    };
  },
  layerKeys: rotaryKeys,
};

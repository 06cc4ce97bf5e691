import { type Family, rotaryKeys } from "./family.js";
import { llamaAbsent, llamaSizes } from "./llama-block.js";

/** Li et al. 2023, arXiv 2309.05463. */
export const phi: Family = {
  id: "phi",
  absent: {
    ...llamaAbsent,
    vocab_size: 51200,
    hidden_size: 2048,
    intermediate_size: 8192,
    num_hidden_layers: 24,
    hidden_act: "gelu_new",
    layer_norm_eps: 1e-5,
    qk_layernorm: false,
  },
  read(file) {
    const isNormed = file.flag("qk_layernorm");
    const head = file.head();
    return {
      ...llamaSizes(file, "layer_norm_eps"),
      architecture: {
        head,
        headBias: head === "own",
        norm: "layer",
        normBias: true,
        residual: "shared",
        activation: file.activation("hidden_act"),
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
      layers: isNormed ? { query_key_norm: "layer" } : {},
    };
  },
  layerKeys: `${rotaryKeys} partial_rotary_factor`,
};

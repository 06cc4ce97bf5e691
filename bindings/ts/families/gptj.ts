import type { Family } from "./family.js";
import { gptAliases } from "./gpt2.js";

/** Wang & Komatsuzaki 2021: attention and feed-forward in parallel, after one norm. */
export const gptj: Family = {
  id: "gptj",
  absent: {
    vocab_size: 50400,
    n_positions: 2048,
    n_embd: 4096,
    n_layer: 28,
    n_head: 16,
    rotary_dim: 64,
    activation_function: "gelu_new",
    layer_norm_epsilon: 1e-5,
    tie_word_embeddings: false,
  },
  aliases: gptAliases,
  read(file) {
    const hiddenSize = file.number("n_embd");
    return {
      vocabSize: file.number("vocab_size"),
      hiddenSize,
      numLayers: file.number("n_layer"),
      numHeads: file.number("n_head"),
      intermediateSize: file.number("n_inner", 4 * hiddenSize),
      rmsNormEps: file.number("layer_norm_epsilon"),
      architecture: {
        head: file.head(),
        headBias: file.head() === "own",
        norm: "layer",
        normBias: true,
        residual: "shared",
        activation: file.activation("activation_function"),
        gated: false,
        feedBias: true,
      },
      tensors: [
        ["embed_tokens", "wte"],
        ["norm", "ln_f"],
        ["layers.#.input_layernorm", "h.#.ln_1"],
        ["layers.#.self_attn.q_proj", "h.#.attn.q_proj"],
        ["layers.#.self_attn.k_proj", "h.#.attn.k_proj"],
        ["layers.#.self_attn.v_proj", "h.#.attn.v_proj"],
        ["layers.#.self_attn.o_proj", "h.#.attn.out_proj"],
        ["layers.#.mlp.up_proj", "h.#.mlp.fc_in"],
        ["layers.#.mlp.down_proj", "h.#.mlp.fc_out"],
      ],
      prefix: "transformer.",
      passes: "*.attn.bias *.attn.masked_bias *.embed_positions",
    };
  },
  layerKeys: "rotary_dim n_positions",
  harmless: "n_ctx rotary scale_attn_weights",
};

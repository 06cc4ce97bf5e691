import { type Family, rotaryKeys } from "./family.js";

/** Black et al. 2022, arXiv 2204.06745; Pythia too. */
export const gptNeoX: Family = {
  id: "gpt_neox",
  absent: {
    vocab_size: 50432,
    hidden_size: 6144,
    num_hidden_layers: 44,
    num_attention_heads: 64,
    intermediate_size: 24576,
    hidden_act: "gelu",
    max_position_embeddings: 2048,
    layer_norm_eps: 1e-5,
    use_parallel_residual: true,
    attention_bias: true,
    tie_word_embeddings: false,
  },
  read(file) {
    const bias = file.flag("attention_bias");
    file.notNull("a number", "rotary_pct", "rotary_emb_base");
    return {
      vocabSize: file.number("vocab_size"),
      hiddenSize: file.number("hidden_size"),
      numLayers: file.number("num_hidden_layers"),
      numHeads: file.number("num_attention_heads"),
      intermediateSize: file.number("intermediate_size"),
      rmsNormEps: file.number("layer_norm_eps"),
      architecture: {
        head: file.head(),
        norm: "layer",
        normBias: true,
        residual: file.flag("use_parallel_residual") ? "parallel" : "serial",
        activation: file.activation("hidden_act"),
        gated: false,
        queryBias: bias,
        outputBias: bias,
        feedBias: true,
      },
      tensors: [
        ["embed_tokens", "embed_in"],
        ["norm", "final_layer_norm"],
        ["layers.#.input_layernorm", "layers.#.input_layernorm"],
        ["layers.#.post_attention_layernorm", "layers.#.post_attention_layernorm"],
        ["layers.#.self_attn.q_proj k_proj v_proj", "layers.#.attention.query_key_value", "heads"],
        ["layers.#.self_attn.o_proj", "layers.#.attention.dense"],
        ["layers.#.mlp.up_proj", "layers.#.mlp.dense_h_to_4h"],
        ["layers.#.mlp.down_proj", "layers.#.mlp.dense_4h_to_h"],
      ],
      prefix: "gpt_neox.",
      passes: "*.attention.bias *.attention.masked_bias *.inv_freq",
      head: "embed_out|lm_head",
      // Outside rope_parameters, both are read only under this family's own names.
      layers: { rope_theta: null, partial_rotary_factor: null },
    };
  },
  layerKeys: `${rotaryKeys} rotary_pct rotary_emb_base partial_rotary_factor`,
  harmless: "is_decoder",
};

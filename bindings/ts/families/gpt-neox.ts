import { type Family, rotaryKeys } from "./family.js";

/** Black et al. 2022, arXiv 2204.06745; Pythia too. */
export const gptNeoX: Family = {
  id: "gpt_neox",
  read(file) {
    const bias = file.flag("attention_bias", true);
    return {
      vocabSize: file.number("vocab_size"),
      hiddenSize: file.number("hidden_size"),
      numLayers: file.number("num_hidden_layers"),
      numHeads: file.number("num_attention_heads"),
      intermediateSize: file.number("intermediate_size"),
      rmsNormEps: file.number("layer_norm_eps", 1e-5),
      architecture: {
        head: file.head("own"),
        norm: "layer",
        normBias: true,
        residual: file.flag("use_parallel_residual", true) ? "parallel" : "serial",
        activation: file.activation("hidden_act", "gelu"),
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
      // Before version 5 both stood under names of their own, with defaults.
      layers:
        file.value("rope_parameters") === undefined
          ? {
              rotary_pct: file.value("rotary_pct") ?? 0.25,
              rotary_emb_base: file.value("rotary_emb_base") ?? 10000,
            }
          : {},
    };
  },
  layerKeys: `${rotaryKeys} rotary_pct rotary_emb_base partial_rotary_factor`,
  harmless: "is_decoder",
};

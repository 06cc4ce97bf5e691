import { refuse } from "../wire/arguments.js";
import type { Family } from "./family.js";

const block = "encoder.block.#.layer";

/**
 * The encoder of Raffel et al. 2020, arXiv 1910.10683: buckets of distance that all layers share,
 * no 1/√D, no biases. The decoder is passed over: hidden states and maps are what there is.
 */
const named = (id: string): Family => ({
  id,
  read(file) {
    file.only("is_decoder", false);
    const words = file.value("feed_forward_proj") ?? "relu";
    const form = /^(gated-)?(\w+)$/.exec(typeof words === "string" ? words : "");
    if (!form)
      return refuse("config.feed_forward_proj", words, '"relu" or "gated-gelu"', "unsupported");
    const gated = form[1] !== undefined;
    // "gated-gelu" has always meant the approximation with tanh.
    const word = gated && form[2] === "gelu" ? "gelu_new" : form[2];
    file.only("is_gated_act", gated);
    file.only("dense_act_fn", word);
    return {
      vocabSize: file.number("vocab_size"),
      hiddenSize: file.number("d_model"),
      numLayers: file.number("num_layers"),
      numHeads: file.number("num_heads"),
      headDim: file.number("d_kv"),
      intermediateSize: file.number("d_ff"),
      rmsNormEps: file.number("layer_norm_epsilon", 1e-6),
      isCausal: false,
      architecture: {
        head: "none",
        gated,
        activation: file.activationOf("feed_forward_proj", word),
      },
      tensors: [
        ["embed_tokens", "shared|encoder.embed_tokens"],
        [
          "position.t5.relative_attention_bias",
          "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
          "exact",
        ],
        ["norm", "encoder.final_layer_norm"],
        ["layers.#.input_layernorm", `${block}.0.layer_norm`],
        ["layers.#.self_attn.q_proj", `${block}.0.SelfAttention.q`],
        ["layers.#.self_attn.k_proj", `${block}.0.SelfAttention.k`],
        ["layers.#.self_attn.v_proj", `${block}.0.SelfAttention.v`],
        ["layers.#.self_attn.o_proj", `${block}.0.SelfAttention.o`],
        ["layers.#.post_attention_layernorm", `${block}.1.layer_norm`],
        ["layers.#.mlp.gate_proj", `${block}.1.DenseReluDense.wi_0`],
        ["layers.#.mlp.up_proj", `${block}.1.DenseReluDense.${gated ? "wi_1" : "wi"}`],
        ["layers.#.mlp.down_proj", `${block}.1.DenseReluDense.wo`],
      ],
      prefix: "transformer.",
      passes: "decoder.* lm_head.* encoder.embed_tokens.weight",
    };
  },
  layerKeys: "relative_attention_num_buckets relative_attention_max_distance",
  harmless: "dropout_rate n_positions num_decoder_layers tie_word_embeddings scale_decoder_outputs",
});
export const t5 = named("t5");
export const mt5 = named("mt5");

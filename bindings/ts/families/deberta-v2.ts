import { encoderArchitecture } from "./bert.js";
import type { Family } from "./family.js";

const words = '"c2p", "p2c" or both: without it attention has no positions';
const block = "encoder.layer.#";

/** He et al. 2021, arXiv 2111.09543: version 3, whose positions share the content's projections. */
export const debertaV2: Family = {
  id: "deberta-v2",
  absent: {
    vocab_size: 128100,
    hidden_size: 1536,
    num_hidden_layers: 24,
    num_attention_heads: 24,
    intermediate_size: 6144,
    hidden_act: "gelu",
    max_position_embeddings: 512,
    type_vocab_size: 0,
    layer_norm_eps: 1e-7,
    relative_attention: false,
    position_biased_input: true,
    share_att_key: false,
  },
  read(file) {
    const hiddenSize = file.number("hidden_size");
    const numHeads = file.number("num_attention_heads");
    file.notNull("true", "relative_attention");
    file.only("relative_attention", true);
    file.notNull("a value, or no such key", "norm_rel_ebd", "position_buckets");
    file.only("position_biased_input", false);
    if (file.value("pos_att_type") === undefined) file.refuse("pos_att_type", null, words);
    // Separate projections of positions have biases in some of them.
    if (file.value("share_att_key") !== true)
      file.refuse("share_att_key", file.value("share_att_key"), "true", "unsupported");
    file.only("conv_kernel_size", 0);
    file.only("embedding_size", hiddenSize);
    file.only("attention_head_size", hiddenSize / numHeads);
    const rmsNormEps = file.number("layer_norm_eps");
    // The epsilon of the table's norm.
    if (file.value("norm_rel_ebd") === "layer_norm") file.only("layer_norm_eps", 1e-7);
    return {
      vocabSize: file.number("vocab_size"),
      hiddenSize,
      numLayers: file.number("num_hidden_layers"),
      numHeads,
      intermediateSize: file.number("intermediate_size"),
      rmsNormEps,
      isCausal: false,
      architecture: {
        ...encoderArchitecture,
        activation: file.activation("hidden_act"),
        tokenTypes: file.number("type_vocab_size"),
      },
      tensors: [
        ["embed_tokens", "embeddings.word_embeddings"],
        ["token_types", "embeddings.token_type_embeddings"],
        ["embedding_norm", "embeddings.LayerNorm", "gamma"],
        ["position.deberta.rel_embeddings", "encoder.rel_embeddings.weight", "exact"],
        ["position.deberta.LayerNorm.weight", "encoder.LayerNorm.weight", "exact"],
        ["position.deberta.LayerNorm.bias", "encoder.LayerNorm.bias", "exact"],
        ["layers.#.self_attn.q_proj", `${block}.attention.self.query_proj`],
        ["layers.#.self_attn.k_proj", `${block}.attention.self.key_proj`],
        ["layers.#.self_attn.v_proj", `${block}.attention.self.value_proj`],
        ["layers.#.self_attn.o_proj", `${block}.attention.output.dense`],
        ["layers.#.attention_norm", `${block}.attention.output.LayerNorm`, "gamma"],
        ["layers.#.mlp.up_proj", `${block}.intermediate.dense`],
        ["layers.#.mlp.down_proj", `${block}.output.dense`],
        ["layers.#.feed_norm", `${block}.output.LayerNorm`, "gamma"],
      ],
      prefix: "deberta.",
      passes:
        "embeddings.position_ids pooler.* cls.* classifier.* lm_predictions.* mask_predictions.*",
    };
  },
  layerKeys:
    "max_position_embeddings max_relative_positions pos_att_type position_buckets norm_rel_ebd",
  harmless:
    "legacy padding_idx pooler_dropout pooler_hidden_act pooler_hidden_size " +
    "tie_word_embeddings",
};

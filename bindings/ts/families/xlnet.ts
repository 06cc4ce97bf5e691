import { encoderArchitecture } from "./bert.js";
import type { Family, TensorRule } from "./family.js";
import { xlAliases } from "./transformer-xl.js";

const block = "layer.#";
/** Shape [width, heads, channels]: width gives the output's rows, and the others' columns. */
const attention: readonly TensorRule[] = [
  ["layers.#.self_attn.q_proj.weight", `${block}.rel_attn.q`, "exact T F"],
  ["layers.#.self_attn.k_proj.weight", `${block}.rel_attn.k`, "exact T F"],
  ["layers.#.self_attn.v_proj.weight", `${block}.rel_attn.v`, "exact T F"],
  ["layers.#.self_attn.o_proj.weight", `${block}.rel_attn.o`, "exact F"],
];
const positions: readonly TensorRule[] = (
  [
    ["r_w_bias", "r_w_bias", "exact F"],
    ["r_r_bias", "r_r_bias", "exact F"],
    ["r_net", "r", "exact T F"],
  ] as const
).map(([name, theirs, flags]) => [
  `layers.#.self_attn.position.transformer_xl.${name}`,
  `${block}.rel_attn.${theirs}`,
  flags,
]);

/**
 * Yang et al. 2019, arXiv 1906.08237: the content stream only, without segments. With `attn_type`
 * "bi" it is an encoder; "uni" is a causal model with an output head.
 */
export const xlnet: Family = {
  id: "xlnet",
  absent: {
    vocab_size: 32000,
    d_model: 1024,
    n_layer: 24,
    n_head: 16,
    d_inner: 4096,
    ff_activation: "gelu",
    attn_type: "bi",
    layer_norm_eps: 1e-12,
    clamp_len: -1,
    tie_word_embeddings: true,
  },
  aliases: xlAliases,
  read(file) {
    const hiddenSize = file.number("d_model");
    const numHeads = file.number("n_head");
    file.only("d_head", hiddenSize / numHeads);
    file.only("attn_type", "bi", "uni");
    const isCausal = file.value("attn_type") === "uni";
    // Half of a batch read backwards; with "uni", a mask that hides earlier tokens.
    file.only("bi_data", false);
    file.only("same_length", false);
    const head = isCausal ? file.head() : "none";
    return {
      vocabSize: file.number("vocab_size"),
      hiddenSize,
      numLayers: file.number("n_layer"),
      numHeads,
      intermediateSize: file.number("d_inner"),
      rmsNormEps: file.number("layer_norm_eps"),
      isCausal,
      architecture: {
        ...encoderArchitecture,
        embeddingNorm: false,
        queryBias: false,
        outputBias: false,
        activation: file.activation("ff_activation"),
        head,
        headBias: isCausal,
      },
      tensors: [
        ["embed_tokens", "word_embedding"],
        ...attention,
        ...positions,
        ["layers.#.attention_norm", `${block}.rel_attn.layer_norm`],
        ["layers.#.mlp.up_proj", `${block}.ff.layer_1`],
        ["layers.#.mlp.down_proj", `${block}.ff.layer_2`],
        ["layers.#.feed_norm", `${block}.ff.layer_norm`],
        ...(head === "tied" ? [["lm_head.bias", "lm_loss.bias", "exact"] as const] : []),
      ],
      prefix: "transformer.",
      head: "lm_loss",
      // The query stream's initial vector, segments, and task heads.
      passes:
        "mask_emb *.rel_attn.r_s_bias *.rel_attn.seg_embed sequence_summary.* logits_proj.* " +
        "classifier.* qa_outputs.* start_logits.* end_logits.* answer_class.*" +
        (isCausal ? "" : " lm_loss.*"),
      layers: { clamp_len: Math.max(file.number("clamp_len"), 0) },
    };
  },
  // Memory holds earlier segments: the first segment of a text has none.
  harmless:
    "mem_len reuse_len use_mems use_mems_eval use_mems_train untie_r max_position_embeddings " +
    "n_token init init_range init_std " +
    "start_n_top end_n_top " +
    "tie_word_embeddings",
};

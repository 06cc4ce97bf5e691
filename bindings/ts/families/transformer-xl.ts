import { refuse } from "../wire/arguments.js";
import type { ConfigReader } from "./config-reader.js";
import type { Family, TensorRule } from "./family.js";

const block = "layers.#";
const crit = "crit.out_layers.0";
const named = "position.transformer_xl";

/** Tables of one width for all clusters; a factor for each is not read. */
function clusters(file: ConfigReader): number[] {
  if (file.number("div_val", 4) !== 1)
    refuse(
      "config.div_val",
      file.value("div_val") ?? 4,
      "1: clusters of one width (others keep narrower tables, each with a projection)",
      "unsupported",
    );
  const cutoffs = file.value("cutoffs") ?? [20000, 40000, 200000];
  if (!Array.isArray(cutoffs)) return refuse("config.cutoffs", cutoffs, "a list of tokens");
  return cutoffs;
}

/** A text reaches back as far as the memory, where every token sees equally many. */
function reach(file: ConfigReader): number | undefined {
  const memory = file.number("mem_len", 1600);
  if (!file.flag("same_length", true)) return undefined;
  return memory > 0
    ? memory
    : refuse("config.mem_len", memory, "above 0 where same_length is true", "unsupported");
}

/** Dai et al. 2019, arXiv 1901.02860. A text begins with an empty memory, as the authors' does. */
export const transformerXl: Family = {
  id: "transfo-xl",
  read(file) {
    const vocabSize = file.number("vocab_size", 267735);
    const hiddenSize = file.number("d_model", 1024);
    file.only("d_embed", hiddenSize);
    file.only("attn_type", 0);
    // Transformers itself refuses what is above 0.
    file.only("sample_softmax", -1, 0);
    const isBefore = file.flag("pre_lnorm", false);
    const isUntied = file.flag("untie_r", true);
    const [first, second] = isBefore
      ? ["input_layernorm", "post_attention_layernorm"]
      : ["attention_norm", "feed_norm"];
    const [ours, theirs] = isUntied
      ? [`layers.#.self_attn.${named}`, `${block}.dec_attn.`]
      : [named, ""];
    const biases: TensorRule[] = ["r_w_bias", "r_r_bias"].map((name) => [
      `${ours}.${name}`,
      `${theirs}${name}`,
      "exact F",
    ]);
    const head = file.head("tied");
    const cutoffs = clusters(file);
    return {
      vocabSize,
      hiddenSize,
      numLayers: file.number("n_layer", 18),
      numHeads: file.number("n_head", 16),
      headDim: file.number("d_head", 64),
      intermediateSize: file.number("d_inner", 4096),
      rmsNormEps: file.number("layer_norm_epsilon", 1e-5),
      architecture: {
        norm: "layer",
        normBias: true,
        normPlace: isBefore ? "before" : "after",
        finalNorm: false,
        activation: "relu",
        gated: false,
        feedBias: true,
        head,
        headBias: true,
        embeddingScale: Math.sqrt(hiddenSize),
        cutoffs,
      },
      tensors: [
        ["embed_tokens", "word_emb.emb_layers.0"],
        ["layers.#.self_attn.q_proj k_proj v_proj", `${block}.dec_attn.qkv_net`],
        ["layers.#.self_attn.o_proj", `${block}.dec_attn.o_net`],
        [`layers.#.self_attn.${named}.r_net`, `${block}.dec_attn.r_net.weight`, "exact"],
        ...biases,
        [`layers.#.${first}`, `${block}.dec_attn.layer_norm`],
        [`layers.#.${second}`, `${block}.pos_ff.layer_norm`],
        ["layers.#.mlp.up_proj", `${block}.pos_ff.CoreNet.0`],
        ["layers.#.mlp.down_proj", `${block}.pos_ff.CoreNet.3`],
        ...(head === "tied" ? [["lm_head.bias", `${crit}.bias`, "exact"] as const] : []),
        ["lm_head.clusters.weight", "crit.cluster_weight", "exact"],
        ["lm_head.clusters.bias", "crit.cluster_bias", "exact"],
      ],
      prefix: "transformer.",
      head: crit,
      // The layers' names of vectors that they share; and what one softmax has no use for.
      passes:
        `pos_emb.inv_freq${isUntied ? "" : " *.dec_attn.r_w_bias *.dec_attn.r_r_bias"}` +
        (cutoffs.length ? "" : " crit.cluster_weight crit.cluster_bias"),
      layers: {
        clamp_len: Math.max(file.number("clamp_len", 1000), 0),
        untie_r: isUntied,
        sliding_window: reach(file),
      },
    };
  },
  harmless:
    "adaptive dropatt init init_range init_std proj_init_std max_position_embeddings n_token " +
    "proj_share_all_but_first tie_projs trainer_compatible",
};

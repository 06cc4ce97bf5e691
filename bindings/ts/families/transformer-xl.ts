import { refuse } from "../wire/arguments.js";
import type { ConfigReader } from "./config-reader.js";
import type { Family, FamilyConfig, TensorRule } from "./family.js";

export const xlAliases = {
  n_token: "vocab_size",
  hidden_size: "d_model",
  num_attention_heads: "n_head",
  num_hidden_layers: "n_layer",
};

const block = "layers.#";
const crit = "crit.out_layers.0";
const named = "position.transformer_xl";

function cutoffsOf(file: ConfigReader): number[] {
  const cutoffs = file.value("cutoffs");
  return Array.isArray(cutoffs) ? cutoffs : file.refuse("cutoffs", cutoffs, "a list of token ids");
}

/** For each cluster, whether its logits use the projection of its input tokens. */
function sharedProjections(file: ConfigReader, pieces: number): boolean[] {
  // If a file omits tie_projs, proj_share_all_but_first determines it.
  const isShared = file.flag("proj_share_all_but_first", false);
  const given = file.value("tie_projs");
  if (file.file["tie_projs"] === null) return [];
  if (given === undefined) return Array.from({ length: pieces }, (_, i) => isShared && i > 0);
  return Array.isArray(given) &&
    given.length <= pieces &&
    given.every((x) => typeof x === "boolean")
    ? given
    : refuse("config.tie_projs", given, `a list of at most ${pieces} booleans`);
}

type Tables = Required<Pick<FamilyConfig, "tensors" | "copies">>;

/** Tables narrower than the model: one for each cluster, with its projections. */
function narrowTables(
  file: ConfigReader,
  ends: number[],
  isTied: boolean,
  divisor: number,
): Tables {
  const tensors: TensorRule[] = [];
  const copies: [string, string][] = [];
  const shared = sharedProjections(file, ends.length);
  ends.forEach((end, i) => {
    // With one width, all clusters share one table and one projection of the tokens.
    const at = divisor === 1 ? 0 : i;
    const first = i ? ends[i - 1]! : 0;
    const rows = divisor === 1 ? { rows: [first, end - first] as const } : {};
    const [table, scores] = [`word_emb.emb_layers.${at}`, `crit.out_layers.${at}`];
    const [projection, back] = [`word_emb.emb_projs.${at}`, `crit.out_projs.${i}`];
    tensors.push(
      [`embed_tokens.${i}`, isTied ? `${table}|${scores}` : table, "", rows],
      [`embed_projections.${i}.weight`, projection, "exact"],
      [`lm_head.projections.${i}.weight`, shared[i] ? projection : back, "exact"],
    );
    if (shared[i]) copies.push([back, projection]);
    if (!isTied) tensors.push([`lm_head.tables.${i}`, scores, "", rows]);
    if (at < i) return;
    if (isTied) copies.push([`${scores}.weight`, `${table}.weight`]);
    const into = divisor === 1 ? {} : { into: first };
    tensors.push(["lm_head.bias", `${scores}.bias`, "exact", into]);
  });
  return { tensors, copies };
}

const oneTable = (isTied: boolean): TensorRule[] => [
  ["embed_tokens", isTied ? `word_emb.emb_layers.0|${crit}` : "word_emb.emb_layers.0"],
  ...(isTied ? [["lm_head.bias", `${crit}.bias`, "exact"] as const] : []),
];

const clusterTensors: TensorRule[] = [
  ["lm_head.clusters.weight", "crit.cluster_weight", "exact"],
  ["lm_head.clusters.bias", "crit.cluster_bias", "exact"],
];

/** With `same_length` each token sees as many keys as the memory holds; undefined without. */
function reach(file: ConfigReader): number | undefined {
  const memory = file.number("mem_len");
  if (!file.flag("same_length", false)) return undefined;
  return memory > 0
    ? memory
    : refuse("config.mem_len", memory, "a number above 0 if same_length is true", "unsupported");
}

/** Tensors of a layer; norms may stand before its branches, and its biases may be shared or not. */
function layerTensors(isBefore: boolean, isUntied: boolean): TensorRule[] {
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
  return [
    ["layers.#.self_attn.q_proj k_proj v_proj", `${block}.dec_attn.qkv_net`],
    ["layers.#.self_attn.o_proj", `${block}.dec_attn.o_net`],
    [`layers.#.self_attn.${named}.r_net`, `${block}.dec_attn.r_net.weight`, "exact"],
    ...biases,
    [`layers.#.${first}`, `${block}.dec_attn.layer_norm`],
    [`layers.#.${second}`, `${block}.pos_ff.layer_norm`],
    ["layers.#.mlp.up_proj", `${block}.pos_ff.CoreNet.0`],
    ["layers.#.mlp.down_proj", `${block}.pos_ff.CoreNet.3`],
  ];
}

/** The file's sizes, except those of its tables. */
const sizesOf = (file: ConfigReader) => ({
  numLayers: file.number("n_layer"),
  numHeads: file.number("n_head"),
  headDim: file.number("d_head"),
  intermediateSize: file.number("d_inner"),
  rmsNormEps: file.number("layer_norm_epsilon"),
});

/**
 * Dai et al. 2019, arXiv 1901.02860. A text begins with an empty memory, as in the authors' code.
 */
export const transformerXl: Family = {
  id: "transfo-xl",
  absent: {
    vocab_size: 267735,
    cutoffs: [20000, 40000, 200000],
    d_model: 1024,
    d_embed: 1024,
    n_head: 16,
    d_head: 64,
    d_inner: 4096,
    div_val: 4,
    pre_lnorm: false,
    n_layer: 18,
    mem_len: 1600,
    clamp_len: 1000,
    same_length: true,
    proj_share_all_but_first: true,
    untie_r: true,
    layer_norm_epsilon: 1e-5,
    tie_word_embeddings: true,
  },
  aliases: xlAliases,
  read(file) {
    const vocabSize = file.number("vocab_size");
    const hiddenSize = file.number("d_model");
    const width = file.number("d_embed");
    const divisor = file.number("div_val");
    file.only("attn_type", 0);
    // A key of older files; Transformers reads tie_word_embeddings in its place.
    file.only("tie_weight", true);
    // Transformers itself rejects values above 0.
    file.only("sample_softmax", -1, 0);
    const isBefore = file.flag("pre_lnorm", false);
    const isUntied = file.flag("untie_r", false);
    const head = file.flag("tie_word_embeddings", false) ? "tied" : "own";
    const cutoffs = cutoffsOf(file);
    const isNarrow = divisor !== 1 || width !== hiddenSize;
    const { tensors, copies } = isNarrow
      ? narrowTables(file, [...cutoffs, vocabSize], head === "tied", divisor)
      : { tensors: oneTable(head === "tied"), copies: [] };
    return {
      vocabSize,
      hiddenSize,
      ...sizesOf(file),
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
        ...(isNarrow && { embeddingWidth: width, clusterDivisor: divisor }),
      },
      tensors: [...tensors, ...layerTensors(isBefore, isUntied), ...clusterTensors],
      copies,
      prefix: "transformer.",
      head: crit,
      // Layers' names of shared vectors, and tensors that a plain softmax does not need.
      passes:
        `pos_emb.inv_freq${isUntied ? "" : " *.dec_attn.r_w_bias *.dec_attn.r_r_bias"}` +
        (cutoffs.length ? "" : " crit.cluster_weight crit.cluster_bias"),
      layers: {
        clamp_len: Math.max(file.number("clamp_len"), 0),
        untie_r: isUntied,
        sliding_window: reach(file),
      },
    };
  },
  harmless:
    "adaptive dropatt ext_len init init_range init_std proj_init_std max_position_embeddings " +
    "n_token proj_share_all_but_first tgt_len tie_projs trainer_compatible",
};

/**
 * Tables of the keys that each architecture's GGUF files may have, without the architecture's
 * prefix. Defaults are those of llama.cpp (src/llama-model.cpp and src/models there). Keys in no
 * table are refused by name. docs/families.md shows the tables.
 */

/** Kinds of values, each with its range. */
export type Kind =
  | "size"
  | "count"
  | "counts"
  | "positive"
  | "notNegative"
  | "factor"
  | "number"
  | "period";

export interface ReadKey {
  kind: Kind | "flag" | "word";
  /**
   * Default; a key without one is required. A text names another key, or is a formula of keys: "a /
   * b", rounded down, or "1 / √a". Of the kind "word", a text is the value itself.
   */
  absent?: number | boolean | string;
  /** The only supported values, in the form of `absent`: any other is refused. */
  only?: readonly (number | boolean | string)[];
  /** In addition to `only`: numbers from this key's value on are supported too. */
  from?: string;
  /** Reason for refusing other values. */
  because?: string;
}

export type KeyTable = Readonly<Record<string, ReadKey | "harmless">>;

const size: ReadKey = { kind: "size" };
const perHead = "embedding_length / attention.head_count";
const only = (...values: number[]): ReadKey => ({
  kind: "number",
  absent: values[0]!,
  only: values,
});
const same = (key: string, absent = key): ReadKey => ({ kind: "size", absent, only: [key] });
const noExperts: ReadKey = {
  ...only(0),
  because: "the model has experts, which are not read",
};

/** Keys of every architecture. */
const shared: KeyTable = {
  context_length: size,
  embedding_length: size,
  embedding_length_out: same("embedding_length"),
  block_count: size,
  feed_forward_length: size,
  // Read if the file has no list of tokens.
  vocab_size: size,
  "attention.head_count": size,
  "attention.head_count_kv": { kind: "size", absent: "attention.head_count" },
  "attention.key_length": { kind: "size", absent: perHead },
  "attention.value_length": same("attention.key_length", perHead),
  "attention.causal": { kind: "flag", absent: true },
  "attention.scale": { kind: "number", absent: 0, only: [0, "1 / √attention.key_length"] },
  // A window as wide as the context hides nothing.
  "attention.sliding_window": { ...only(0), from: "context_length" },
  "attention.clamp_kqv": only(0),
  "attention.max_alibi_bias": only(0),
  attn_logit_softcapping: only(0),
  final_logit_softcapping: only(0),
  embedding_scale: only(1, 0),
  residual_scale: only(1, 0),
  logit_scale: only(1, 0),
  expert_count: noExperts,
  expert_used_count: noExperts,
  expert_shared_count: noExperts,
  expert_group_count: noExperts,
  expert_group_used_count: noExperts,
  leading_dense_block_count: only(0),
  nextn_predict_layers: only(0),
  // Each architecture has one order of the rows of queries and keys, for which both words stand.
  tensor_data_layout: {
    kind: "word",
    absent: "reference",
    only: ["reference", "Meta AI original pth"],
  },
  // Converters of early 2024 wrote true for all models; llama.cpp reads it only for GPT-NeoX.
  use_parallel_residual: "harmless",
  // For the vector of a whole text: `embed` reads it (sentence.ts).
  pooling_type: "harmless",
  normalize_embeddings: "harmless",
  "classifier.output_labels": "harmless",
};

const withRmsNorm: KeyTable = {
  "attention.layer_norm_rms_epsilon": { kind: "positive" },
  "attention.layer_norm_epsilon": "harmless",
};
const withLayerNorm: KeyTable = {
  "attention.layer_norm_epsilon": { kind: "positive" },
  "attention.layer_norm_rms_epsilon": "harmless",
};

const rotary: KeyTable = {
  "rope.freq_base": { kind: "positive", absent: 10000 },
  "rope.dimension_count": same("attention.key_length"),
  "rope.scaling.type": { kind: "word", absent: "linear", only: ["none", "linear", "yarn"] },
  "rope.scaling.factor": { kind: "factor", absent: "rope.scale_linear" },
  "rope.scale_linear": { kind: "factor", absent: 0 },
  "rope.scaling.original_context_length": { kind: "count", absent: "context_length" },
  "rope.scaling.attn_factor": { kind: "positive", absent: 1 },
  "rope.scaling.yarn_ext_factor": only(-1, 1),
  "rope.scaling.yarn_attn_factor": { kind: "positive", absent: 1 },
  "rope.scaling.yarn_beta_fast": { kind: "positive", absent: 32 },
  "rope.scaling.yarn_beta_slow": { kind: "positive", absent: 1 },
  "rope.scaling.yarn_log_multiplier": { kind: "notNegative", absent: 0 },
  "rope.scaling.alpha": only(0),
  "rope.scaling.finetuned": "harmless",
};

const llama = { ...shared, ...withRmsNorm, ...rotary };

/** Rotation of only some of a head's channels is allowed. */
const gemma: KeyTable = {
  ...llama,
  "rope.dimension_count": { kind: "size", absent: "attention.key_length" },
};

const windowed: KeyTable = {
  ...gemma,
  "attention.causal": { kind: "flag", absent: true, only: [true] },
  "attention.key_length_swa": same("attention.key_length"),
  "attention.value_length_swa": same("attention.key_length"),
  "rope.dimension_count_swa": same("rope.dimension_count"),
};

/** Models without rotation, with as many key heads as query heads. */
const unturned: KeyTable = {
  ...shared,
  ...withLayerNorm,
  "attention.head_count_kv": same("attention.head_count"),
  "attention.key_length": same(perHead),
};

const withExperts: KeyTable = { ...llama, expert_count: size, expert_used_count: size };

/** The width of an expert is a key of its own. */
const withNarrowExperts: KeyTable = {
  ...withExperts,
  expert_feed_forward_length: { kind: "size", absent: "feed_forward_length / expert_used_count" },
};

/** Granite's multipliers; 0 stands for none. */
const multipliers: KeyTable = {
  logit_scale: { kind: "positive" },
  residual_scale: { kind: "notNegative", absent: 0 },
  embedding_scale: { kind: "notNegative", absent: 0 },
  "attention.scale": { kind: "notNegative", absent: 0 },
  // Here llama.cpp reads it as whether queries and keys are rotated.
  "rope.scaling.finetuned": { kind: "flag", absent: true, only: [true] },
};

export const ggufTables: Readonly<Record<string, KeyTable>> = {
  // Mixtral's files say llama, too.
  llama: {
    ...llama,
    expert_count: { kind: "count", absent: 0 },
    expert_used_count: { kind: "count", absent: 0 },
  },
  qwen2: llama,
  qwen3: llama,
  gemma,
  gemma2: {
    ...windowed,
    attn_logit_softcapping: { kind: "positive", absent: 50 },
    final_logit_softcapping: { kind: "positive", absent: 30 },
    "attention.sliding_window": { kind: "size", absent: 4096 },
    "attention.sliding_window_pattern": { kind: "period", absent: 2 },
    "rope.freq_base_swa": { kind: "positive", absent: "rope.freq_base" },
  },
  gemma3: {
    ...windowed,
    final_logit_softcapping: { kind: "notNegative", absent: 0 },
    "attention.sliding_window": { kind: "count", absent: 0 },
    "attention.sliding_window_pattern": { kind: "period", absent: 6 },
    "rope.freq_base_swa": { kind: "positive", absent: 10000 },
    // For the vision encoder, which is another file.
    "mm.tokens_per_image": "harmless",
    "vision.*": "harmless",
  },
  gpt2: unturned,
  bert: { ...unturned, "attention.causal": { kind: "flag" } },
  qwen2moe: {
    ...withNarrowExperts,
    expert_shared_feed_forward_length: { kind: "size", absent: "feed_forward_length" },
  },
  qwen3moe: withNarrowExperts,
  olmoe: withExperts,
  granite: { ...llama, ...multipliers },
  granitemoe: { ...withExperts, ...multipliers, expert_shared_feed_forward_length: only(0) },
  "gpt-oss": {
    ...withExperts,
    "attention.causal": { kind: "flag", absent: true, only: [true] },
    expert_feed_forward_length: size,
    "attention.sliding_window": size,
    "attention.sliding_window_pattern": { kind: "period", absent: 2 },
    "rope.freq_base_swa": {
      kind: "positive",
      absent: "rope.freq_base",
      only: ["rope.freq_base"],
    },
  },
  lfm2: {
    ...llama,
    "attention.causal": { kind: "flag", absent: true, only: [true] },
    // 0 for a layer with a convolution.
    "attention.head_count_kv": { kind: "counts", absent: "attention.head_count" },
    "shortconv.l_cache": size,
  },
};

const listed = (names: string, what: "read" | "harmless") =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, what]));

/** Keys of vocabularies, without the prefix "tokenizer.ggml.". */
export const ggufVocabularyKeys: Readonly<Record<string, "read" | "harmless">> = {
  ...listed(
    `model pre tokens token_type token_type_count scores merges bos_token_id eos_token_id
    unknown_token_id cls_token_id seperator_token_id add_bos_token add_eos_token add_space_prefix
    precompiled_charsmap normalizer.lowercase normalizer.strip_accents`,
    "read",
  ),
  // For other tasks, pairs of texts, sampling, and kinds of vocabularies that are refused.
  ...listed(
    `eot_token_id eom_token_id eos_token_ids padding_token_id mask_token_id add_sep_token
    add_padding_token add_unknown_token add_mask_token remove_extra_whitespaces prefix_token_id
    suffix_token_id middle_token_id fim_pre_token_id fim_suf_token_id fim_mid_token_id
    fim_pad_token_id fim_rep_token_id fim_sep_token_id suppress_tokens`,
    "harmless",
  ),
};

// Families of Hugging Face without rotation, as reduced config.json files: the scheme of each, the
// file, and the options that must result.

export const sizes = { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 4 };
export const wide = {
  ...sizes,
  num_key_value_heads: 2,
  head_dim: 16,
  max_position_embeddings: 4096,
};

export const unturnedFamilies = {
  BERT: [
    "learned",
    {
      model_type: "bert",
      ...sizes,
      max_position_embeddings: 512,
      position_embedding_type: "absolute",
    },
    { maxPositions: 512, indexRule: "plain" },
  ],
  "BERT without the key, as version 5 writes it": [
    "learned",
    { model_type: "bert", ...sizes, max_position_embeddings: 512 },
    { maxPositions: 512 },
  ],
  "BERT with Shaw's keys": [
    "shaw",
    {
      model_type: "bert",
      ...sizes,
      max_position_embeddings: 512,
      position_embedding_type: "relative_key",
    },
    {
      maxDistance: 511,
      relativeValues: false,
      relativeQueries: false,
      queryMinusKey: true,
      clips: false,
    },
  ],
  "BERT with Shaw's keys and queries": [
    "shaw",
    {
      model_type: "bert",
      ...sizes,
      max_position_embeddings: 512,
      position_embedding_type: "relative_key_query",
    },
    { maxDistance: 511, relativeQueries: true },
  ],
  "RoBERTa counts two more rows": [
    "learned",
    { model_type: "roberta", ...sizes, max_position_embeddings: 514 },
    { maxPositions: 512, indexRule: "roberta" },
  ],
  "XLM-RoBERTa": [
    "learned",
    { model_type: "xlm-roberta", ...sizes, max_position_embeddings: 514 },
    { maxPositions: 512, indexRule: "roberta" },
  ],
  "GPT-2": [
    "learned",
    { model_type: "gpt2", n_embd: 64, n_head: 4, n_layer: 2, n_positions: 1024 },
    { maxPositions: 1024, indexRule: "plain" },
  ],
  OPT: [
    "learned",
    { model_type: "opt", ...sizes, max_position_embeddings: 2048 },
    { maxPositions: 2048, indexRule: "opt" },
  ],
  "BLOOM, by its name alone": [
    "alibi",
    { model_type: "bloom", hidden_size: 64, n_head: 4, n_layer: 2 },
    {},
  ],
  "Falcon-RW scales its bias": [
    "alibi",
    { model_type: "falcon", ...sizes, alibi: true, multi_query: false },
    { scaledBias: true, bfloat16Slopes: true },
  ],
  MPT: [
    "alibi",
    {
      model_type: "mpt",
      d_model: 64,
      n_heads: 4,
      n_layers: 2,
      attn_config: { alibi: true, alibi_bias_max: 16 },
    },
    { biasMax: 16 },
  ],
  "MPT without ALiBi": [
    "learned",
    {
      model_type: "mpt",
      d_model: 64,
      n_heads: 4,
      n_layers: 2,
      max_seq_len: 2048,
      attn_config: { alibi: false },
    },
    { maxPositions: 2048 },
  ],
  "T5's encoder": [
    "t5",
    {
      model_type: "t5",
      d_model: 64,
      d_kv: 16,
      num_heads: 4,
      num_layers: 2,
      relative_attention_num_buckets: 16,
      relative_attention_max_distance: 64,
    },
    { numBuckets: 16, maxDistance: 64, bidirectional: true },
  ],
  "T5's decoder": [
    "t5",
    {
      model_type: "t5",
      d_model: 64,
      d_kv: 16,
      num_heads: 4,
      num_layers: 2,
      is_decoder: true,
      relative_attention_num_buckets: 32,
    },
    { bidirectional: false },
  ],
  mT5: [
    "t5",
    {
      model_type: "mt5",
      d_model: 64,
      d_kv: 16,
      num_heads: 4,
      num_layers: 2,
      relative_attention_num_buckets: 32,
      relative_attention_max_distance: 128,
    },
    { numBuckets: 32, bidirectional: true },
  ],
  DeBERTa: [
    "deberta",
    {
      model_type: "deberta",
      ...sizes,
      max_position_embeddings: 512,
      relative_attention: true,
      max_relative_positions: -1,
      position_biased_input: false,
      pos_att_type: "c2p|p2c",
    },
    { maxRelativePositions: 512, positionBuckets: 0, shareProjections: false },
  ],
  "DeBERTa-v3": [
    "deberta",
    {
      model_type: "deberta-v2",
      ...sizes,
      max_position_embeddings: 512,
      relative_attention: true,
      max_relative_positions: -1,
      position_buckets: 256,
      share_att_key: true,
      position_biased_input: false,
      pos_att_type: "p2c|c2p",
      norm_rel_ebd: "layer_norm",
    },
    {
      maxRelativePositions: 512,
      positionBuckets: 256,
      shareProjections: true,
      contentToPosition: true,
      positionToContent: true,
      normalisesTable: true,
    },
  ],
  Marian: [
    "sinusoidal",
    {
      model_type: "marian",
      d_model: 64,
      encoder_attention_heads: 4,
      encoder_layers: 2,
      max_position_embeddings: 512,
      scale_embedding: true,
    },
    { layout: "marian", embeddingScale: true },
  ],
  Swin: [
    "swin",
    {
      model_type: "swin",
      embed_dim: 96,
      num_heads: [3, 6, 12, 24],
      window_size: 7,
      hidden_size: 768,
    },
    { version: "v1", windowHeight: 7, windowWidth: 7 },
  ],
  "Swin v2": [
    "swin",
    {
      model_type: "swinv2",
      embed_dim: 96,
      num_heads: [3, 6, 12, 24],
      window_size: 16,
      pretrained_window_sizes: [12, 12, 12, 6],
      hidden_size: 768,
    },
    { version: "v2", windowHeight: 16, pretrainedHeight: 12 },
  ],
};

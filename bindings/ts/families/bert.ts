import type { ConfigReader } from "./config-reader.js";
import type { Family, FamilyConfig, TensorRule } from "./family.js";

const block = "encoder.layer.#";
const tensors: readonly TensorRule[] = [
  ["embed_tokens", "embeddings.word_embeddings"],
  ["token_types", "embeddings.token_type_embeddings"],
  ["position.learned.embeddings", "embeddings.position_embeddings.weight", "exact"],
  ["embedding_norm", "embeddings.LayerNorm", "gamma"],
  ["layers.#.self_attn.q_proj", `${block}.attention.self.query`],
  ["layers.#.self_attn.k_proj", `${block}.attention.self.key`],
  ["layers.#.self_attn.v_proj", `${block}.attention.self.value`],
  ["layers.#.self_attn.o_proj", `${block}.attention.output.dense`],
  ["layers.#.attention_norm", `${block}.attention.output.LayerNorm`, "gamma"],
  ["layers.#.mlp.up_proj", `${block}.intermediate.dense`],
  ["layers.#.mlp.down_proj", `${block}.output.dense`],
  ["layers.#.feed_norm", `${block}.output.LayerNorm`, "gamma"],
];

/** An encoder: norms after attention and feed-forward, and no output head. */
export const encoderArchitecture = {
  head: "none",
  norm: "layer",
  normBias: true,
  normPlace: "after",
  finalNorm: false,
  embeddingNorm: true,
  gated: false,
  queryBias: true,
  outputBias: true,
  feedBias: true,
} as const;

function read(file: ConfigReader): FamilyConfig {
  file.only("is_decoder", false);
  file.only("add_cross_attention", false);
  return {
    vocabSize: file.number("vocab_size"),
    hiddenSize: file.number("hidden_size"),
    numLayers: file.number("num_hidden_layers"),
    numHeads: file.number("num_attention_heads"),
    intermediateSize: file.number("intermediate_size"),
    rmsNormEps: file.number("layer_norm_eps"),
    isCausal: false,
    architecture: {
      ...encoderArchitecture,
      activation: file.activation("hidden_act"),
      tokenTypes: file.number("type_vocab_size"),
    },
    tensors,
    prefix: "bert.",
    passes: "embeddings.position_ids pooler.* cls.* classifier.*",
  };
}

const absent = {
  vocab_size: 30522,
  hidden_size: 768,
  num_hidden_layers: 12,
  num_attention_heads: 12,
  intermediate_size: 3072,
  hidden_act: "gelu",
  max_position_embeddings: 512,
  type_vocab_size: 2,
  layer_norm_eps: 1e-12,
};
const layerKeys = "max_position_embeddings position_embedding_type";
/** Keys of the pooler and of task heads, which come after the hidden states. */
const harmless =
  "directionality pooler_fc_size pooler_num_attention_heads pooler_num_fc_layers " +
  "pooler_size_per_head pooler_type tie_word_embeddings";

/** Devlin et al. 2018, arXiv 1810.04805; MiniLM and most sentence encoders too. */
export const bert: Family = { id: "bert", absent, read, layerKeys, harmless };

/** Liu et al. 2019, arXiv 1907.11692, and its models under other names. */
const robertaNamed = (id: string, vocab_size = 30522): Family => ({
  id,
  absent: { ...absent, vocab_size, pad_token_id: 1 },
  read(file) {
    // The first position's row index is padding's plus one.
    file.only("pad_token_id", 1);
    return {
      ...read(file),
      prefix: "roberta.",
      passes: "embeddings.position_ids pooler.* lm_head.* classifier.*",
    };
  },
  layerKeys,
  harmless,
});
export const roberta = robertaNamed("roberta", 50265);
export const xlmRoberta = robertaNamed("xlm-roberta");
export const camembert = robertaNamed("camembert");

/** Goyal et al. 2021, arXiv 2105.00572: norms before attention and feed-forward, one at the end. */
export const xlmRobertaXl: Family = {
  id: "xlm-roberta-xl",
  absent: {
    ...absent,
    vocab_size: 250880,
    hidden_size: 2560,
    num_hidden_layers: 36,
    num_attention_heads: 32,
    intermediate_size: 10240,
    max_position_embeddings: 514,
    type_vocab_size: 1,
    layer_norm_eps: 1e-5,
    pad_token_id: 1,
  },
  read(file) {
    file.only("pad_token_id", 1);
    const { architecture, ...rest } = read(file);
    return {
      ...rest,
      architecture: {
        ...architecture,
        normPlace: "before",
        finalNorm: true,
        embeddingNorm: false,
      },
      tensors: [
        ...tensors.filter(([ours]) => !ours.endsWith("norm")),
        ["norm", "encoder.LayerNorm"],
        ["layers.#.input_layernorm", `${block}.attention.self_attn_layer_norm`],
        ["layers.#.post_attention_layernorm", `${block}.LayerNorm`],
      ],
      prefix: "roberta.",
      passes: "embeddings.position_ids pooler.* lm_head.* classifier.*",
    };
  },
  layerKeys,
  harmless,
};

/** Clark et al. 2020, arXiv 2003.10555: in the small one token vectors are narrower. */
export const electra: Family = {
  id: "electra",
  absent: {
    ...absent,
    embedding_size: 128,
    hidden_size: 256,
    num_attention_heads: 4,
    intermediate_size: 1024,
  },
  read(file) {
    const { architecture, tensors: ofBert, ...rest } = read(file);
    const inputWidth = file.number("embedding_size");
    const projects = inputWidth !== rest.hiddenSize;
    return {
      ...rest,
      architecture: { ...architecture, ...(projects && { inputWidth }) },
      tensors: [
        ...ofBert,
        ...(projects ? [["input_projection", "embeddings_project"] as const] : []),
      ],
      prefix: "electra.",
      passes:
        "embeddings.position_ids discriminator_predictions.* generator_predictions.* " +
        "generator_lm_head.* classifier.*",
    };
  },
  layerKeys,
  harmless,
};

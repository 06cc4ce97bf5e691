import { encoderArchitecture } from "./bert.js";
import type { ConfigReader } from "./config-reader.js";
import { type Family, type FamilyConfig, rotaryKeys, type TensorRule, zeros } from "./family.js";

/** Names of the files, whose layers `block` begins: of matrices, and of the norms after them. */
const namesOf = (
  block: string,
  names: { fused: string; output: string; norm: string; norms: readonly [string, string] },
): TensorRule[] => [
  ["embed_tokens", "embeddings.word_embeddings"],
  ["token_types", "embeddings.token_type_embeddings"],
  ["embedding_norm", names.norm],
  ["layers.#.self_attn.q_proj k_proj v_proj", `${block}.${names.fused}`],
  ["layers.#.self_attn.o_proj", `${block}.${names.output}`],
  ["layers.#.attention_norm", `${block}.${names.norms[0]}`],
  ["layers.#.feed_norm", `${block}.${names.norms[1]}`],
];

const older = "encoder.layers.#";
const olderNames = (part: string) =>
  namesOf(older, {
    fused: `${part}.Wqkv`,
    output: `${part}.out_proj`,
    norm: "emb_ln",
    norms: ["norm1", "norm2"],
  });

const absent = {
  hidden_size: 768,
  num_hidden_layers: 12,
  num_attention_heads: 12,
  intermediate_size: 3072,
  type_vocab_size: 2,
};

/** BERT's block with rotation. */
function read(file: ConfigReader, tensors: readonly TensorRule[], prefix: string): FamilyConfig {
  const [hiddenSize, numHeads] = [file.number("hidden_size"), file.number("num_attention_heads")];
  return {
    vocabSize: file.number("vocab_size"),
    hiddenSize,
    numLayers: file.number("num_hidden_layers"),
    numHeads,
    headDim: file.number("head_dim", hiddenSize / numHeads),
    intermediateSize: file.number("intermediate_size"),
    rmsNormEps: file.number("layer_norm_eps"),
    isCausal: false,
    architecture: {
      ...encoderArchitecture,
      activation: file.activation("hidden_act"),
      tokenTypes: file.number("type_vocab_size"),
    },
    tensors,
    prefix,
    passes:
      "embeddings.position_ids embeddings.token_type_ids pooler.* cls.* lm_head.* classifier.* " +
      "*.inv_freq",
  };
}

const harmless = "tie_word_embeddings";

/** Nussbaum et al. 2024, arXiv 2402.01613 (nomic-embed-text). */
export const nomicBert: Family = {
  id: "nomic_bert",
  absent: {
    ...absent,
    vocab_size: 30528,
    hidden_act: "silu",
    max_position_embeddings: 2048,
    layer_norm_eps: 1e-12,
  },
  read(file) {
    const tensors: TensorRule[] = [
      ...olderNames("attn"),
      ["layers.#.mlp.gate_proj", `${older}.mlp.fc12`],
      ["layers.#.mlp.up_proj", `${older}.mlp.fc11`],
      ["layers.#.mlp.down_proj", `${older}.mlp.fc2`],
    ];
    const { architecture, ...rest } = read(file, tensors, "nomic_bert.");
    return {
      ...rest,
      architecture: {
        ...architecture,
        gated: true,
        queryBias: false,
        outputBias: false,
        feedBias: false,
      },
    };
  },
  layerKeys: rotaryKeys,
  harmless,
};

/** Sturua et al. 2024, arXiv 2409.10173 (jina-embeddings-v3), without an adapter of a task. */
export const jinaEmbeddingsV3: Family = {
  id: "jina_embeddings_v3",
  absent: {
    ...absent,
    vocab_size: 250002,
    hidden_size: 1024,
    num_hidden_layers: 24,
    num_attention_heads: 16,
    intermediate_size: 4096,
    hidden_act: "gelu",
    max_position_embeddings: 8194,
    type_vocab_size: 1,
    layer_norm_eps: 1e-5,
  },
  read(file) {
    const tensors: TensorRule[] = [
      ...olderNames("mixer"),
      ["layers.#.mlp.up_proj", `${older}.mlp.fc1`],
      ["layers.#.mlp.down_proj", `${older}.mlp.fc2`],
    ];
    return read(file, tensors, "roberta.");
  },
  layerKeys: rotaryKeys,
  harmless,
};

/** Zhang et al. 2024, arXiv 2407.19669 (GTE): of the feed-forward only down has a bias. */
export const gte: Family = {
  id: "gte",
  absent: {
    ...absent,
    vocab_size: 250048,
    hidden_act: "gelu",
    max_position_embeddings: 8192,
    type_vocab_size: 1,
    layer_norm_eps: 1e-12,
  },
  read(file) {
    const size = file.number("intermediate_size");
    const block = "encoder.layer.#";
    const both = `${block}.mlp.up_gate_proj.weight`;
    const none = zeros(size);
    const tensors: TensorRule[] = [
      ...namesOf(block, {
        fused: "attention.qkv_proj",
        output: "attention.o_proj",
        norm: "embeddings.LayerNorm",
        norms: ["attn_ln", "mlp_ln"],
      }),
      ["layers.#.mlp.up_proj.weight", both, "exact", { rows: [0, size] }],
      ["layers.#.mlp.gate_proj.weight", both, "exact", { rows: [size, size] }],
      ["layers.#.mlp.up_proj.bias", none.name, "exact"],
      ["layers.#.mlp.gate_proj.bias", none.name, "exact"],
      ["layers.#.mlp.down_proj", `${block}.mlp.down_proj`],
    ];
    const { architecture, ...rest } = read(file, tensors, "new.");
    return { ...rest, architecture: { ...architecture, gated: true }, constants: [none] };
  },
  layerKeys: rotaryKeys,
  harmless,
};

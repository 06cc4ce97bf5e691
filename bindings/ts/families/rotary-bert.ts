import { encoderArchitecture } from "./bert.js";
import type { ConfigReader } from "./config-reader.js";
import { type Family, type FamilyConfig, rotaryKeys, type TensorRule } from "./family.js";
import { llamaAttention } from "./llama-block.js";

const ends: readonly TensorRule[] = [
  ["embed_tokens", "embeddings.word_embeddings"],
  ["token_types", "embeddings.token_type_embeddings"],
  ["embedding_norm", "embeddings.LayerNorm"],
  ["layers.#.attention_norm", "layers.#.post_attention_layernorm"],
  ["layers.#.feed_norm", "layers.#.post_mlp_layernorm"],
];

const feed = (...names: (readonly [ours: string, theirs: string])[]): TensorRule[] =>
  names.map(([ours, theirs]) => [`layers.#.mlp.${ours}`, `layers.#.mlp.${theirs}`]);

const absent = {
  hidden_size: 768,
  num_hidden_layers: 12,
  num_attention_heads: 12,
  intermediate_size: 3072,
  type_vocab_size: 2,
};

/** BERT's block with rotation. */
function read(file: ConfigReader): FamilyConfig {
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
    tensors: [...ends, ...llamaAttention],
    prefix: "",
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
    const { architecture, tensors, ...rest } = read(file);
    return {
      ...rest,
      architecture: {
        ...architecture,
        gated: true,
        queryBias: false,
        outputBias: false,
        feedBias: false,
      },
      tensors: [
        ...tensors,
        ...feed(["gate_proj", "gate_proj"], ["up_proj", "up_proj"], ["down_proj", "down_proj"]),
      ],
      prefix: "nomic_bert.",
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
    const { tensors, ...rest } = read(file);
    return {
      ...rest,
      tensors: [...tensors, ...feed(["up_proj", "fc1"], ["down_proj", "fc2"])],
      prefix: "roberta.",
    };
  },
  layerKeys: rotaryKeys,
  harmless,
};

import { encoderArchitecture } from "./bert.js";
import type { Family, TensorRule } from "./family.js";

const layer = "encoder.albert_layer_groups.#.albert_layers.0";
const tensors: readonly TensorRule[] = [
  ["embed_tokens", "embeddings.word_embeddings"],
  ["token_types", "embeddings.token_type_embeddings"],
  ["position.learned.embeddings", "embeddings.position_embeddings.weight", "exact"],
  ["embedding_norm", "embeddings.LayerNorm", "gamma"],
  ["input_projection", "encoder.embedding_hidden_mapping_in"],
  ["layers.#.self_attn.q_proj", `${layer}.attention.query`],
  ["layers.#.self_attn.k_proj", `${layer}.attention.key`],
  ["layers.#.self_attn.v_proj", `${layer}.attention.value`],
  ["layers.#.self_attn.o_proj", `${layer}.attention.dense`],
  ["layers.#.attention_norm", `${layer}.attention.LayerNorm`, "gamma"],
  ["layers.#.mlp.up_proj", `${layer}.ffn`],
  ["layers.#.mlp.down_proj", `${layer}.ffn_output`],
  ["layers.#.feed_norm", `${layer}.full_layer_layer_norm`, "gamma"],
];

/**
 * Lan et al. 2019, arXiv 1909.11942: layers share one set of weights, and token vectors are
 * narrower than the model.
 */
export const albert: Family = {
  id: "albert",
  absent: {
    vocab_size: 30000,
    embedding_size: 128,
    hidden_size: 4096,
    num_hidden_layers: 12,
    num_hidden_groups: 1,
    num_attention_heads: 64,
    intermediate_size: 16384,
    inner_group_num: 1,
    hidden_act: "gelu_new",
    max_position_embeddings: 512,
    type_vocab_size: 2,
    layer_norm_eps: 1e-12,
  },
  read(file) {
    file.only("inner_group_num", 1);
    const numLayers = file.number("num_hidden_layers");
    const groups = file.number("num_hidden_groups");
    if (!(Number.isInteger(groups) && groups > 0 && numLayers % groups === 0))
      file.refuse("num_hidden_groups", groups, `a divisor of num_hidden_layers, ${numLayers}`);
    return {
      vocabSize: file.number("vocab_size"),
      hiddenSize: file.number("hidden_size"),
      numLayers,
      numHeads: file.number("num_attention_heads"),
      intermediateSize: file.number("intermediate_size"),
      rmsNormEps: file.number("layer_norm_eps"),
      isCausal: false,
      architecture: {
        ...encoderArchitecture,
        activation: file.activation("hidden_act"),
        tokenTypes: file.number("type_vocab_size"),
        inputWidth: file.number("embedding_size"),
        layerGroups: groups,
      },
      tensors,
      prefix: "albert.",
      passes: "embeddings.position_ids pooler.* predictions.* sop_classifier.* classifier.*",
    };
  },
  layerKeys: "max_position_embeddings position_embedding_type",
  harmless:
    "classifier_dropout_prob down_scale_factor gap_size net_structure_type num_memory_blocks " +
    "tie_word_embeddings",
};

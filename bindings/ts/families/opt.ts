import type { Family, TensorRule } from "./family.js";

/**
 * Token vectors of another width than the blocks, with a projection before and after the blocks.
 */
const projectedTables = (isTied: boolean): TensorRule[] => [
  ["embed_tokens.0", "decoder.embed_tokens"],
  ["embed_projections.0", "decoder.project_in"],
  ["lm_head.projections.0", "decoder.project_out", "T"],
  ...(isTied ? [] : [["lm_head.tables.0", "lm_head"] as const]),
];

/** Zhang et al. 2022, arXiv 2205.01068. */
export const opt: Family = {
  id: "opt",
  absent: {
    vocab_size: 50272,
    hidden_size: 768,
    num_hidden_layers: 12,
    num_attention_heads: 12,
    ffn_dim: 3072,
    max_position_embeddings: 2048,
    activation_function: "relu",
    do_layer_norm_before: true,
    _remove_final_layer_norm: false,
    enable_bias: true,
    tie_word_embeddings: true,
  },
  read(file) {
    const hiddenSize = file.number("hidden_size");
    const embeddingWidth = file.number("word_embed_proj_dim", hiddenSize);
    const isProjected = embeddingWidth !== hiddenSize;
    const head = file.head();
    const isTied = head === "tied";
    file.only("layer_norm_elementwise_affine", true);
    const hasNorm = !file.flag("_remove_final_layer_norm");
    const isBefore = file.flag("do_layer_norm_before");
    const bias = file.flag("enable_bias");
    const block = "decoder.layers.#";
    return {
      vocabSize: file.number("vocab_size"),
      hiddenSize,
      numLayers: file.number("num_hidden_layers"),
      numHeads: file.number("num_attention_heads"),
      intermediateSize: file.number("ffn_dim"),
      rmsNormEps: 1e-5,
      architecture: {
        head,
        ...(isProjected && { embeddingWidth }),
        norm: "layer",
        normBias: true,
        normPlace: isBefore ? "before" : "after",
        finalNorm: isBefore && hasNorm,
        activation: file.activation("activation_function"),
        gated: false,
        queryBias: bias,
        outputBias: bias,
        feedBias: bias,
      },
      tensors: [
        ...(isProjected
          ? projectedTables(isTied)
          : [["embed_tokens", "decoder.embed_tokens"] as const]),
        ["position.learned.embeddings", "decoder.embed_positions.weight", "exact"],
        ["norm", "decoder.final_layer_norm"],
        ["layers.#.self_attn.q_proj", `${block}.self_attn.q_proj`],
        ["layers.#.self_attn.k_proj", `${block}.self_attn.k_proj`],
        ["layers.#.self_attn.v_proj", `${block}.self_attn.v_proj`],
        ["layers.#.self_attn.o_proj", `${block}.self_attn.out_proj`],
        ["layers.#.mlp.up_proj", `${block}.fc1`],
        ["layers.#.mlp.down_proj", `${block}.fc2`],
        [
          `layers.#.${isBefore ? "input_layernorm" : "attention_norm"}`,
          `${block}.self_attn_layer_norm`,
        ],
        [
          `layers.#.${isBefore ? "post_attention_layernorm" : "feed_norm"}`,
          `${block}.final_layer_norm`,
        ],
      ],
      copies: isProjected && isTied ? [["lm_head.weight", "decoder.embed_tokens.weight"]] : [],
      prefix: "model.",
    };
  },
  layerKeys: "max_position_embeddings",
};

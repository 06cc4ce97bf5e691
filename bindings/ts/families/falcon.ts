import { type Family, rotaryKeys, type TensorRule } from "./family.js";

/** Almazrouei et al. 2023, arXiv 2311.16867, both generations. */
export const falcon: Family = {
  id: "falcon",
  absent: {
    vocab_size: 65024,
    hidden_size: 4544,
    num_hidden_layers: 32,
    num_attention_heads: 71,
    layer_norm_epsilon: 1e-5,
    alibi: false,
    new_decoder_architecture: false,
    multi_query: true,
    parallel_attn: true,
    bias: false,
    max_position_embeddings: 2048,
    activation: "gelu",
    tie_word_embeddings: true,
  },
  aliases: { n_embed: "hidden_size" },
  read(file) {
    const hiddenSize = file.number("hidden_size");
    const numHeads = file.number("num_attention_heads");
    const isNew = file.flag("new_decoder_architecture", false);
    const isShared = file.flag("multi_query", false);
    const numKvHeads = file.number("num_kv_heads", numHeads);
    const isParallel = file.flag("parallel_attn", false) || isNew;
    const hasTwoNorms = isNew && file.number("num_ln_in_parallel_attn", 2) === 2;
    file.value("num_ln_in_parallel_attn");
    const bias = file.flag("bias", false);
    const norms: TensorRule[] = hasTwoNorms
      ? [
          ["layers.#.input_layernorm", "h.#.ln_attn"],
          ["layers.#.post_attention_layernorm", "h.#.ln_mlp"],
        ]
      : [
          ["layers.#.input_layernorm", "h.#.input_layernorm"],
          ["layers.#.post_attention_layernorm", "h.#.post_attention_layernorm"],
        ];
    return {
      vocabSize: file.number("vocab_size"),
      hiddenSize,
      numLayers: file.number("num_hidden_layers"),
      numHeads,
      numKvHeads: isNew ? numKvHeads : isShared ? 1 : numHeads,
      intermediateSize: file.number("ffn_hidden_size", 4 * hiddenSize),
      rmsNormEps: file.number("layer_norm_epsilon"),
      architecture: {
        head: file.head(),
        norm: "layer",
        normBias: true,
        residual: !isParallel ? "serial" : hasTwoNorms ? "parallel" : "shared",
        activation: file.activation("activation"),
        gated: false,
        queryBias: bias,
        outputBias: bias,
        feedBias: bias,
      },
      tensors: [
        ["embed_tokens", "word_embeddings"],
        ["norm", "ln_f"],
        ...norms,
        ["layers.#.self_attn.q_proj k_proj v_proj", "h.#.self_attention.query_key_value", "heads"],
        ["layers.#.self_attn.o_proj", "h.#.self_attention.dense"],
        ["layers.#.mlp.up_proj", "h.#.mlp.dense_h_to_4h"],
        ["layers.#.mlp.down_proj", "h.#.mlp.dense_4h_to_h"],
      ],
      prefix: "transformer.",
      passes: "*.inv_freq",
    };
  },
  layerKeys: `${rotaryKeys} alibi`,
};

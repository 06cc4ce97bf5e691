import type { ConfigReader } from "./config-reader.js";
import type { Family, FamilyConfig, TensorRule } from "./family.js";

/** Tensor names of the encoder or decoder: `feed` is the index of its block's feed-forward. */
function blocksOf(name: string, feed: number, isGated: boolean): TensorRule[] {
  const block = `${name}.block.#.layer`;
  const wide = `${block}.${feed}.DenseReluDense`;
  return [
    ["embed_tokens", "shared|decoder.embed_tokens|encoder.embed_tokens"],
    [
      "position.t5.relative_attention_bias",
      `${name}.block.0.layer.0.SelfAttention.relative_attention_bias.weight`,
      "exact",
    ],
    ["norm", `${name}.final_layer_norm`],
    ["layers.#.input_layernorm", `${block}.0.layer_norm`],
    ["layers.#.self_attn.q_proj", `${block}.0.SelfAttention.q`],
    ["layers.#.self_attn.k_proj", `${block}.0.SelfAttention.k`],
    ["layers.#.self_attn.v_proj", `${block}.0.SelfAttention.v`],
    ["layers.#.self_attn.o_proj", `${block}.0.SelfAttention.o`],
    ["layers.#.post_attention_layernorm", `${block}.${feed}.layer_norm`],
    ["layers.#.mlp.gate_proj", `${wide}.wi_0`],
    ["layers.#.mlp.up_proj", `${wide}.${isGated ? "wi_1" : "wi"}`],
    ["layers.#.mlp.down_proj", `${wide}.wo`],
  ];
}

const cross = "decoder.block.#.layer.1";
const crossTensors: readonly TensorRule[] = [
  ["layers.#.cross_norm", `${cross}.layer_norm`],
  ["layers.#.cross_attn.q_proj", `${cross}.EncDecAttention.q`],
  ["layers.#.cross_attn.k_proj", `${cross}.EncDecAttention.k`],
  ["layers.#.cross_attn.v_proj", `${cross}.EncDecAttention.v`],
  ["layers.#.cross_attn.o_proj", `${cross}.EncDecAttention.o`],
];

function feedForward(file: ConfigReader) {
  file.notNull("a word", "dense_act_fn");
  const words = file.value("feed_forward_proj");
  const form = /^(gated-)?(\w+)$/.exec(typeof words === "string" ? words : "");
  if (!form)
    return file.refuse("feed_forward_proj", words, '"relu" or "gated-gelu"', "unsupported");
  const gated = form[1] !== undefined;
  // "gated-gelu" has always meant the tanh approximation.
  const word = gated && form[2] === "gelu" ? "gelu_new" : form[2];
  // Files save the derived value beside it, and that one is used.
  const isGated = "is_gated_act" in file.file ? file.flag("is_gated_act", false) : gated;
  const said = file.value("dense_act_fn");
  return {
    gated: isGated,
    activation: said
      ? file.activation("dense_act_fn")
      : file.activationOf("feed_forward_proj", word),
  };
}

function read(file: ConfigReader, scales: boolean): FamilyConfig {
  file.only("is_decoder", false);
  const feed = feedForward(file);
  const width = file.number("d_model");
  const sizes = {
    vocabSize: file.number("vocab_size"),
    hiddenSize: width,
    numHeads: file.number("num_heads"),
    headDim: file.number("d_kv"),
    intermediateSize: file.number("d_ff"),
    rmsNormEps: file.number("layer_norm_epsilon"),
    prefix: "transformer.",
  };
  const numLayers = file.number("num_layers");
  const encoder: FamilyConfig = {
    ...sizes,
    numLayers,
    isCausal: false,
    architecture: { head: "none", ...feed },
    tensors: blocksOf("encoder", 1, feed.gated),
    passes: "decoder.* lm_head.* encoder.embed_tokens.weight",
  };
  const made = file.value("architectures");
  if (Array.isArray(made) && /EncoderModel$/.test(String(made[0]))) return encoder;
  file.only("is_encoder_decoder", true);
  const isTied = file.flag("tie_word_embeddings", true);
  // Since version 1.1 the output head is separate and logits are not scaled; mT5's never are.
  const key = "scale_decoder_outputs";
  const isScaled = scales && (key in file.file ? file.flag(key, false) : isTied);
  return {
    ...sizes,
    numLayers: file.number("num_decoder_layers", numLayers),
    architecture: {
      head: isTied ? "tied" : "own",
      ...feed,
      crossAttention: true,
      logitScale: isScaled ? 1 / Math.sqrt(width) : 1,
    },
    tensors: [...blocksOf("decoder", 2, feed.gated), ...crossTensors],
    // The first checkpoints have a bias of cross-attention that is not used.
    passes:
      "encoder.* decoder.embed_tokens.weight " +
      "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight",
    layers: { is_decoder: true },
    encoder,
    start: file.number("decoder_start_token_id", file.number("pad_token_id", 0)),
  };
}

/**
 * Raffel et al. 2020, arXiv 1910.10683: distance buckets shared by all layers of the encoder or
 * decoder, no 1/√D, no biases.
 */
const named = (id: string, scales: boolean, special: Record<string, unknown>): Family => ({
  id,
  absent: {
    d_model: 512,
    d_kv: 64,
    relative_attention_num_buckets: 32,
    relative_attention_max_distance: 128,
    layer_norm_epsilon: 1e-6,
    pad_token_id: 0,
    ...special,
  },
  aliases: {
    hidden_size: "d_model",
    num_attention_heads: "num_heads",
    num_hidden_layers: "num_layers",
    head_dim: "d_kv",
  },
  read: (file) => read(file, scales),
  layerKeys: "relative_attention_num_buckets relative_attention_max_distance",
  harmless: "dropout_rate n_positions num_decoder_layers scale_decoder_outputs tie_word_embeddings",
});
export const t5 = named("t5", true, {
  vocab_size: 32128,
  d_ff: 2048,
  num_layers: 6,
  num_heads: 8,
  feed_forward_proj: "relu",
});
export const mt5 = named("mt5", false, {
  vocab_size: 250112,
  d_ff: 1024,
  num_layers: 8,
  num_heads: 6,
  feed_forward_proj: "gated-gelu",
  decoder_start_token_id: 0,
});

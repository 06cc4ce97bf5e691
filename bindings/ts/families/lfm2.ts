import type { ConfigReader } from "./config-reader.js";
import { type Family, rotaryKeys, type TensorRule } from "./family.js";
import { llamaAbsent, llamaFile, llamaSizes } from "./llama-block.js";

const tensors: readonly TensorRule[] = [
  ["embed_tokens", "embed_tokens"],
  ["norm", "embedding_norm"],
  ["layers.#.input_layernorm", "layers.#.operator_norm"],
  ["layers.#.post_attention_layernorm", "layers.#.ffn_norm"],
  ...["q_proj", "k_proj", "v_proj"].map(
    (name): TensorRule => [`layers.#.self_attn.${name}`, `layers.#.self_attn.${name}`],
  ),
  ["layers.#.self_attn.o_proj", "layers.#.self_attn.out_proj"],
  ["layers.#.self_attn.q_norm", "layers.#.self_attn.q_layernorm"],
  ["layers.#.self_attn.k_norm", "layers.#.self_attn.k_layernorm"],
  ["layers.#.conv.in_proj", "layers.#.conv.in_proj"],
  ["layers.#.conv.conv", "layers.#.conv.conv", "F"],
  ["layers.#.conv.out_proj", "layers.#.conv.out_proj"],
  ["layers.#.mlp.gate_proj", "layers.#.feed_forward.w1"],
  ["layers.#.mlp.up_proj", "layers.#.feed_forward.w3"],
  ["layers.#.mlp.down_proj", "layers.#.feed_forward.w2"],
];

/** Two thirds of the given width, scaled, and rounded up to a multiple. */
function feedWidth(file: ConfigReader): number {
  const given = file.number("intermediate_size");
  const isAdjusted = file.flag("block_auto_adjust_ff_dim");
  const multiple = file.number("block_multiple_of");
  const factor = file.number("block_ffn_dim_multiplier");
  if (!isAdjusted) return given;
  const width = Math.trunc((2 * given) / 3);
  return multiple * Math.ceil(Math.trunc(factor * width) / multiple);
}

/** The type of each layer, by name or by the list of those with attention. */
function typesOf(file: ConfigReader, count: number): unknown[] {
  const types = file.value("layer_types");
  const listed = file.value("full_attn_idxs");
  if (types !== undefined) {
    const isKnown = (type: unknown) => type === "conv" || type === "full_attention";
    return Array.isArray(types) && types.length === count && types.every(isKnown)
      ? types
      : file.refuse("layer_types", types, `${count} of "conv" and "full_attention"`, "unsupported");
  }
  if (listed !== undefined && !Array.isArray(listed))
    file.refuse("full_attn_idxs", listed, "a list of layers");
  return Array.from({ length: Math.min(count, 256) }, (_, i) =>
    !listed || listed.includes(i) ? "full_attention" : "conv",
  );
}

/** LFM2 (Liquid AI 2025): most layers have a short convolution in place of attention. */
export const lfm2: Family = {
  id: "lfm2",
  absent: {
    ...llamaAbsent,
    vocab_size: 65536,
    hidden_size: 2560,
    intermediate_size: 12288,
    num_key_value_heads: 8,
    max_position_embeddings: 128000,
    norm_eps: 1e-5,
    tie_word_embeddings: true,
    conv_bias: false,
    conv_L_cache: 3,
    block_multiple_of: 256,
    block_ffn_dim_multiplier: 1,
    block_auto_adjust_ff_dim: true,
  },
  aliases: { tie_embedding: "tie_word_embeddings", block_ff_dim: "intermediate_size" },
  read(file) {
    const sizes = llamaSizes(file, "norm_eps");
    const types = typesOf(file, sizes.numLayers);
    const taps = file.number("conv_L_cache");
    return {
      ...sizes,
      intermediateSize: feedWidth(file),
      architecture: { head: file.head(), convolutionBias: file.flag("conv_bias") },
      tensors,
      ...llamaFile,
      layers: {
        layer_types: types,
        layers: {
          ...(types.includes("full_attention") && {
            full_attention: { ...file.file, query_key_norm: "weighted" },
          }),
          ...(types.includes("conv") && { conv: { schemes: [], convolution: taps } }),
        },
      },
    };
  },
  layerKeys: rotaryKeys,
  harmless:
    "conv_dim conv_dim_out conv_use_xavier_init block_dim block_mlp_init_scale block_norm_eps " +
    "block_out_init_scale block_use_swiglu block_use_xavier_init num_heads use_pos_enc",
};

import { type Family, rotaryKeys, type TensorRule } from "./family.js";
import { llamaAbsent, llamaAttention, llamaFile, llamaSizes } from "./llama-block.js";
import { mambaAbsent, mambaLayers } from "./mamba.js";

const tensors: readonly TensorRule[] = [
  ["embed_tokens", "embed_tokens"],
  ["norm", "final_layernorm"],
  ["layers.#.input_layernorm", "layers.#.input_layernorm"],
  ["layers.#.post_attention_layernorm", "layers.#.pre_ff_layernorm"],
  ...llamaAttention,
  ...["gate_proj", "up_proj", "down_proj"].map(
    (name): TensorRule => [`layers.#.mlp.${name}`, `layers.#.feed_forward.${name}`],
  ),
];

/** IBM, Princeton and UIUC 2024 (Bamba): a few layers have attention, the others Mamba-2. */
export const bamba: Family = {
  id: "bamba",
  absent: {
    ...llamaAbsent,
    ...mambaAbsent,
    vocab_size: 128000,
    intermediate_size: 14336,
    num_key_value_heads: 8,
    max_position_embeddings: 262144,
    rms_norm_eps: 1e-5,
  },
  read(file) {
    const sizes = llamaSizes(file);
    const bias = file.flag("attention_bias");
    const listed = file.value("attn_layer_indices") ?? [];
    if (!Array.isArray(listed)) file.refuse("attn_layer_indices", listed, "a list of layers");
    const attends = new Set<unknown>(listed as unknown[]);
    const hasMamba = Array.from(
      { length: Math.min(sizes.numLayers, 256) },
      (_, i) => !attends.has(i),
    );
    // The class rotates half of the channels, whatever the file has.
    const mamba = mambaLayers(file, sizes.hiddenSize, hasMamba, { partial_rotary_factor: 0.5 });
    return {
      ...sizes,
      architecture: {
        head: file.head(),
        activation: file.activation("hidden_act"),
        queryBias: bias,
        outputBias: bias,
        feedBias: file.flag("mlp_bias"),
        ...mamba.architecture,
      },
      tensors: [...tensors, ...mamba.tensors],
      ...llamaFile,
      layers: mamba.layers,
    };
  },
  layerKeys: `${rotaryKeys} partial_rotary_factor`,
  harmless:
    "attn_rotary_emb use_mamba_kernels mamba_chunk_size num_logits_to_keep z_loss_coefficient " +
    "layers_block_type",
};

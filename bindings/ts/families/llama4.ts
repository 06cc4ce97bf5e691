import type { ConfigReader } from "./config-reader.js";
import { type Family, rotaryKeys, type TensorRule } from "./family.js";
import {
  llamaAbsent,
  llamaAttention,
  llamaEnds,
  llamaFile,
  llamaNorms,
  llamaSizes,
} from "./llama-block.js";

const names = ["gate_proj", "up_proj", "down_proj"];
const feed = (ours: string, theirs: string): TensorRule[] =>
  names.map((name) => [`layers.#.${ours}${name}`, `layers.#.feed_forward.${theirs}${name}`]);

/** Matrices of experts are transposed, and rows of gate and up are in one tensor. */
const experts = (size: number): TensorRule[] =>
  names.map((name, i) => {
    const theirs = `layers.#.feed_forward.experts.${i < 2 ? "gate_up_proj" : name}`;
    const ours = `layers.#.mlp.experts.${name}.weight`;
    const rows = { every: [i * size, size, 2 * size] as const };
    return i < 2 ? [ours, theirs, "L T exact", rows] : [ours, theirs, "L T exact"];
  });

/** The layers with a dense feed-forward: those not listed, or all but every n-th. */
function denseLayers(file: ConfigReader, count: number): boolean[] {
  const listed = file.value("moe_layers");
  const step = file.number("interleave_moe_layer_step");
  if (listed !== undefined && !Array.isArray(listed))
    file.refuse("moe_layers", listed, "a list of layers");
  if (!(Number.isInteger(step) && step > 0))
    file.refuse("interleave_moe_layer_step", step, "a whole number from 1 on");
  return Array.from({ length: count }, (_, i) =>
    listed ? !listed.includes(i) : (i + 1) % step !== 0,
  );
}

/** Whether each layer rotates, 1 or 0: listed, or all but every n-th. */
function rotations(file: ConfigReader, count: number): unknown[] {
  const listed = file.value("no_rope_layers");
  const every = file.number("no_rope_layer_interval");
  const form = `a list of 0 and 1, one for each of ${count} layers`;
  if (listed === undefined || (Array.isArray(listed) && listed.length === 0))
    return Array.from({ length: count }, (_, i) => Number((i + 1) % every !== 0));
  return Array.isArray(listed) && listed.length >= count
    ? listed.slice(0, count)
    : file.refuse("no_rope_layers", listed, form);
}

/**
 * Meta 2025 (Llama 4): chunks where layers rotate, a temperature where they do not, and experts
 * whose inputs the router multiplies.
 */
export const llama4: Family = {
  id: "llama4_text",
  absent: {
    ...llamaAbsent,
    vocab_size: 202048,
    hidden_size: 5120,
    intermediate_size: 8192,
    intermediate_size_mlp: 16384,
    num_hidden_layers: 48,
    num_attention_heads: 40,
    num_key_value_heads: 8,
    head_dim: 128,
    max_position_embeddings: 131072,
    rms_norm_eps: 1e-5,
    num_experts_per_tok: 1,
    num_local_experts: 16,
    interleave_moe_layer_step: 1,
    use_qk_norm: true,
    no_rope_layer_interval: 4,
    attention_chunk_size: 8192,
    attn_temperature_tuning: true,
    floor_scale: 8192,
    attn_scale: 0.1,
  },
  read(file) {
    const sizes = llamaSizes(file);
    const bias = file.flag("attention_bias");
    const expertSize = sizes.intermediateSize;
    const count = Math.min(sizes.numLayers, 256);
    const rotates = rotations(file, count);
    const dense = denseLayers(file, count);
    const hasExperts = dense.includes(false);
    const isChunked = file.value("attention_chunk_size") !== undefined;
    const listed = file.value("layer_types");
    if (!isChunked && Array.isArray(listed) && listed.includes("chunked_attention"))
      file.refuse(
        "attention_chunk_size",
        null,
        "a number, since layer_types has layers with chunks",
      );
    const types = rotates.map((rotated) =>
      rotated && isChunked ? "chunked_attention" : "full_attention",
    );
    file.flag("use_qk_norm");
    // The first files have 4, and mean true.
    const isTuned =
      file.value("attn_temperature_tuning") === 4 || file.flag("attn_temperature_tuning");
    for (const key of ["floor_scale", "attn_scale"]) file.number(key);
    return {
      ...sizes,
      intermediateSize: file.number("intermediate_size_mlp"),
      architecture: {
        head: file.head(),
        activation: file.activation("hidden_act"),
        queryBias: bias,
        outputBias: bias,
        ...(hasExperts && {
          experts: file.number("num_local_experts"),
          expertsPerToken: file.number("num_experts_per_tok"),
          expertSize,
          router: "sigmoid" as const,
          routerScalesInputs: true,
          sharedExpertSize: expertSize,
        }),
      },
      tensors: [
        ...llamaEnds,
        ...llamaNorms,
        ...llamaAttention,
        ...feed("mlp.", ""),
        ...feed("mlp.shared_expert.", "shared_expert."),
        ["layers.#.mlp.router", "layers.#.feed_forward.router"],
        ...experts(expertSize),
      ],
      ...llamaFile,
      layers: {
        no_rope_layers: rotates,
        attn_temperature_tuning: isTuned,
        layer_types: listed ?? types,
      },
      ...(hasExperts && { dense }),
    };
  },
  layerKeys: `${rotaryKeys} layer_types`,
  harmless: "router_aux_loss_coef router_jitter_noise for_llm_compressor num_experts_per_tok",
};

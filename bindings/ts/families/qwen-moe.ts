import type { ConfigReader } from "./config-reader.js";
import { denseLayers, expertArchitecture, expertTensors, sharedExpertTensors } from "./experts.js";
import { type Family, rotaryKeys, windowKeys } from "./family.js";
import { llamaAbsent, llamaFile, llamaSizes, llamaTensors, queryKeyNorms } from "./llama-block.js";

const absent = {
  ...llamaAbsent,
  vocab_size: 151936,
  hidden_size: 2048,
  num_hidden_layers: 24,
  max_position_embeddings: 32768,
  use_sliding_window: false,
  sliding_window: 4096,
  decoder_sparse_step: 1,
  norm_topk_prob: false,
};

/** The experts, unless every layer is dense; and the layers that are. */
function expertsOf(file: ConfigReader, numLayers: number) {
  const dense = denseLayers(file, numLayers);
  const experts = expertArchitecture(file, "moe_intermediate_size");
  return dense.every(Boolean) ? { experts: {} } : { experts, dense };
}

/** Qwen Team 2024 (Qwen1.5-MoE) and Yang et al. 2024, arXiv 2407.10671: one shared expert. */
export const qwen2Moe: Family = {
  id: "qwen2_moe",
  absent: {
    ...absent,
    intermediate_size: 5632,
    num_attention_heads: 16,
    num_key_value_heads: 16,
    max_window_layers: 28,
    moe_intermediate_size: 1408,
    shared_expert_intermediate_size: 5632,
    num_experts_per_tok: 4,
    num_experts: 60,
    qkv_bias: true,
  },
  read(file) {
    const sizes = llamaSizes(file);
    const { experts, dense } = expertsOf(file, sizes.numLayers);
    return {
      ...sizes,
      architecture: {
        head: file.head(),
        activation: file.activation("hidden_act"),
        queryBias: file.flag("qkv_bias"),
        ...experts,
        ...(dense && {
          sharedExpertSize: file.number("shared_expert_intermediate_size"),
          sharedExpertGate: true,
        }),
      },
      tensors: [...llamaTensors, ...expertTensors, ...sharedExpertTensors],
      ...llamaFile,
      layers: windowsOf(file, sizes.numLayers),
      ...(dense && { dense }),
    };
  },
  layerKeys: `${rotaryKeys} ${windowKeys}`,
  harmless: "router_aux_loss_coef shared_expert_intermediate_size",
};

/** Every second layer has the window, until `max_window_layers`, if there is one. */
function windowsOf(file: ConfigReader, count: number): Record<string, unknown> {
  const isWindowed = file.flag("use_sliding_window");
  const end = file.number("max_window_layers");
  if (!isWindowed || file.value("layer_types") !== undefined) return {};
  return {
    layer_types: Array.from({ length: Math.min(count, 256) }, (_, i) =>
      i % 2 === 0 && i < end ? "sliding_attention" : "full_attention",
    ),
  };
}

/** Yang et al. 2025, arXiv 2505.09388. */
export const qwen3Moe: Family = {
  id: "qwen3_moe",
  absent: {
    ...absent,
    intermediate_size: 6144,
    num_attention_heads: 32,
    num_key_value_heads: 4,
    moe_intermediate_size: 768,
    num_experts_per_tok: 8,
    num_experts: 128,
  },
  aliases: { num_local_experts: "num_experts" },
  read(file) {
    const bias = file.flag("attention_bias");
    const sizes = llamaSizes(file);
    const { experts, dense } = expertsOf(file, sizes.numLayers);
    return {
      ...sizes,
      architecture: {
        head: file.head(),
        activation: file.activation("hidden_act"),
        queryBias: bias,
        outputBias: bias,
        ...experts,
      },
      tensors: [...llamaTensors, ...queryKeyNorms, ...expertTensors],
      ...llamaFile,
      layers: {
        ...(!file.flag("use_sliding_window") && { sliding_window: null }),
        query_key_norm: "weighted",
      },
      ...(dense && { dense }),
    };
  },
  layerKeys: `${rotaryKeys} sliding_window`,
  harmless: "router_aux_loss_coef max_window_layers",
};

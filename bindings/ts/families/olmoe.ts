import { expertArchitecture, expertTensors } from "./experts.js";
import { type Family, rotaryKeys } from "./family.js";
import {
  llamaAbsent,
  llamaAttention,
  llamaEnds,
  llamaFile,
  llamaNorms,
  llamaSizes,
  queryKeyNorms,
} from "./llama-block.js";

/** Muennighoff et al. 2024, arXiv 2409.02060. */
export const olmoe: Family = {
  id: "olmoe",
  absent: {
    ...llamaAbsent,
    vocab_size: 50304,
    hidden_size: 2048,
    intermediate_size: 2048,
    num_hidden_layers: 16,
    num_attention_heads: 16,
    max_position_embeddings: 4096,
    rms_norm_eps: 1e-5,
    num_experts_per_tok: 8,
    num_experts: 64,
    norm_topk_prob: false,
  },
  aliases: { num_local_experts: "num_experts" },
  read(file) {
    const bias = file.flag("attention_bias");
    file.only("clip_qkv");
    return {
      ...llamaSizes(file),
      architecture: {
        head: file.head(),
        activation: file.activation("hidden_act"),
        queryBias: bias,
        outputBias: bias,
        ...expertArchitecture(file, "intermediate_size"),
      },
      tensors: [...llamaEnds, ...llamaNorms, ...llamaAttention, ...queryKeyNorms, ...expertTensors],
      ...llamaFile,
      layers: { query_key_norm: "whole" },
    };
  },
  layerKeys: rotaryKeys,
  harmless: "router_aux_loss_coef",
};

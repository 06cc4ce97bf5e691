import { refuse } from "../wire/arguments.js";
import type { ConfigReader } from "./config-reader.js";
import { type Family, type FamilyConfig, rotaryKeys, type TensorRule } from "./family.js";
import {
  llamaAbsent,
  llamaEnds,
  llamaFeed,
  llamaFile,
  llamaNorms,
  llamaSizes,
} from "./llama-block.js";

const named = (...names: string[]): TensorRule[] =>
  names.map((name) => [`layers.#.self_attn.${name}`, `layers.#.self_attn.${name}`]);

/** Latent attention within Llama's norms and feed-forward. */
function read(file: ConfigReader): FamilyConfig {
  const sizes = llamaSizes(file);
  file.only("num_key_value_heads", sizes.numHeads);
  // In version 3, this key is the number of rotated channels.
  if ("rope_interleave" in file.file) file.only("head_dim", file.number("qk_rope_head_dim"));
  file.only("attention_bias", false);
  file.only("mlp_bias", false);
  // The epsilon of the latent vectors' norms, whatever the others have.
  file.only("rms_norm_eps", 1e-6);
  for (const key of ["kv_lora_rank", "v_head_dim"]) file.number(key);
  const query = file.value("q_lora_rank")
    ? named("q_a_proj", "q_a_layernorm", "q_b_proj")
    : named("q_proj");
  return {
    ...sizes,
    headDim: file.number("qk_nope_head_dim") + file.number("qk_rope_head_dim"),
    architecture: {
      head: file.head(),
      activation: file.activation("hidden_act"),
    },
    tensors: [
      ...llamaEnds,
      ...llamaNorms,
      ...query,
      ...named("kv_a_proj_with_mqa", "kv_a_layernorm", "kv_b_proj", "o_proj"),
      ...llamaFeed,
    ],
    ...llamaFile,
    // Null is false; version 2 does not have the key.
    ...("rope_interleave" in file.file && {
      layers: { rope_interleave: file.flag("rope_interleave", false) },
    }),
  };
}

const absent = {
  ...llamaAbsent,
  kv_lora_rank: 512,
  q_lora_rank: 1536,
  qk_nope_head_dim: 128,
  qk_rope_head_dim: 64,
  v_head_dim: 128,
};

const layerKeys = `${rotaryKeys} rope_interleave`;
/** Keys that follow from others, or concern experts, which these models lack. */
const harmless =
  "qk_head_dim moe_intermediate_size moe_layer_freq n_group n_routed_experts " +
  "n_shared_experts norm_topk_prob num_experts_per_tok routed_scaling_factor scoring_func " +
  "topk_group topk_method aux_loss_alpha seq_aux ep_size num_mtp_layers num_nextn_predict_layers";

/** Families whose models may have mixtures of experts: here those without. */
const dense = (id: string, special: Record<string, unknown>): Family => ({
  id,
  absent: { ...absent, ...special },
  read(file) {
    const config = read(file);
    const key = "first_k_dense_replace";
    const count = file.number(key);
    if (count < config.numLayers)
      refuse(
        `config.${key}`,
        count,
        `${config.numLayers} or more, since mixtures of experts are not supported`,
        "unsupported",
      );
    return config;
  },
  layerKeys,
  harmless,
});

/** DeepSeek-AI 2024, arXiv 2405.04434 and 2412.19437. */
export const deepseekV2 = dense("deepseek_v2", { vocab_size: 102400, first_k_dense_replace: 0 });
export const deepseekV3 = dense("deepseek_v3", {
  vocab_size: 129280,
  hidden_size: 7168,
  intermediate_size: 18432,
  num_hidden_layers: 61,
  num_attention_heads: 128,
  num_key_value_heads: 128,
  max_position_embeddings: 4096,
  first_k_dense_replace: 3,
  rope_interleave: true,
});

/** Youtu-LLM, without experts. */
export const youtu: Family = {
  id: "youtu",
  absent: {
    ...absent,
    vocab_size: 128256,
    hidden_size: 2048,
    intermediate_size: 6144,
    num_attention_heads: 16,
    num_key_value_heads: 16,
    max_position_embeddings: 131072,
    tie_word_embeddings: true,
    rope_interleave: true,
  },
  read,
  layerKeys,
  harmless: `${harmless} embedding_initializer_range`,
};

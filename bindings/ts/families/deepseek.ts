import { refuse } from "../wire/arguments.js";
import type { ConfigReader } from "./config-reader.js";
import { type Family, type FamilyReading, rotaryKeys, type TensorRule } from "./family.js";
import { llamaEnds, llamaFeed, llamaFile, llamaNorms, llamaSizes } from "./llama-block.js";

const named = (...names: string[]): TensorRule[] =>
  names.map((name) => [`layers.#.self_attn.${name}`, `layers.#.self_attn.${name}`]);

/** Latent attention between Llama's norms and feed-forward. */
function read(file: ConfigReader): FamilyReading {
  const sizes = llamaSizes(file);
  file.only("num_key_value_heads", sizes.numHeads);
  // Newer files name the rotated part so.
  file.only("head_dim", file.number("qk_rope_head_dim"));
  file.only("attention_bias", false);
  file.only("mlp_bias", false);
  // The latent vectors' norms have this one, whatever the others have.
  file.only("rms_norm_eps", 1e-6);
  for (const key of ["kv_lora_rank", "v_head_dim"]) file.number(key);
  const query = file.value("q_lora_rank")
    ? named("q_a_proj", "q_a_layernorm", "q_b_proj")
    : named("q_proj");
  return {
    ...sizes,
    headDim: file.number("qk_nope_head_dim") + file.number("qk_rope_head_dim"),
    architecture: {
      head: file.head("own"),
      activation: file.activation("hidden_act", "silu"),
    },
    tensors: [
      ...llamaEnds,
      ...llamaNorms,
      ...query,
      ...named("kv_a_proj_with_mqa", "kv_a_layernorm", "kv_b_proj", "o_proj"),
      ...llamaFeed,
    ],
    ...llamaFile,
  };
}

const layerKeys = `${rotaryKeys} rope_interleave`;
/** What follows from other keys, or is of experts, of which there are none. */
const harmless =
  "qk_head_dim moe_intermediate_size moe_layer_freq n_group n_routed_experts " +
  "n_shared_experts norm_topk_prob num_experts_per_tok routed_scaling_factor scoring_func " +
  "topk_group topk_method aux_loss_alpha seq_aux ep_size num_mtp_layers num_nextn_predict_layers";

/** Those of their layers that are no mixtures of experts. */
const dense = (id: string, firstExperts: number): Family => ({
  id,
  read(file) {
    const reading = read(file);
    const key = "first_k_dense_replace";
    const count = file.number(key, firstExperts);
    if (count < reading.numLayers)
      refuse(
        `config.${key}`,
        count,
        `${reading.numLayers} or more: mixtures of experts are not read`,
        "unsupported",
      );
    return reading;
  },
  layerKeys,
  harmless,
});

/** DeepSeek-AI 2024, arXiv 2405.04434 and 2412.19437. */
export const deepseekV2 = dense("deepseek_v2", 0);
export const deepseekV3 = dense("deepseek_v3", 3);

/** Youtu-LLM, without experts. */
export const youtu: Family = {
  id: "youtu",
  read(file) {
    const reading = read(file);
    return { ...reading, architecture: { ...reading.architecture, head: file.head("tied") } };
  },
  layerKeys,
  harmless: `${harmless} embedding_initializer_range`,
};

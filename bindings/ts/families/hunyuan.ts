import type { ConfigReader } from "./config-reader.js";
import { type Family, rotaryKeys } from "./family.js";
import { llamaAbsent, llamaFile, llamaSizes, llamaTensors } from "./llama-block.js";
import { isObject } from "./schemes.js";

/** A rotation called dynamic whose `alpha` makes it a fixed one with another base. */
function withAlpha(file: ConfigReader, key: string, headDim: number): Record<string, unknown> {
  const given = file.value(key);
  if (!isObject(given)) return {};
  const { alpha, ...rest } = given;
  const kind = rest["rope_type"] ?? rest["type"];
  if (kind !== "dynamic" || !alpha) return { [key]: rest };
  if (typeof alpha !== "number") file.refuse(`${key}.alpha`, alpha, "a number");
  const theta = rest["rope_theta"] ?? file.value("rope_theta") ?? 10_000;
  if (typeof theta !== "number") file.refuse("rope_theta", theta, "a number");
  const rope_theta = theta * alpha ** (headDim / (headDim - 2));
  return { [key]: { rope_type: "default", rope_theta } };
}

/** Tencent 2025 (Hunyuan): norms of queries and keys after the rotation. */
export const hunyuan: Family = {
  id: "hunyuan_v1_dense",
  absent: { ...llamaAbsent, vocab_size: 290943, rms_norm_eps: 1e-5 },
  read(file) {
    const bias = file.flag("attention_bias");
    file.only("use_qk_norm", true);
    file.only("use_cla", false);
    file.only("use_rotary_pos_emb", true);
    file.only("norm_type", "rms", "hf_rms", "fused");
    const sizes = llamaSizes(file);
    const headDim = file.number("head_dim");
    file.only("attention_head_dim", headDim);
    return {
      ...sizes,
      headDim,
      architecture: {
        head: file.head(),
        activation: file.activation("hidden_act"),
        queryBias: bias,
        outputBias: bias,
      },
      tensors: [
        ...llamaTensors,
        ["layers.#.self_attn.q_norm", "layers.#.self_attn.query_layernorm"],
        ["layers.#.self_attn.k_norm", "layers.#.self_attn.key_layernorm"],
      ],
      ...llamaFile,
      layers: {
        use_qk_norm: false, // which would stand for Llama 4's norm
        query_key_norm: "weightedAfter",
        ...withAlpha(file, "rope_parameters", headDim),
        ...withAlpha(file, "rope_scaling", headDim),
      },
    };
  },
  layerKeys: rotaryKeys,
  harmless:
    "add_classification_head class_num cla_share_factor dense_list eod_token_id " +
    "enable_lm_head_fp32 group_limited_greedy im_end_id im_newline_id im_start_id mask_init_id " +
    "mlp_bias org_vocab_size pad_id pool_type text_end_id text_start_id use_mixed_mlp_moe",
};

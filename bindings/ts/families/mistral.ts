import type { ConfigReader } from "./config-reader.js";
import { type Family, rotaryKeys, windowKeys } from "./family.js";
import { llamaAbsent, llamaFile, llamaSizes, llamaTensors } from "./llama-block.js";
import { isObject, missing } from "./schemes.js";

const block = (file: ConfigReader) => ({
  ...llamaSizes(file),
  architecture: {
    head: file.head(),
    activation: file.activation("hidden_act"),
  },
  tensors: llamaTensors,
  ...llamaFile,
});

/** Jiang et al. 2023, arXiv 2310.06825. */
export const mistral: Family = {
  id: "mistral",
  absent: {
    ...llamaAbsent,
    intermediate_size: 14336,
    num_key_value_heads: 8,
    max_position_embeddings: 131072,
    sliding_window: 4096,
  },
  read: block,
  layerKeys: `${rotaryKeys} ${windowKeys}`,
};

/** Mistral AI 2025: Mistral, with queries scaled by position, always beside a rotation. */
export const ministral3: Family = {
  id: "ministral3",
  absent: {
    ...llamaAbsent,
    vocab_size: 131072,
    intermediate_size: 14336,
    num_hidden_layers: 34,
    num_key_value_heads: 8,
    head_dim: 128,
    max_position_embeddings: 262144,
    rms_norm_eps: 1e-5,
    rope_parameters: {
      rope_type: "yarn",
      rope_theta: 1e6,
      factor: 16,
      original_max_position_embeddings: 16384,
      beta_fast: 32,
      beta_slow: 1,
      mscale_all_dim: 1,
      mscale: 1,
      llama_4_scaling_beta: 0.1,
    },
  },
  read(file) {
    const rotary = file.value("rope_scaling") ?? file.value("rope_parameters");
    const given = isObject(rotary) ? rotary : {};
    const kind = String(given["rope_type"] ?? given["type"]);
    const needed = ["llama_4_scaling_beta"];
    // Elsewhere the trained length is the model's if it is missing.
    if (!["yarn", "llama3", "longrope"].includes(kind))
      needed.push("original_max_position_embeddings");
    for (const key of needed)
      if ((given[key] ?? undefined) === undefined) throw missing(`rope_parameters.${key}`);
    return block(file);
  },
  layerKeys: `${rotaryKeys} ${windowKeys}`,
};

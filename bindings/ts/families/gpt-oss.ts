import { isPacked } from "./config-reader.js";
import { type Family, rotaryKeys, type TensorRule, windowKeys } from "./family.js";
import {
  llamaAbsent,
  llamaAttention,
  llamaEnds,
  llamaFile,
  llamaNorms,
  llamaSizes,
} from "./llama-block.js";

/**
 * Rows of gate and up alternate in the file, whose matrices are transposed unless they are packed
 * as MXFP4.
 */
function experts(isPackedFile: boolean): TensorRule[] {
  const [end, flags] = isPackedFile
    ? (["_blocks", "L exact"] as const)
    : (["", "L T exact"] as const);
  return [
    ["layers.#.mlp.router", "layers.#.mlp.router"],
    ...["gate_proj", "up_proj"].flatMap((name, i): TensorRule[] => {
      const [ours, theirs] = [`layers.#.mlp.experts.${name}`, "layers.#.mlp.experts.gate_up_proj"];
      return [
        [`${ours}.weight`, theirs + end, flags, { every: [i, 1, 2] }],
        [`${ours}.bias`, `${theirs}_bias`, "F exact", { every: [i, 1, 2] }],
      ];
    }),
    ["layers.#.mlp.experts.down_proj.weight", `layers.#.mlp.experts.down_proj${end}`, flags],
    ["layers.#.mlp.experts.down_proj.bias", "layers.#.mlp.experts.down_proj_bias", "F exact"],
  ];
}

/** OpenAI 2025, arXiv 2508.10925: learned sinks, and experts within limits. */
export const gptOss: Family = {
  id: "gpt_oss",
  packing: "mxfp4",
  absent: {
    ...llamaAbsent,
    vocab_size: 201088,
    hidden_size: 2880,
    intermediate_size: 2880,
    num_hidden_layers: 36,
    head_dim: 64,
    num_attention_heads: 64,
    num_key_value_heads: 8,
    max_position_embeddings: 131072,
    rms_norm_eps: 1e-5,
    attention_bias: true,
    sliding_window: 128,
    num_local_experts: 128,
    num_experts_per_tok: 4,
    swiglu_alpha: 1.702,
    swiglu_limit: 7,
  },
  aliases: { num_experts: "num_local_experts" },
  read(file) {
    const sizes = llamaSizes(file);
    const bias = file.flag("attention_bias");
    file.only("swiglu_alpha", 1.702);
    const count = Math.min(sizes.numLayers, 256);
    return {
      ...sizes,
      sinks: true,
      architecture: {
        head: file.head(),
        activation: "geluSigmoid",
        queryBias: bias,
        outputBias: bias,
        feedBias: true,
        experts: file.number("num_local_experts"),
        expertsPerToken: file.number("num_experts_per_tok"),
        expertSize: sizes.intermediateSize,
        router: "softmaxOfChosen",
        routerBias: true,
        gateLimit: file.number("swiglu_limit"),
        upOffset: 1,
      },
      tensors: [
        ...llamaEnds,
        ...llamaNorms,
        ...llamaAttention,
        ["layers.#.self_attn.sinks", "layers.#.self_attn.sinks", "exact"],
        ...experts(isPacked(file.file, "mxfp4")),
      ],
      ...llamaFile,
      layers: {
        layer_types:
          file.value("layer_types") ??
          Array.from({ length: count }, (_, i) => (i % 2 ? "full_attention" : "sliding_attention")),
        ...((file.value("rope_parameters") ?? file.value("rope_scaling"))
          ? {}
          : { rope_parameters: { ...longRotation, rope_theta: file.value("rope_theta") } }),
      },
    };
  },
  layerKeys: `${rotaryKeys} ${windowKeys}`,
  harmless: "hidden_act router_aux_loss_coef initial_context_length experts_per_token",
};

/** The rotation of a file without one. */
const longRotation = {
  rope_type: "yarn",
  factor: 32,
  beta_fast: 32,
  beta_slow: 1,
  truncate: false,
  original_max_position_embeddings: 4096,
};

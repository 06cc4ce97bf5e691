import type { ConfigReader } from "./config-reader.js";
import { denseLayers, expertArchitecture, expertTensors, sharedExpertTensors } from "./experts.js";
import { type Family, rotaryKeys, type TensorRule } from "./family.js";
import { llamaAbsent, llamaFeed, llamaFile, llamaSizes } from "./llama-block.js";
import { isObject } from "./schemes.js";

const absent = {
  ...llamaAbsent,
  head_dim: 256,
  max_position_embeddings: 32768,
  num_attention_heads: 16,
  full_attention_interval: 4,
  linear_conv_kernel_dim: 4,
  linear_key_head_dim: 128,
  linear_value_head_dim: 128,
  linear_num_key_heads: 16,
  linear_num_value_heads: 32,
};

/** Sizes of the layers with the delta rule. */
function deltaSizes(file: ConfigReader) {
  return {
    deltaTaps: file.number("linear_conv_kernel_dim"),
    deltaKeyHeads: file.number("linear_num_key_heads"),
    deltaValueHeads: file.number("linear_num_value_heads"),
    deltaKeyDim: file.number("linear_key_head_dim"),
    deltaValueDim: file.number("linear_value_head_dim"),
  };
}

/** The type of each layer: listed, or every n-th has attention. */
function typesOf(file: ConfigReader, count: number): unknown[] {
  const types = file.value("layer_types");
  const every = file.number("full_attention_interval");
  const isKnown = (type: unknown) => type === "linear_attention" || type === "full_attention";
  if (types === undefined) {
    if (!(Number.isInteger(every) && every > 0))
      file.refuse("full_attention_interval", every, "a whole number from 1 on");
    return Array.from({ length: Math.min(count, 256) }, (_, i) =>
      (i + 1) % every ? "linear_attention" : "full_attention",
    );
  }
  const form = `${count} of "linear_attention" and "full_attention"`;
  return Array.isArray(types) && types.length === count && types.every(isKnown)
    ? types
    : file.refuse("layer_types", types, form, "unsupported");
}

/** In a text the three axes of a position are equal, whichever of them turns a pair of channels. */
function rotaryOfText(file: ConfigReader): Record<string, unknown> {
  const withoutAxes = (key: string) => {
    const given = file.value(key);
    if (!isObject(given)) return {};
    const { mrope_section: _s, mrope_interleaved: _i, ...rest } = given;
    return { [key]: rest };
  };
  return { ...withoutAxes("rope_parameters"), ...withoutAxes("rope_scaling") };
}

function layersOf(file: ConfigReader, count: number) {
  const types = typesOf(file, count);
  return {
    layer_types: types,
    layers: {
      ...(types.includes("full_attention") && {
        full_attention: { ...file.file, ...rotaryOfText(file), query_key_norm: "weighted" },
      }),
      ...(types.includes("linear_attention") && {
        linear_attention: { schemes: [], delta_rule: true },
      }),
    },
  };
}

const same = (name: string, flags: "" | "1" | "F" | "exact" = ""): TensorRule => [
  `layers.#.${name}`,
  `layers.#.${name}`,
  flags,
];

/** Norms multiply by 1 + w; each head's rows of the query projection are followed by its gate. */
const blockTensors = (headDim: number): readonly TensorRule[] => [
  ["embed_tokens", "embed_tokens"],
  ["norm", "norm", "1"],
  same("input_layernorm", "1"),
  same("post_attention_layernorm", "1"),
  ["layers.#.self_attn.q_proj", "layers.#.self_attn.q_proj", "", each(0, headDim, 2 * headDim)],
  [
    "layers.#.self_attn.gate_proj",
    "layers.#.self_attn.q_proj",
    "",
    each(headDim, headDim, 2 * headDim),
  ],
  ...["k_proj", "v_proj", "o_proj"].map((name) => same(`self_attn.${name}`)),
  same("self_attn.q_norm", "1"),
  same("self_attn.k_norm", "1"),
  same("linear_attn.conv1d", "F"),
  same("linear_attn.dt_bias", "exact"),
  same("linear_attn.A_log", "exact"),
  same("linear_attn.norm"),
  same("linear_attn.out_proj"),
  ...llamaFeed,
];

/** Rows of every piece of a tensor, and where they begin in ours. */
function each(first: number, count: number, stride: number, into?: number) {
  const every = [first, count, stride] as const;
  return into === undefined ? { every } : { every, into };
}

/** Rows of Qwen3-Next's joined projections: those of one head of keys after the other. */
function joinedTensors(sizes: ReturnType<typeof deltaSizes>): TensorRule[] {
  const { deltaKeyHeads: heads, deltaValueHeads, deltaKeyDim: d, deltaValueDim } = sizes;
  const group = deltaValueHeads / heads;
  const values = group * deltaValueDim;
  const stride = 2 * (d + values);
  const rule = (ours: string, theirs: string, slice: TensorRule[3]): TensorRule => [
    `layers.#.linear_attn.${ours}`,
    `layers.#.linear_attn.${theirs}`,
    "",
    slice!,
  ];
  return [
    rule("in_proj_qkv", "in_proj_qkvz", each(0, d, stride, 0)),
    rule("in_proj_qkv", "in_proj_qkvz", each(d, d, stride, heads * d)),
    rule("in_proj_qkv", "in_proj_qkvz", each(2 * d, values, stride, 2 * heads * d)),
    rule("in_proj_z", "in_proj_qkvz", each(2 * d + values, values, stride)),
    rule("in_proj_b", "in_proj_ba", each(0, group, 2 * group)),
    rule("in_proj_a", "in_proj_ba", each(group, group, 2 * group)),
  ];
}

function read(file: ConfigReader) {
  const bias = file.flag("attention_bias");
  const sizes = llamaSizes(file);
  return {
    ...sizes,
    architecture: {
      head: file.head(),
      activation: file.activation("hidden_act"),
      queryBias: bias,
      outputBias: bias,
      attentionGate: "channels" as const,
      ...deltaSizes(file),
    },
    tensors: blockTensors(sizes.headDim),
    ...llamaFile,
    passes: `${llamaFile.passes} mtp.*`,
    layers: layersOf(file, sizes.numLayers),
  };
}

/**
 * Qwen Team 2025 (Qwen3-Next): three of four layers have the gated delta rule in place of
 * attention, whose outputs have gates.
 */
export const qwen3Next: Family = {
  id: "qwen3_next",
  absent: {
    ...absent,
    vocab_size: 151936,
    hidden_size: 2048,
    intermediate_size: 5632,
    num_hidden_layers: 48,
    num_key_value_heads: 2,
    decoder_sparse_step: 1,
    moe_intermediate_size: 512,
    shared_expert_intermediate_size: 512,
    num_experts_per_tok: 10,
    num_experts: 512,
    norm_topk_prob: true,
  },
  read(file) {
    const { architecture, tensors, ...rest } = read(file);
    const dense = denseLayers(file, rest.numLayers);
    const hasExperts = !dense.every(Boolean);
    const experts = expertArchitecture(file, "moe_intermediate_size");
    const shared = file.number("shared_expert_intermediate_size");
    return {
      ...rest,
      architecture: {
        ...architecture,
        ...(hasExperts && { ...experts, sharedExpertSize: shared, sharedExpertGate: true }),
      },
      tensors: [
        ...tensors,
        ...joinedTensors(deltaSizes(file)),
        ...expertTensors,
        ...sharedExpertTensors,
      ],
      ...(hasExperts && { dense }),
    };
  },
  layerKeys: `${rotaryKeys} partial_rotary_factor`,
  harmless: "router_aux_loss_coef",
};

/** Qwen Team 2026: the text part of Qwen3.5. */
export const qwen3_5: Family = {
  id: "qwen3_5_text",
  absent: {
    ...absent,
    vocab_size: 248320,
    intermediate_size: 12288,
    num_key_value_heads: 4,
  },
  read(file) {
    file.only("attn_output_gate", true);
    const { tensors, ...rest } = read(file);
    const inputs = ["qkv", "z", "b", "a"].map((part) => same(`linear_attn.in_proj_${part}`));
    return { ...rest, tensors: [...tensors, ...inputs] };
  },
  layerKeys: `${rotaryKeys} partial_rotary_factor`,
  harmless: "mamba_ssm_dtype mlp_only_layers mtp_num_hidden_layers mtp_use_dedicated_embeddings",
};

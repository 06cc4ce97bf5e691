/** Layers with Mamba-2, by the keys and the names that Granite 4.0 and Bamba share. */

import type { ConfigReader } from "./config-reader.js";
import type { TensorRule } from "./family.js";

export const mambaAbsent = {
  mamba_n_heads: 128,
  mamba_n_groups: 1,
  mamba_d_state: 256,
  mamba_d_head: "auto",
  mamba_d_conv: 4,
  mamba_expand: 2,
  mamba_conv_bias: true,
  mamba_proj_bias: false,
  time_step_limit: [0, Number.POSITIVE_INFINITY],
};

/** Sizes, which Transformers requires to fit even if no layer has Mamba. */
function sizesOf(file: ConfigReader, width: number) {
  const values = file.number("mamba_expand") * width;
  const heads = file.number("mamba_n_heads");
  const given = file.value("mamba_d_head");
  const headDim = given === "auto" ? values / heads : given;
  if (headDim !== values / heads || values % heads)
    file.refuse("mamba_d_head", given, `${values / heads}, mamba_expand · width / mamba_n_heads`);
  return { values, heads, headDim };
}

function limitsOf(file: ConfigReader): [min: number, max: number] {
  const limits = file.value("time_step_limit");
  const isPair =
    Array.isArray(limits) && limits.length === 2 && limits.every((one) => typeof one === "number");
  return isPair
    ? (limits as [number, number])
    : file.refuse("time_step_limit", limits, "a list of two numbers");
}

/** The types of layers, by which of them have Mamba: "mamba" or "linear_attention", and others. */
export function typesWithMamba(file: ConfigReader, types: unknown, count: number): boolean[] {
  const isMamba = (type: unknown) => type === "mamba" || type === "linear_attention";
  const isAttention = (type: unknown) => type === "attention" || type === "full_attention";
  const isKnown = (type: unknown) => isMamba(type) || isAttention(type);
  if (!Array.isArray(types) || types.length !== count || !types.every(isKnown))
    file.refuse("layer_types", types, `${count} of "mamba" and "attention"`, "unsupported");
  return (types as unknown[]).map(isMamba);
}

/** The architecture and the tensors of the layers with Mamba; those of the others are `rotary`. */
export function mambaLayers(
  file: ConfigReader,
  width: number,
  hasMamba: readonly boolean[],
  rotary: Record<string, unknown> = {},
) {
  const { values, heads, headDim } = sizesOf(file, width);
  if (!hasMamba.includes(true)) {
    for (const key of Object.keys(mambaAbsent)) file.value(key);
    return { architecture: {}, tensors: [], layers: { layer_types: null } };
  }
  const [groups, state] = [file.number("mamba_n_groups"), file.number("mamba_d_state")];
  const taps = file.number("mamba_d_conv");
  const hasBias = file.flag("mamba_conv_bias", false);
  const [min, max] = limitsOf(file);
  file.only("mamba_proj_bias", false);
  const keys = groups * state;
  // A file's rows: the gate, values, keys, queries and steps; ours: queries, keys and values.
  const mixed = (name: string, first: number, all: number, flags: "" | "F"): TensorRule[] => {
    const parts = [
      [first + values + keys, keys, 0],
      [first + values, keys, keys],
      [first, values, 2 * keys],
    ] as const;
    const both = `layers.#.mamba.${name}`;
    return parts.map(([from, count, into]) => [
      both,
      both,
      flags,
      { every: [from, count, all], into },
    ]);
  };
  const rows = (ours: string, first: number, count: number): TensorRule => [
    `layers.#.mamba.${ours}`,
    "layers.#.mamba.in_proj",
    "",
    { rows: [first, count] },
  ];
  const same = (name: string, flags: "" | "exact" = ""): TensorRule => [
    `layers.#.mamba.${name}`,
    `layers.#.mamba.${name}`,
    flags,
  ];
  return {
    architecture: {
      deltaTaps: taps,
      deltaKeyHeads: groups,
      deltaValueHeads: heads,
      deltaKeyDim: state,
      deltaValueDim: headDim as number,
      convolutionBias: hasBias,
      stateStepMin: min,
      ...(Number.isFinite(max) && { stateStepMax: max }),
    },
    tensors: [
      ...mixed("in_proj", values, 2 * values + 2 * keys + heads, ""),
      rows("gate_proj", 0, values),
      rows("dt_proj", 2 * values + 2 * keys, heads),
      ...mixed("conv1d", 0, values + 2 * keys, "F"),
      same("dt_bias", "exact"),
      same("A_log", "exact"),
      same("D", "exact"),
      same("norm"),
      same("out_proj"),
    ],
    layers: {
      layer_types: hasMamba.map((one) => (one ? "mamba" : "attention")),
      layers: {
        ...(hasMamba.includes(false) && {
          attention: { ...file.file, ...rotary, layer_types: null },
        }),
        mamba: { schemes: [], state_space: true },
      },
    },
  };
}

import type { ConfigReader } from "./config-reader.js";
import { type Family, rotaryKeys, type TensorRule, windowKeys } from "./family.js";
import {
  llamaAbsent,
  llamaAttention,
  llamaEnds,
  llamaFile,
  llamaNorms,
  llamaSizes,
  llamaTensors,
} from "./llama-block.js";
import { mambaAbsent, mambaLayers, typesWithMamba } from "./mamba.js";
import { isObject } from "./schemes.js";

export const graniteAbsent = {
  ...llamaAbsent,
  embedding_multiplier: 1,
  attention_multiplier: 1,
  residual_multiplier: 1,
  logits_scaling: 1,
};

/** Granite's four multipliers, and what it has of Llama's block. */
export function graniteArchitecture(file: ConfigReader) {
  const bias = file.flag("attention_bias");
  return {
    head: file.head(),
    activation: file.activation("hidden_act"),
    queryBias: bias,
    outputBias: bias,
    embeddingScale: file.number("embedding_multiplier"),
    attentionScale: file.number("attention_multiplier"),
    residualScale: file.number("residual_multiplier"),
    logitScale: 1 / file.number("logits_scaling"),
  };
}

/** Granite Team, IBM 2024: Llama with four multipliers. */
export const granite: Family = {
  id: "granite",
  absent: graniteAbsent,
  read: (file) => ({
    ...llamaSizes(file),
    architecture: { ...graniteArchitecture(file), feedBias: file.flag("mlp_bias") },
    tensors: llamaTensors,
    ...llamaFile,
  }),
  layerKeys: rotaryKeys,
};

const expertArchitecture = (file: ConfigReader, size: number) => ({
  experts: file.number("num_local_experts"),
  expertsPerToken: file.number("num_experts_per_tok"),
  expertSize: size,
  router: "softmaxOfChosen" as const,
});

/** Rows of gate and up are in one tensor. */
function expertTensors(size: number): TensorRule[] {
  const block = "layers.#.block_sparse_moe";
  const linear = `${block}.input_linear.weight`;
  const experts = "layers.#.mlp.experts";
  return [
    ["layers.#.mlp.router", `${block}.router.layer`],
    [`${experts}.gate_proj.weight`, linear, "L exact", { every: [0, size, 2 * size] }],
    [`${experts}.up_proj.weight`, linear, "L exact", { every: [size, size, 2 * size] }],
    [`${experts}.down_proj.weight`, `${block}.output_linear.weight`, "L exact"],
  ];
}

/** Granite's mixtures of experts (IBM 2024). */
export const graniteMoe: Family = {
  id: "granitemoe",
  absent: { ...graniteAbsent, num_local_experts: 8, num_experts_per_tok: 2 },
  aliases: { num_experts: "num_local_experts" },
  read(file) {
    const sizes = llamaSizes(file);
    return {
      ...sizes,
      architecture: {
        ...graniteArchitecture(file),
        ...expertArchitecture(file, sizes.intermediateSize),
      },
      tensors: [
        ...llamaEnds,
        ...llamaNorms,
        ...llamaAttention,
        ...expertTensors(sizes.intermediateSize),
      ],
      ...llamaFile,
    };
  },
  layerKeys: rotaryKeys,
  harmless: "router_aux_loss_coef",
};

const sharedFeed: readonly TensorRule[] = [
  ["layers.#.mlp.gate_proj up_proj", "layers.#.shared_mlp.input_linear"],
  ["layers.#.mlp.down_proj", "layers.#.shared_mlp.output_linear"],
];

/** The shared feed-forward as an expert that reads every token. */
const sharedExpert = (size: number): TensorRule[] => [
  ...["gate_proj", "up_proj"].map(
    (name, i): TensorRule => [
      `layers.#.mlp.shared_expert.${name}`,
      "layers.#.shared_mlp.input_linear",
      "",
      { rows: [i * size, size] },
    ],
  ),
  ["layers.#.mlp.shared_expert.down_proj", "layers.#.shared_mlp.output_linear"],
];

/** Granite 4.0 (IBM 2025): some or all layers have attention, the others Mamba-2. */
export const graniteMoeHybrid: Family = {
  id: "granitemoehybrid",
  absent: {
    ...graniteAbsent,
    ...mambaAbsent,
    shared_intermediate_size: 1024,
    num_local_experts: 8,
    num_experts_per_tok: 2,
  },
  aliases: { layers_block_type: "layer_types" },
  read(file) {
    const sizes = llamaSizes(file);
    file.only("normalization_function", "rmsnorm");
    const count = Math.min(sizes.numLayers, 256);
    const types = file.value("layer_types") ?? Array<string>(count).fill("mamba");
    const mamba = mambaLayers(file, sizes.hiddenSize, typesWithMamba(file, types, count));
    const shared = file.number("shared_intermediate_size");
    const hasExperts = file.number("num_local_experts") > 0;
    if (!hasExperts) file.only("output_router_logits", false);
    return {
      ...sizes,
      ...(!hasExperts && { intermediateSize: shared }),
      architecture: {
        ...graniteArchitecture(file),
        ...mamba.architecture,
        ...(hasExperts && {
          ...expertArchitecture(file, sizes.intermediateSize),
          sharedExpertSize: shared,
        }),
      },
      tensors: [
        ...llamaEnds,
        ...llamaNorms,
        ...llamaAttention,
        ...mamba.tensors,
        ...(hasExperts
          ? [...expertTensors(sizes.intermediateSize), ...sharedExpert(shared)]
          : sharedFeed),
      ],
      ...llamaFile,
      layers: mamba.layers,
    };
  },
  layerKeys: `${rotaryKeys} position_embedding_type`,
  harmless: "mamba_chunk_size num_experts_per_tok router_aux_loss_coef init_method logits_to_keep",
};

/**
 * Granite Swash (IBM 2026): learned sinks, and for each layer a base, or 0 for no rotation.
 * `layer_rope_theta` wins over the base of `rope_parameters`.
 */
export const graniteSwa: Family = {
  id: "granite_swa",
  absent: {
    ...graniteAbsent,
    vocab_size: 100352,
    hidden_size: 2560,
    intermediate_size: 8192,
    num_hidden_layers: 24,
    num_attention_heads: 20,
    num_key_value_heads: 4,
    max_position_embeddings: 8192,
    rms_norm_eps: 1e-5,
    tie_word_embeddings: true,
    sliding_window: 128,
  },
  read(file) {
    const sizes = llamaSizes(file);
    return {
      ...sizes,
      sinks: true,
      architecture: { ...graniteArchitecture(file), feedBias: file.flag("mlp_bias") },
      tensors: [...llamaTensors, ["layers.#.self_attn.sinks", "layers.#.self_attn.sinks", "exact"]],
      ...llamaFile,
      layers: layersWithBases(file, Math.min(sizes.numLayers, 256)),
    };
  },
  layerKeys: `${rotaryKeys} ${windowKeys}`,
};

/** This package's own form of layers: a type for each pair of a window or none, and a base. */
function layersWithBases(file: ConfigReader, count: number): Record<string, unknown> {
  const ofLayers = (key: string, absent: (layer: number) => unknown): unknown[] => {
    const list = file.value(key) ?? Array.from({ length: count }, (_, layer) => absent(layer));
    return Array.isArray(list) && list.length === count
      ? list
      : file.refuse(key, list, `a list of ${count}, one for each layer`);
  };
  const types = ofLayers("layer_types", (i) => (i % 4 ? "sliding_attention" : "full_attention"));
  const bases = ofLayers("layer_rope_theta", () => undefined);
  const [shared, scaling] = [file.value("rope_parameters"), file.value("rope_scaling")];
  const layers: Record<string, unknown> = {};
  const names = types.map((type, i) => {
    const base = bases[i];
    const name = `${String(type)}${base === undefined ? "" : `_${String(base)}`}`;
    const isWindowed = type === "sliding_attention";
    if (!isWindowed && type !== "full_attention")
      file.refuse(`layer_types.${i}`, type, '"full_attention" or "sliding_attention"');
    if (base !== undefined && typeof base !== "number")
      file.refuse(`layer_rope_theta.${i}`, base, "a number");
    const rotation = { ...(isObject(shared) ? shared : {}), ...(isObject(scaling) ? scaling : {}) };
    const theta = rotation["rope_theta"] ?? file.value("rope_theta") ?? 10_000;
    layers[name] ??= {
      model_type: "granite_swa",
      use_rope: base !== 0,
      rope_parameters: { ...rotation, rope_theta: base || theta },
      max_position_embeddings: file.value("max_position_embeddings"),
      ...(isWindowed ? { sliding_window: file.value("sliding_window") } : {}),
    };
    return name;
  });
  return { layer_types: names, layers };
}

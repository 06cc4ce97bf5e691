/** Families of models that read pictures: a tower of blocks without a mask, over patches. */

import type { ConfigReader } from "../families/config-reader.js";
import type { Family, FamilyConfig, TensorRule } from "../families/family.js";
import { refuse } from "../wire/arguments.js";
import type { ProcessorClass, Size } from "./processing.js";
import { type LayerScale, noTokens } from "./tensors.js";

/** The tokens before the patches that one tensor of a file has. */
export interface Special {
  /** The tensor's name. */
  name: string;
  label: "class" | "distillation" | "register";
  count: number;
}

/** How a family's files make vectors of a picture. */
export interface PictureLayout {
  prefix: string;
  imageSize: Size;
  patchSize: Size;
  /** The convolution of patches, without ".weight". */
  patch: string;
  hasBias: boolean;
  /** The table of positions, which begins with a row for each of `special` that has one. */
  positions: string;
  special: readonly Special[];
  /** Whether a table for another size is interpolated with antialiasing. */
  isAntialiased: boolean;
  scales: readonly LayerScale[];
  processor: ProcessorClass;
}

/** A family, and the layout that its `read` finds. */
export interface PictureFamily {
  family: Family;
  layout(): PictureLayout;
}

function sizeIn(file: ConfigReader, key: string): Size {
  const value = file.value(key);
  const [height, width] = Array.isArray(value) ? value : [value, value];
  const isSide = (side: unknown) => Number.isSafeInteger(side) && Number(side) > 0;
  return isSide(height) && isSide(width)
    ? { height: Number(height), width: Number(width) }
    : file.refuse(key, value, "a number of pixels, or height and width");
}

/** Sizes and arithmetic that all have. */
function towerOf(
  file: ConfigReader,
  tensors: readonly TensorRule[],
  more: Pick<FamilyConfig, "prefix" | "passes"> & { intermediateSize: number },
): FamilyConfig {
  file.only("num_channels", 3);
  return {
    vocabSize: 1,
    hiddenSize: file.number("hidden_size"),
    numLayers: file.number("num_hidden_layers"),
    numHeads: file.number("num_attention_heads"),
    rmsNormEps: file.number("layer_norm_eps"),
    isCausal: false,
    architecture: {
      head: "none",
      norm: "layer",
      normBias: true,
      gated: false,
      queryBias: true,
      outputBias: true,
      feedBias: true,
      activation: file.activation("hidden_act"),
    },
    tensors: [["embed_tokens.weight", noTokens, "exact"], ...tensors],
    // Positions are part of a picture's vectors.
    layers: { schemes: [] },
    ...more,
  };
}

/** Names of version 4 of Transformers, in which files are saved, or of version 5. */
const either = (older: string, newer: string) => `encoder.layer.#.${older}|layers.#.${newer}`;
const vitTensors: readonly TensorRule[] = [
  ["norm", "layernorm"],
  ["layers.#.input_layernorm", either("layernorm_before", "layernorm_before")],
  ["layers.#.self_attn.q_proj", either("attention.attention.query", "attention.q_proj")],
  ["layers.#.self_attn.k_proj", either("attention.attention.key", "attention.k_proj")],
  ["layers.#.self_attn.v_proj", either("attention.attention.value", "attention.v_proj")],
  ["layers.#.self_attn.o_proj", either("attention.output.dense", "attention.o_proj")],
  ["layers.#.post_attention_layernorm", either("layernorm_after", "layernorm_after")],
  ["layers.#.mlp.up_proj", either("intermediate.dense", "mlp.fc1")],
  ["layers.#.mlp.down_proj", either("output.dense", "mlp.fc2")],
];

const sizes = {
  hidden_size: 768,
  num_hidden_layers: 12,
  num_attention_heads: 12,
  num_channels: 3,
  image_size: 224,
  patch_size: 16,
};

const classToken: Special = { name: "embeddings.cls_token", label: "class", count: 1 };
const ofEmbeddings = {
  patch: "embeddings.patch_embeddings.projection",
  hasBias: true,
  positions: "embeddings.position_embeddings",
  isAntialiased: false,
  scales: [],
} as const;

type Found = (layout: PictureLayout) => void;

/** Dosovitskiy et al. 2020, arXiv 2010.11929; Touvron et al. 2020, arXiv 2012.12877 (DeiT). */
const vit =
  (id: "vit" | "deit") =>
  (found: Found): Family => ({
    id,
    absent: {
      ...sizes,
      intermediate_size: 3072,
      hidden_act: "gelu",
      layer_norm_eps: 1e-12,
      qkv_bias: true,
    },
    read(file) {
      const isDistilled = id === "deit";
      found({
        ...ofEmbeddings,
        prefix: `${id}.`,
        imageSize: sizeIn(file, "image_size"),
        patchSize: sizeIn(file, "patch_size"),
        special: isDistilled
          ? [classToken, { name: "embeddings.distillation_token", label: "distillation", count: 1 }]
          : [classToken],
        processor: isDistilled ? "DeiT" : "ViT",
      });
      const tower = towerOf(file, vitTensors, {
        intermediateSize: file.number("intermediate_size"),
        prefix: `${id}.`,
        passes:
          "embeddings.* pooler.* classifier.* cls_classifier.* distillation_classifier.* decoder.*",
      });
      const queryBias = file.flag("qkv_bias");
      return { ...tower, architecture: { ...tower.architecture, queryBias } };
    },
    harmless: "encoder_stride pooler_act pooler_output_size",
  });

const dinoBlock = "encoder.layer.#";
const dinoNames = (older: string, newer: string) =>
  `${dinoBlock}.attention.${older}|${dinoBlock}.attention.${newer}`;
const dinoTensors: readonly TensorRule[] = [
  ["norm", "layernorm"],
  ["layers.#.input_layernorm", `${dinoBlock}.norm1`],
  ["layers.#.self_attn.q_proj", dinoNames("attention.query", "q_proj")],
  ["layers.#.self_attn.k_proj", dinoNames("attention.key", "k_proj")],
  ["layers.#.self_attn.v_proj", dinoNames("attention.value", "v_proj")],
  ["layers.#.self_attn.o_proj", dinoNames("output.dense", "o_proj")],
  ["layers.#.post_attention_layernorm", `${dinoBlock}.norm2`],
];
const plainFeed: readonly TensorRule[] = [
  ["layers.#.mlp.up_proj", `${dinoBlock}.mlp.fc1`],
  ["layers.#.mlp.down_proj", `${dinoBlock}.mlp.fc2`],
];
const gatedFeed: readonly TensorRule[] = [
  ["layers.#.mlp.gate_proj up_proj", `${dinoBlock}.mlp.weights_in`],
  ["layers.#.mlp.down_proj", `${dinoBlock}.mlp.weights_out`],
];

/** The scales of all layers: of attention's output, and of the feed-forward's. */
function dinoScales(layers: number, down: string): LayerScale[] {
  return Array.from({ length: layers }, (_, i) => {
    const block = `encoder.layer.${i}`;
    const outputs = ["output.dense", "o_proj"].map((name) => `${block}.attention.${name}`);
    return [
      [outputs, `${block}.layer_scale1.lambda1`],
      [[`${block}.mlp.${down}`], `${block}.layer_scale2.lambda1`],
    ] as const;
  }).flat();
}

/** Oquab et al. 2023, arXiv 2304.07193; with registers Darcet et al. 2023, arXiv 2309.16588. */
const dinov2 =
  (id: "dinov2" | "dinov2_with_registers") =>
  (found: Found): Family => ({
    id,
    absent: {
      ...sizes,
      patch_size: id === "dinov2" ? 14 : 16,
      mlp_ratio: 4,
      hidden_act: "gelu",
      layer_norm_eps: 1e-6,
      qkv_bias: true,
      use_swiglu_ffn: false,
      ...(id === "dinov2" ? {} : { num_register_tokens: 4 }),
    },
    read(file) {
      const hasRegisters = id === "dinov2_with_registers";
      const isGated = file.flag("use_swiglu_ffn");
      const layers = file.number("num_hidden_layers");
      const width = Math.trunc(file.number("hidden_size") * file.number("mlp_ratio"));
      const count = hasRegisters ? file.number("num_register_tokens") : 0;
      found({
        ...ofEmbeddings,
        prefix: `${id}.`,
        imageSize: sizeIn(file, "image_size"),
        patchSize: sizeIn(file, "patch_size"),
        special: count
          ? [classToken, { name: "embeddings.register_tokens", label: "register", count }]
          : [classToken],
        isAntialiased: hasRegisters,
        scales: dinoScales(layers, isGated ? "weights_out" : "fc2"),
        processor: "Bit",
      });
      const tower = towerOf(file, [...dinoTensors, ...(isGated ? gatedFeed : plainFeed)], {
        intermediateSize: isGated ? Math.floor((Math.trunc((width * 2) / 3) + 7) / 8) * 8 : width,
        prefix: `${id}.`,
        passes: "embeddings.* *.lambda1 classifier.*",
      });
      const queryBias = file.flag("qkv_bias");
      const gated = isGated ? ({ gated: true, activation: "silu" } as const) : {};
      return { ...tower, architecture: { ...tower.architecture, queryBias, ...gated } };
    },
    harmless:
      "layerscale_value drop_path_rate out_features out_indices _out_features _out_indices " +
      "stage_names apply_layernorm reshape_hidden_states use_mask_token",
  });

const clipBlock = "encoder.layers.#";
const clipTensors: readonly TensorRule[] = [
  ["norm", "post_layernorm"],
  ["layers.#.input_layernorm", `${clipBlock}.layer_norm1`],
  ...["q_proj", "k_proj", "v_proj"].map(
    (name): TensorRule => [`layers.#.self_attn.${name}`, `${clipBlock}.self_attn.${name}`],
  ),
  ["layers.#.self_attn.o_proj", `${clipBlock}.self_attn.out_proj`],
  ["layers.#.post_attention_layernorm", `${clipBlock}.layer_norm2`],
  ["layers.#.mlp.up_proj", `${clipBlock}.mlp.fc1`],
  ["layers.#.mlp.down_proj", `${clipBlock}.mlp.fc2`],
];
const ofVisionModel = {
  prefix: "vision_model.",
  patch: "embeddings.patch_embedding",
  positions: "embeddings.position_embedding.weight",
  isAntialiased: false,
  scales: [],
} as const;

function squareIn(file: ConfigReader, key: string): Size {
  const size = sizeIn(file, key);
  return size.height === size.width
    ? size
    : file.refuse(key, file.value(key), "one number of pixels", "unsupported");
}

/** Radford et al. 2021, arXiv 2103.00020: the tower of pictures. */
const clip = (found: Found): Family => ({
  id: "clip_vision_model",
  absent: {
    ...sizes,
    patch_size: 32,
    intermediate_size: 3072,
    hidden_act: "quick_gelu",
    layer_norm_eps: 1e-5,
  },
  read(file) {
    found({
      ...ofVisionModel,
      imageSize: squareIn(file, "image_size"),
      patchSize: squareIn(file, "patch_size"),
      hasBias: false,
      special: [{ name: "embeddings.class_embedding", label: "class", count: 1 }],
      processor: "CLIP",
    });
    const tower = towerOf(file, [["embedding_norm", "pre_layrnorm"], ...clipTensors], {
      intermediateSize: file.number("intermediate_size"),
      prefix: "vision_model.",
      passes:
        "embeddings.* text_model.* text_projection.* visual_projection.* logit_scale classifier.*",
    });
    return { ...tower, architecture: { ...tower.architecture, embeddingNorm: true } };
  },
  harmless: "projection_dim",
});

/** Zhai et al. 2023, arXiv 2303.15343: the tower of pictures. */
const siglip = (found: Found): Family => ({
  id: "siglip_vision_model",
  absent: {
    ...sizes,
    intermediate_size: 3072,
    hidden_act: "gelu_pytorch_tanh",
    layer_norm_eps: 1e-6,
  },
  read(file) {
    found({
      ...ofVisionModel,
      imageSize: squareIn(file, "image_size"),
      patchSize: squareIn(file, "patch_size"),
      hasBias: true,
      special: [],
      processor: "Siglip",
    });
    return towerOf(file, clipTensors, {
      intermediateSize: file.number("intermediate_size"),
      prefix: "vision_model.",
      passes: "embeddings.* head.* text_model.* logit_scale logit_bias classifier.*",
    });
  },
  harmless: "vision_use_head",
});

const towers: Readonly<Record<string, (found: Found) => Family>> = {
  vit: vit("vit"),
  deit: vit("deit"),
  dinov2: dinov2("dinov2"),
  dinov2_with_registers: dinov2("dinov2_with_registers"),
  clip_vision_model: clip,
  siglip_vision_model: siglip,
};

export function pictureFamily(id: string): PictureFamily {
  let layout: PictureLayout | undefined;
  const family = towers[id]!((found) => {
    layout = found;
  });
  return {
    family,
    layout: () => layout ?? refuse("config.model_type", id, "a family that was read", "internal"),
  };
}

type File = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is File =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Keys beside the towers of a model of pictures and texts. */
const beside = new Set(
  `text_config vision_config text_config_dict vision_config_dict projection_dim
  logit_scale_init_value initializer_factor model_type`.split(/\s+/),
);

/**
 * The config.json of a tower of pictures: that of the file itself, or of its part for pictures.
 * `harmless`: keys of any family that change nothing. Errors: unsupported for another key beside
 * the parts.
 */
export function pictureConfig(file: File, harmless: ReadonlySet<string>): File {
  const id = String(file["model_type"]);
  if (Object.hasOwn(towers, id)) return file;
  for (const [key, value] of Object.entries(file))
    if ((value ?? undefined) !== undefined && !beside.has(key) && !harmless.has(key))
      refuse(`config.${key}`, value, `no such key with model_type "${id}"`, "unsupported");
  const model_type = `${id}_vision_model`;
  const nested = file["vision_config"];
  // Files of old versions have a second part, which wins.
  const older = file["vision_config_dict"];
  const absent = towers[model_type]!(() => {}).absent;
  return {
    ...(isObject(nested) && nested),
    ...(isObject(older) && { ...absent, ...older }),
    model_type,
  };
}

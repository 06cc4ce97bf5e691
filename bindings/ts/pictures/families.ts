/** Families of models that read pictures: a tower of blocks without a mask, over patches. */

import type { ConfigReader } from "../families/config-reader.js";
import { type Family, type FamilyConfig, type TensorRule, zeros } from "../families/family.js";
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
  /** Whether it is a matrix instead, for channels of a pixel side by side. */
  isLinear?: boolean;
  /** The table of positions, which begins with a row for each of `special` that has one. */
  positions?: string;
  /** Whether blocks rotate by positions instead, which count 2 · wholeSide to a side. */
  isRotated?: boolean;
  special: readonly Special[];
  /** Pillow's number of the filter for a table for another size; 0: bicubic, not antialiased. */
  antialiasing: number;
  scales: readonly LayerScale[];
  processor: ProcessorClass;
}

/**
 * Rows and columns of the grid on which positions of all sizes of pictures lie: so many that a
 * rounded position changes no angle in 32 bits.
 */
export const wholeSide = 2 ** 28;

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
  antialiasing: 0,
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
        antialiasing: hasRegisters ? 3 : 0,
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

const dino3Block = "layer.#";
const dino3Tensors = (isGated: boolean): readonly TensorRule[] => [
  ["norm", "norm"],
  ["layers.#.input_layernorm", `${dino3Block}.norm1`],
  ["layers.#.self_attn.o_proj", `${dino3Block}.attention.o_proj`],
  ["layers.#.post_attention_layernorm", `${dino3Block}.norm2`],
  ...[...(isGated ? ["gate_proj"] : []), "up_proj", "down_proj"].map(
    (name): TensorRule => [`layers.#.mlp.${name}`, `${dino3Block}.mlp.${name}`],
  ),
];

/** Siméoni et al. 2025, arXiv 2508.10104: no table of positions, but a rotation. */
const dinov3 = (found: Found): Family => ({
  id: "dinov3_vit",
  absent: {
    ...sizes,
    hidden_size: 384,
    intermediate_size: 1536,
    num_attention_heads: 6,
    hidden_act: "gelu",
    layer_norm_eps: 1e-5,
    rope_theta: 100,
    query_bias: true,
    key_bias: false,
    value_bias: true,
    proj_bias: true,
    mlp_bias: true,
    use_gated_mlp: false,
    num_register_tokens: 0,
  },
  read(file) {
    const isGated = file.flag("use_gated_mlp");
    const count = file.number("num_register_tokens");
    const projections = ["query", "key", "value"].map((name) => {
      const [ours, has] = [`${name[0]}_proj`, file.flag(`${name}_bias`)];
      return { ours, has };
    });
    const queryBias = projections.some(({ has }) => has);
    const none = zeros(file.number("hidden_size"));
    const attention = projections.flatMap(({ ours, has }): TensorRule[] => {
      const [to, from] = [`layers.#.self_attn.${ours}`, `${dino3Block}.attention.${ours}`];
      if (has || !queryBias) return [[to, from]];
      return [
        [`${to}.weight`, `${from}.weight`, "exact"],
        [`${to}.bias`, none.name, "exact"],
      ];
    });
    found({
      prefix: "model.",
      imageSize: sizeIn(file, "image_size"),
      patchSize: sizeIn(file, "patch_size"),
      patch: "embeddings.patch_embeddings",
      hasBias: true,
      isRotated: true,
      antialiasing: 0,
      special: count
        ? [classToken, { name: "embeddings.register_tokens", label: "register", count }]
        : [classToken],
      scales: Array.from({ length: file.number("num_hidden_layers") }, (_, i) => [
        [[`layer.${i}.attention.o_proj`], `layer.${i}.layer_scale1.lambda1`] as const,
        [[`layer.${i}.mlp.down_proj`], `layer.${i}.layer_scale2.lambda1`] as const,
      ]).flat(),
      processor: "DINOv3ViT",
    });
    const tower = towerOf(file, [...dino3Tensors(isGated), ...attention], {
      intermediateSize: file.number("intermediate_size"),
      prefix: "model.",
      passes: "embeddings.* *.lambda1",
    });
    return {
      ...tower,
      architecture: {
        ...tower.architecture,
        gated: isGated,
        queryBias,
        outputBias: file.flag("proj_bias"),
        feedBias: file.flag("mlp_bias"),
      },
      ...(queryBias && projections.some(({ has }) => !has) && { constants: [none] }),
      // Positions are those of a picture of so many patches, which all pictures lie on.
      layers: { image_size: wholeSide, patch_size: 1 },
    };
  },
  layerKeys: "rope_theta",
  harmless:
    "layerscale_value drop_path_rate pos_embed_shift pos_embed_jitter pos_embed_rescale " +
    "out_features out_indices _out_features _out_indices stage_names apply_layernorm " +
    "reshape_hidden_states",
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
  antialiasing: 0,
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

/** Tschannen et al. 2025, arXiv 2502.14786: pictures in their own shape (NaFlex). */
const siglip2 = (found: Found): Family => ({
  id: "siglip2_vision_model",
  absent: {
    hidden_size: 768,
    intermediate_size: 3072,
    num_hidden_layers: 12,
    num_attention_heads: 12,
    num_channels: 3,
    patch_size: 16,
    hidden_act: "gelu_pytorch_tanh",
    layer_norm_eps: 1e-6,
    num_patches: 256,
  },
  read(file) {
    const patchSize = squareIn(file, "patch_size");
    const side = Math.sqrt(file.number("num_patches"));
    if (!Number.isSafeInteger(side))
      file.refuse("num_patches", side ** 2, "the number of patches of a square", "unsupported");
    found({
      ...ofVisionModel,
      imageSize: { height: side * patchSize.height, width: side * patchSize.width },
      patchSize,
      hasBias: true,
      isLinear: true,
      antialiasing: 2,
      special: [],
      processor: "Siglip2",
    });
    return towerOf(file, clipTensors, {
      intermediateSize: file.number("intermediate_size"),
      prefix: "vision_model.",
      passes: "embeddings.* head.* text_model.* logit_scale logit_bias classifier.*",
    });
  },
  // Files may have the last two, which Transformers passes over.
  harmless: "vision_use_head image_size max_num_patches",
});

const towers: Readonly<Record<string, (found: Found) => Family>> = {
  vit: vit("vit"),
  deit: vit("deit"),
  dinov2: dinov2("dinov2"),
  dinov2_with_registers: dinov2("dinov2_with_registers"),
  dinov3_vit: dinov3,
  clip_vision_model: clip,
  siglip_vision_model: siglip,
  siglip2_vision_model: siglip2,
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

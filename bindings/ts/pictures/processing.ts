/**
 * What a folder's preprocessor_config.json does with a picture, as the Pillow classes of
 * Transformers do it: resizes it, crops its centre, and brings its bytes to mean and deviation.
 */

import { refuse } from "../wire/arguments.js";
import { type Bytes8, kernels, type Raster, resized } from "./resize.js";

type File = Readonly<Record<string, unknown>>;

export interface Size {
  height: number;
  width: number;
}

/** As many patches of this side as fit, in the picture's own shape. */
interface Patches {
  patch: number;
  max: number;
}

export interface Processing {
  /** The size to resize to; a number is that of the shorter side. Undefined: not resized. */
  size: Size | number | Patches | undefined;
  /** Pillow's number of a filter. */
  resample: number;
  crop: Size | undefined;
  /** Whether bytes are scaled before the picture is resized, and results are not rounded. */
  isFloat: boolean;
  scaled(byte: number): number;
  normalised(value: number, channel: number): number;
}

/** The defaults of a class. */
interface Class {
  resample: number;
  mean: readonly number[];
  deviation: readonly number[];
  size: Size | number;
  crop?: Size;
  /** Whether a size that is one number is both sides, and not the shorter one. */
  isSquare: boolean;
  isFloat?: boolean;
  /** Whether the size follows from max_num_patches. */
  isFlexible?: boolean;
}

const square = (side: number): Size => ({ height: side, width: side });
const halves = [0.5, 0.5, 0.5];
const clip: Class = {
  resample: 3,
  mean: [0.48145466, 0.4578275, 0.40821073],
  deviation: [0.26862954, 0.26130258, 0.27577711],
  size: 224,
  crop: square(224),
  isSquare: false,
};
const standard = { mean: halves, deviation: halves, size: square(224) };
/** By the beginning of the class's name. */
const classes = {
  ViT: { ...standard, resample: 2, isSquare: true },
  DeiT: { ...standard, resample: 3, isSquare: true, size: square(256), crop: square(224) },
  CLIP: clip,
  Bit: clip,
  Siglip: { ...standard, resample: 3, isSquare: false },
  Siglip2: { ...standard, resample: 2, isSquare: false, isFlexible: true },
  DINOv3ViT: {
    ...standard,
    mean: [0.485, 0.456, 0.406],
    deviation: [0.229, 0.224, 0.225],
    resample: 2,
    isSquare: true,
    isFloat: true,
  },
} as const satisfies Record<string, Class>;
export type ProcessorClass = keyof typeof classes;

/** Keys that change no number. */
const harmless = new Set(
  `image_processor_type feature_extractor_type processor_class do_convert_rgb data_format
  input_data_format device disable_grouping return_tensors image_seq_length pad_size auto_map
  _processor_class _valid_processor_keys default_to_square num_channels`.split(/\s+/),
);

const where = "preprocessor_config.json";

class Keys {
  readonly #file: File;
  readonly #read = new Set<string>();

  constructor(file: File) {
    this.#file = file;
  }

  value(key: string): unknown {
    this.#read.add(key);
    return this.#file[key] ?? undefined;
  }

  refuse(key: string, allowed: string): never {
    return refuse(`${where}: ${key}`, this.#file[key], allowed, "unsupported");
  }

  flag(key: string, absent: boolean): boolean {
    const value = this.value(key) ?? absent;
    return typeof value === "boolean" ? value : this.refuse(key, "true or false");
  }

  number(key: string, absent: number): number {
    const value = this.value(key) ?? absent;
    return typeof value === "number" && Number.isFinite(value)
      ? value
      : this.refuse(key, "a finite number");
  }

  /** Three numbers, or one for all channels. */
  channels(key: string, absent: readonly number[]): readonly number[] {
    const value = this.value(key) ?? absent;
    const list = typeof value === "number" ? [value, value, value] : value;
    const isList = Array.isArray(list) && list.length === 3 && list.every(Number.isFinite);
    return isList ? list : this.refuse(key, "three numbers");
  }

  side(key: string, value: unknown): number {
    return Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= maxSide
      ? Number(value)
      : this.refuse(key, `sides from 1 to ${maxSide}`);
  }

  size(key: string, absent: Size | number, isSquare: boolean): Size | number {
    const value = this.value(key);
    if (value === undefined) return absent;
    if (typeof value === "number") {
      const side = this.side(key, value);
      return isSquare ? square(side) : side;
    }
    const { height, width, shortest_edge: shortest, ...rest } = Object(value) as File;
    if (Object.values(rest).some((other) => other !== null) || Array.isArray(value))
      return this.refuse(key, "{ height, width } or { shortest_edge }");
    return typeof shortest === "number"
      ? this.side(key, shortest)
      : { height: this.side(key, height), width: this.side(key, width) };
  }

  /** Errors: unsupported for a key that was not read and may change a number. */
  refuseRest(): void {
    for (const [key, value] of Object.entries(this.#file)) {
      if (this.#read.has(key) || harmless.has(key) || (value ?? false) === false) continue;
      this.refuse(key, "no such key");
    }
  }
}

export const maxSide = 16384;

function classOf(file: File, absent: ProcessorClass): ProcessorClass {
  const key = file["image_processor_type"] === undefined ? "feature_extractor_type" : undefined;
  const name = file[key ?? "image_processor_type"] ?? undefined;
  if (name === undefined) return absent;
  const found = (Object.keys(classes) as ProcessorClass[]).find(
    (one) => String(name).replace(/(?:ImageProcessor(?:Fast|Pil)?|FeatureExtractor)$/, "") === one,
  );
  return (
    found ??
    refuse(
      `${where}: ${key ?? "image_processor_type"}`,
      name,
      `one of ${Object.keys(classes)
        .map((one) => `${one}ImageProcessor`)
        .join(", ")}`,
      "unsupported",
    )
  );
}

/** The size of a class with one for every shape of picture. */
function patchesIn(keys: Keys, patch: number, trained: number | undefined): Patches {
  if (keys.number("patch_size", patch) !== patch) keys.refuse("patch_size", `${patch}`);
  const max = keys.number("max_num_patches", trained ?? 256);
  if (!Number.isSafeInteger(max) || max < 1 || max > maxSide)
    keys.refuse("max_num_patches", `whole numbers from 1 to ${maxSide}`);
  return { patch, max };
}

/**
 * Reads a preprocessor_config.json; without one, the defaults of `absent` with the model's size.
 * Errors: unsupported for a key that it does not know.
 */
export function processingOf(
  file: File | undefined,
  absent: ProcessorClass,
  trained: Size,
  patchSize: Size,
): Processing {
  const defaults: Class = classes[file ? classOf(file, absent) : absent];
  const shorter = Math.min(trained.height, trained.width);
  const alike = typeof defaults.size === "number" ? { shortest_edge: shorter } : { ...trained };
  const keys = new Keys(file ?? { size: alike, crop_size: { ...trained } });
  const given = keys.value("default_to_square");
  const isSquare = typeof given === "boolean" ? given : defaults.isSquare;
  const patch = patchSize.height;
  const patches = file ? undefined : (trained.height * trained.width) / patch ** 2;
  const size = defaults.isFlexible
    ? patchesIn(keys, patch, patches)
    : keys.size("size", defaults.size, isSquare);
  const crop = keys.size("crop_size", defaults.crop ?? square(224), true);
  const isResized = keys.flag("do_resize", true);
  const isCropped = keys.flag("do_center_crop", defaults.crop !== undefined);
  const resample = keys.number("resample", defaults.resample);
  if (!Object.hasOwn(kernels, resample))
    keys.refuse("resample", "1 (Lanczos), 2 (bilinear) or 3 (bicubic)");
  const isRescaled = keys.flag("do_rescale", true);
  const factor = keys.number("rescale_factor", 1 / 255);
  const isNormalised = keys.flag("do_normalize", true);
  const mean = keys.channels("image_mean", defaults.mean);
  const deviation = keys.channels("image_std", defaults.deviation);
  if (deviation.includes(0)) keys.refuse("image_std", "numbers other than 0");
  keys.refuseRest();
  if (isCropped && typeof crop === "number") keys.refuse("crop_size", "{ height, width }");
  const { fround } = Math;
  const [centers, scales] = [mean.map(fround), deviation.map(fround)];
  return {
    size: isResized ? size : undefined,
    resample,
    crop: isCropped ? (crop as Size) : undefined,
    isFloat: defaults.isFloat ?? false,
    scaled: (byte) => fround(isRescaled ? byte * factor : byte),
    normalised: (value, channel) =>
      isNormalised ? fround(fround(value - centers[channel]!) / scales[channel]!) : value,
  };
}

/** A picture as the model reads it. */
export interface Processed extends Raster<Float32Array> {
  /** The part of the original that it shows, in the original's pixels; may exceed it. */
  area: { x: number; y: number; width: number; height: number };
}

/** The sides that get at most `max` patches, as the search of Transformers finds them. */
function withPatches({ height, width }: Size, { patch, max }: Patches): Size {
  const precision = 1e-5;
  let [low, high] = [precision / 10, 100];
  const patchesOf = (scale: number, side: number) => Math.max(1, Math.ceil((side * scale) / patch));
  while (high - low >= precision) {
    const scale = (low + high) / 2;
    if (patchesOf(scale, height) * patchesOf(scale, width) <= max) low = scale;
    else high = scale;
  }
  return { height: patch * patchesOf(low, height), width: patch * patchesOf(low, width) };
}

function sizeAfter(picture: Size, size: Size | number | Patches): Size {
  if (typeof size === "object") return "patch" in size ? withPatches(picture, size) : size;
  const { height, width } = picture;
  const [short, long] = width <= height ? [width, height] : [height, width];
  const longer = Math.trunc((size * long) / short);
  return width <= height ? { height: longer, width: size } : { height: size, width: longer };
}

/** The centre; zeros beyond the edges. */
function cropped<Numbers extends Uint8Array | Float32Array>(
  picture: Raster<Numbers>,
  { height, width }: Size,
): Raster<Numbers> & { top: number; left: number } {
  const [top, left] = [
    Math.floor((picture.height - height) / 2),
    Math.floor((picture.width - width) / 2),
  ];
  const count = height * width * 3;
  const isBytes = picture.data.BYTES_PER_ELEMENT === 1;
  const data = (isBytes ? new Uint8Array(count) : new Float32Array(count)) as Numbers;
  const [begin, end] = [Math.max(0, -left), Math.min(width, picture.width - left)];
  for (let y = 0; y < height; y++) {
    const from = y + top;
    if (from < 0 || from >= picture.height) continue;
    const row = from * picture.width;
    data.set(
      picture.data.subarray((row + left + begin) * 3, (row + left + end) * 3),
      (y * width + begin) * 3,
    );
  }
  return { data, height, width, top, left };
}

/** Resizes and crops. `size`: in place of the processing's, without a crop. */
export function processed(picture: Bytes8, processing: Processing, size?: Size): Processed {
  const target = size ?? processing.size;
  const after = target === undefined ? picture : sizeAfter(picture, target);
  if (Math.max(after.height, after.width) > maxSide)
    refuse("picture", [picture.width, picture.height], "sides that are not so different");
  const { isFloat, scaled, normalised, resample } = processing;
  const given: Raster<Uint8Array | Float32Array> = isFloat
    ? { ...picture, data: Float32Array.from(picture.data, scaled) }
    : picture;
  const whole = resized(given, after.height, after.width, resample);
  const crop = size ? undefined : processing.crop;
  const part = crop ? cropped(whole, crop) : { ...whole, top: 0, left: 0 };
  const [across, down] = [picture.width / whole.width, picture.height / whole.height];
  return {
    data: Float32Array.from(part.data, (value, i) =>
      normalised(isFloat ? value : scaled(value), i % 3),
    ),
    height: part.height,
    width: part.width,
    area: {
      x: part.left * across,
      y: part.top * down,
      width: part.width * across,
      height: part.height * down,
    },
  };
}

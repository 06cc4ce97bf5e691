/** Pictures that a model reads: their pixels, and what the model's files do with them. */

import type { LookOptions, Picture, PictureGrid, Tensor } from "../types/index.js";
import { checkObject, checkOptions, integer, refuse } from "../wire/arguments.js";
import { isBytes, lengthOf, tagOf } from "../wire/arrays.js";
import { checkThere, integers } from "../wire/lists.js";

/** Red, green and blue, a byte each, row by row. */
export interface Pixels {
  data: Uint8Array;
  height: number;
  width: number;
}

/** A picture's patches. */
export interface ReadPicture {
  grid: PictureGrid;
  /** Whether it has the size that the model was trained with. */
  isTrained: boolean;
  /** Whether it is as high as wide. */
  isSquare: boolean;
  /** Their pixels, a row for each. */
  patches: { data: Float32Array; shape: number[] };
  /** All pixels `[3,height,width]`. */
  pixels(): Tensor;
}

/** How a model's files make vectors of pictures. */
export interface PictureReader {
  /** `[E,K]`: projects the K numbers of a patch. */
  readonly weight: { data: Float32Array; shape: number[] };
  /** Count of the numbers in its tensors. */
  readonly numbers: number;
  patchesOf(picture: Pixels, size?: PictureSize): ReadPicture;
  /** The vectors `[T,E]` of a picture, from the products of its patches. */
  vectorsOf(products: Float32Array, picture: ReadPicture): Float32Array;
  /** Whether blocks rotate by positions, which their vectors then do not have. */
  readonly isRotated: boolean;
  /** Positions `[2,T]` of a picture's tokens, if blocks rotate by them. */
  positionsOf(picture: ReadPicture): { data: Int32Array; shape: number[] } | undefined;
}

type PictureSize = NonNullable<LookOptions["size"]>;

const maxPictureSide = 16384;

const isOf = (value: object, ...names: string[]): boolean =>
  names.includes(Object.prototype.toString.call(value).slice(8, -1));

/** Pixels of what a page can draw. */
function drawn(argument: string, picture: object): unknown {
  const { naturalWidth, videoWidth, displayWidth, width } = picture as Record<string, unknown>;
  const { naturalHeight, videoHeight, displayHeight, height } = picture as Record<string, unknown>;
  const sides = [
    naturalWidth ?? videoWidth ?? displayWidth ?? width,
    naturalHeight ?? videoHeight ?? displayHeight ?? height,
  ].map((side) => integer(`${argument}.width, ${argument}.height`, side, 1, maxPictureSide));
  const [across, down] = sides as [number, number];
  if (typeof OffscreenCanvas !== "function")
    return refuse(argument, picture, "{ data, width, height }: nothing draws here", "unsupported");
  const context = new OffscreenCanvas(across, down).getContext("2d", { willReadFrequently: true })!;
  try {
    context.drawImage(picture as CanvasImageSource, 0, 0, across, down);
    return context.getImageData(0, 0, across, down);
  } catch {
    return refuse(argument, picture, "a picture that can be read: not closed, of this origin");
  }
}

const drawable = [
  ...["ImageBitmap", "HTMLCanvasElement", "OffscreenCanvas", "HTMLImageElement"],
  ...["HTMLVideoElement", "VideoFrame", "SVGImageElement"],
];

/** Copies a picture's pixels, over white where it is transparent. */
export function pixelsOf(argument: string, value: Picture | unknown): Pixels {
  checkObject(argument, value);
  const picture = isOf(value, ...drawable) ? drawn(argument, value) : value;
  const { data, width: across, height: down } = picture as Record<string, unknown>;
  const width = integer(`${argument}.width`, across, 1, maxPictureSide);
  const height = integer(`${argument}.height`, down, 1, maxPictureSide);
  checkThere(`${argument}.data`, data);
  const isList = !isBytes(data) && tagOf(data) !== "Uint8ClampedArray";
  const bytes = isList ? integers(`${argument}.data`, data, 0, 255) : (data as Uint8Array);
  const count = width * height;
  const channels = lengthOf(bytes) / count;
  if (channels !== 3 && channels !== 4)
    refuse(
      `${argument}.data.length`,
      lengthOf(bytes),
      `3 or 4 numbers for each of ${count} pixels`,
    );
  const result = new Uint8Array(3 * count);
  for (let i = 0; i < count; i++) {
    const opacity = channels === 4 ? bytes[4 * i + 3]! : 255;
    for (let c = 0; c < 3; c++) {
      const byte = bytes[channels * i + c]!;
      result[3 * i + c] =
        opacity === 255 ? byte : Math.floor((byte * opacity + 255 * (255 - opacity) + 127) / 255);
    }
  }
  return { data: result, height, width };
}

const lookNames = ["record", "region", "surgery", "ablate", "patch", "size", "pixels"];

/** The options of `look` that are not those of `run`. */
export function lookOptions<Rest extends object>(
  options: LookOptions & Rest,
): { size?: PictureSize; pixels: boolean; rest: Omit<LookOptions & Rest, "size" | "pixels"> } {
  checkOptions("options", options, lookNames);
  const { size, pixels = false, ...rest } = options;
  if (size !== undefined) checkOptions("size", size, ["height", "width"]);
  if (typeof pixels !== "boolean") refuse("pixels", pixels, "true or false");
  return { pixels, rest, ...(size !== undefined && { size: { ...size } }) };
}

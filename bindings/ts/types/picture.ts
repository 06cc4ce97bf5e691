/** Pictures that models read, and where their patches are. */
import type { InPage } from "./in-page.js";
import type { RunOptions } from "./model-options.js";
import type { Tensor } from "./tensor.js";

/**
 * A picture: its pixels, row by row, as red, green and blue from 0 to 255, with or without opacity
 * (an `ImageData`); or something that a page can draw.
 */
export type Picture =
  | {
      readonly data: Uint8ClampedArray | Uint8Array | readonly number[];
      readonly width: number;
      readonly height: number;
    }
  | InPage<
      | "ImageBitmap"
      | "HTMLCanvasElement"
      | "OffscreenCanvas"
      | "HTMLImageElement"
      | "HTMLVideoElement"
      | "VideoFrame"
    >;

/** Options of `look`. */
export interface LookOptions
  extends Omit<RunOptions, "positions" | "attentionMask" | "decoderTokens"> {
  /**
   * Resizes the picture to this size, in multiples of a patch, instead of as the model's files
   * say. Positions of another size are interpolated.
   */
  size?: { height: number; width: number };
  /** Whether to return the pixels that the model reads. Default false. */
  pixels?: boolean;
}

/** Where a picture's patches are. Token `special.length + row * columns + column` is a patch. */
export interface PictureGrid {
  rows: number;
  columns: number;
  /** Names of the tokens before the patches: "class", "distillation", "register 1", … */
  special: string[];
  /** The part of the picture that the patches cover, in its pixels; it may exceed the picture. */
  area: { x: number; y: number; width: number; height: number };
}

/** What `look` returns besides the results of `run`. */
export interface Seen {
  grid: PictureGrid;
  /**
   * Positions `[2,T]` of the tokens, of a model whose blocks rotate by them (DINOv3): rows, then
   * columns. `run({ vectors })` of such a model needs them.
   */
  positions?: { data: Int32Array; shape: number[] };
  /** The pixels that the model read, `[3,height,width]`, if `pixels` is true. */
  pixels?: Tensor;
}

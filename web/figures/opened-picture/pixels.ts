/** Pictures: those of the page, drawn of tiles, and those of the reader. */
import type { PictureGrid } from "whereformer";

/** A picture as pixels, which any thread can read. */
export interface Drawn {
  data: Uint8Array;
  width: number;
  height: number;
}

/** A creature of the page: its tiles' letters by row. */
export interface Creature {
  name: string;
  rows: readonly string[];
}

/** pictures.json beside the page's model: `tiles` has red, green and blue of each pixel. */
export interface Creatures {
  tileSide: number;
  tiles: Readonly<Record<string, readonly number[]>>;
  pictures: readonly Creature[];
}

export function drawCreature({ tileSide, tiles }: Creatures, { rows }: Creature): Drawn {
  const width = tileSide * rows[0]!.length;
  const height = tileSide * rows.length;
  const data = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const tile = tiles[rows[Math.floor(y / tileSide)]![Math.floor(x / tileSide)]!]!;
      const from = 3 * ((y % tileSide) * tileSide + (x % tileSide));
      for (let channel = 0; channel < 3; channel++)
        data[3 * (y * width + x) + channel] = tile[from + channel]!;
    }
  return { data, width, height };
}

/** What a figure shows of a picture: a colour for each pixel, or an image. */
export type Shown =
  | { rows: number; columns: number; colours: readonly string[] }
  | { image: HTMLCanvasElement };

const hex = (byte: number): string => byte.toString(16).padStart(2, "0");

/** Returns the pixels of a drawn picture, which has few. */
export const shownOf = ({ data, width, height }: Drawn): Shown => ({
  rows: height,
  columns: width,
  colours: Array.from(
    { length: width * height },
    (_, i) => `#${hex(data[3 * i]!)}${hex(data[3 * i + 1]!)}${hex(data[3 * i + 2]!)}`,
  ),
});

/** Longest side of the shown part of a picture, in pixels: sharp on screens with two per point. */
const shownSide = 960;

/** Draws the part of a picture that the model sees; what lies beyond its edges is left blank. */
export function shownPart(picture: ImageBitmap, { area }: PictureGrid): Shown {
  const scale = Math.min(1, shownSide / Math.max(area.width, area.height));
  const image = document.createElement("canvas");
  image.width = Math.max(1, Math.round(area.width * scale));
  image.height = Math.max(1, Math.round(area.height * scale));
  const context = image.getContext("2d")!;
  context.imageSmoothingQuality = "high";
  context.scale(image.width / area.width, image.height / area.height);
  context.drawImage(picture, -area.x, -area.y);
  return { image };
}

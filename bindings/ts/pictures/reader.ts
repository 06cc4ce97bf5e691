/** Makes a model's vectors of a picture: patches, their positions, and the tokens before them. */

import type { PictureReader, ReadPicture } from "../api/pictures.js";
import type { ByteFile } from "../files/byte-file.js";
import type { PictureGrid } from "../types/index.js";
import { refuse } from "../wire/arguments.js";
import { type PictureLayout, wholeSide } from "./families.js";
import {
  maxSide,
  type Processed,
  type Processing,
  processed,
  processingOf,
  type Size,
} from "./processing.js";
import type { Bytes8 } from "./resize.js";
import { interpolated } from "./table.js";
import { PictureFiles } from "./tensors.js";

interface Tensors {
  /** `[E,3·height·width of a patch]`. */
  patch: Float32Array;
  /** Added to each patch. */
  bias: Float32Array | undefined;
  /** `[N,E]`; the rows of the tokens before the patches are first. Undefined: blocks rotate. */
  positions: Float32Array | undefined;
  /** The vectors of the tokens before the patches. */
  special: Float32Array;
}

const labelsOf = ({ special }: PictureLayout): string[] =>
  special.flatMap(({ label, count }) =>
    Array.from({ length: count }, (_, i) => (count > 1 ? `${label} ${i + 1}` : label)),
  );

class TowerReader implements PictureReader {
  readonly #layout: PictureLayout;
  readonly #width: number;
  readonly #processing: Processing;
  readonly #tensors: Tensors;
  /** The last table for another size, with its grid. */
  #table: { key: string; rows: Float32Array } | undefined;

  constructor(layout: PictureLayout, width: number, processing: Processing, tensors: Tensors) {
    this.#layout = layout;
    this.#width = width;
    this.#processing = processing;
    this.#tensors = tensors;
  }

  get weight() {
    const { patch } = this.#tensors;
    return { data: patch, shape: [this.#width, patch.length / this.#width] };
  }

  get isRotated(): boolean {
    return this.#layout.isRotated ?? false;
  }

  get numbers(): number {
    const { patch, bias, positions, special } = this.#tensors;
    return [patch, bias ?? [], positions ?? [], special].reduce(
      (sum, { length }) => sum + length,
      0,
    );
  }

  patchesOf(picture: Bytes8, given?: Size): ReadPicture {
    const { imageSize, patchSize } = this.#layout;
    const size = given && {
      height: sideOf("size.height", given.height, patchSize.height),
      width: sideOf("size.width", given.width, patchSize.width),
    };
    const read = processed(picture, this.#processing, size);
    const rows = Math.floor(read.height / patchSize.height);
    const columns = Math.floor(read.width / patchSize.width);
    if (!rows || !columns)
      refuse(
        "picture",
        [read.width, read.height],
        `at least a patch, ${patchSize.width} by ${patchSize.height}`,
      );
    const { x, y, width, height } = read.area;
    const grid: PictureGrid = {
      rows,
      columns,
      special: labelsOf(this.#layout),
      area: {
        x,
        y,
        width: (width * columns * patchSize.width) / read.width,
        height: (height * rows * patchSize.height) / read.height,
      },
    };
    return {
      grid,
      isTrained: read.height === imageSize.height && read.width === imageSize.width,
      isSquare: read.height === read.width,
      patches: this.#patches(read, grid),
      pixels: () => this.#pixels(read),
    };
  }

  /** `[rows·columns,3·height·width]`, in the order of the convolution's weights. */
  #patches({ data, width }: Processed, { rows, columns }: PictureGrid) {
    const { height: down, width: across } = this.#layout.patchSize;
    const count = 3 * down * across;
    const patches = new Float32Array(rows * columns * count);
    let to = 0;
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++)
        for (let channel = 0; channel < 3; channel++)
          for (let i = 0; i < down; i++) {
            let from = ((row * down + i) * width + column * across) * 3 + channel;
            for (let j = 0; j < across; j++, from += 3) patches[to++] = data[from]!;
          }
    return { data: patches, shape: [rows * columns, count] };
  }

  #pixels({ data, height, width }: Processed) {
    const count = height * width;
    const pixels = new Float32Array(3 * count);
    for (let channel = 0; channel < 3; channel++)
      for (let i = 0; i < count; i++) pixels[channel * count + i] = data[3 * i + channel]!;
    return { data: pixels, shape: [3, height, width] };
  }

  vectorsOf(products: Float32Array, picture: ReadPicture): Float32Array {
    const width = this.#width;
    const { bias, special } = this.#tensors;
    const { grid } = picture;
    const before = grid.special.length;
    const vectors = new Float32Array((before + grid.rows * grid.columns) * width);
    vectors.set(special);
    vectors.set(products, before * width);
    if (bias) for (let i = before * width; i < vectors.length; i++) vectors[i]! += bias[i % width]!;
    const table = this.#positions(picture);
    if (!table) return vectors;
    // Registers, the last of the tokens before the patches, have no position.
    const positioned = this.#positioned();
    for (let i = 0; i < positioned * width; i++) vectors[i]! += table[i]!;
    const shift = (before - positioned) * width;
    for (let i = positioned * width; i < table.length; i++) vectors[i + shift]! += table[i]!;
    return vectors;
  }

  positionsOf({ grid }: ReadPicture): { data: Int32Array; shape: number[] } | undefined {
    if (!this.isRotated) return undefined;
    const { rows, columns } = grid;
    const before = grid.special.length;
    const count = before + rows * columns;
    const data = new Int32Array(2 * count);
    const at = (index: number, side: number) =>
      Math.round(((2 * index + 1 - side) * wholeSide) / side);
    for (let cell = 0; cell < rows * columns; cell++) {
      data[before + cell] = at(Math.floor(cell / columns), rows);
      data[count + before + cell] = at(cell % columns, columns);
    }
    return { data, shape: [2, count] };
  }

  /** Number of tokens before the patches that have a position. */
  #positioned(): number {
    const { special } = this.#layout;
    return special.filter(({ label }) => label !== "register").length;
  }

  /** The table for a grid, with the rows of the tokens before it. */
  #positions({ grid, isTrained, isSquare }: ReadPicture): Float32Array | undefined {
    const { positions } = this.#tensors;
    if (!positions) return undefined;
    const width = this.#width;
    const positioned = this.#positioned();
    const count = positions.length / width - positioned;
    const { rows, columns } = grid;
    if (isTrained || (isSquare && rows * columns === count)) return positions;
    const key = `${rows} ${columns}`;
    if (this.#table?.key === key) return this.#table.rows;
    const side = Math.round(Math.sqrt(count));
    if (side * side !== count)
      refuse(
        "size",
        [rows, columns],
        "the size that the model was trained with, since its positions are no square",
        "unsupported",
      );
    const rest = positions.subarray(positioned * width);
    const patches = interpolated(rest, side, grid, this.#layout.antialiasing);
    const all = new Float32Array(positioned * width + patches.length);
    all.set(positions.subarray(0, positioned * width));
    all.set(patches, positioned * width);
    this.#table = { key, rows: all };
    return all;
  }
}

function sideOf(argument: string, value: unknown, unit: number): number {
  const isSide = Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= maxSide;
  return isSide && Number(value) % unit === 0
    ? Number(value)
    : refuse(argument, value, `a multiple of ${unit}, the side of a patch, up to ${maxSide}`);
}

/** The tensors of a layout. Errors: malformed_file, unsupported. */
async function tensorsOf(
  files: PictureFiles,
  layout: PictureLayout,
  width: number,
): Promise<Tensors> {
  const { imageSize, patchSize, patch, hasBias, special } = layout;
  const positioned = special.filter(({ label }) => label !== "register").length;
  const cells =
    Math.floor(imageSize.height / patchSize.height) * Math.floor(imageSize.width / patchSize.width);
  const vectors = [];
  for (const { name, count } of special) vectors.push(await files.floats(name, [count, width]));
  const all = new Float32Array(vectors.reduce((sum, { length }) => sum + length, 0));
  vectors.reduce((at, list) => {
    all.set(list, at);
    return at + list.length;
  }, 0);
  const { height, width: across } = patchSize;
  const { isLinear, positions } = layout;
  const weight = isLinear
    ? channelsFirst(await files.floats(`${patch}.weight`, [width, height * across * 3]))
    : await files.floats(`${patch}.weight`, [width, 3, height, across]);
  return {
    patch: weight,
    bias: hasBias ? await files.floats(`${patch}.bias`, [width]) : undefined,
    positions:
      positions === undefined
        ? undefined
        : await files.floats(positions, [positioned + cells, width]),
    special: all,
  };

  /** From rows, columns, channels of a patch to channels, rows, columns. */
  function channelsFirst(numbers: Float32Array): Float32Array {
    const cells = height * across;
    return numbers.map((_, i) => {
      const [row, at] = [Math.floor(i / (3 * cells)), i % (3 * cells)];
      return numbers[row * 3 * cells + (at % cells) * 3 + Math.floor(at / cells)]!;
    });
  }
}

/** Opens a picture model's files: the reader of pictures, and what the engine reads. */
export async function openPictures(
  weights: readonly ByteFile[],
  layout: PictureLayout,
  width: number,
  preprocessor: Record<string, unknown> | undefined,
): Promise<{ reader: PictureReader; weights: ByteFile[] }> {
  const processing = processingOf(
    preprocessor,
    layout.processor,
    layout.imageSize,
    layout.patchSize,
  );
  const files = await PictureFiles.open(weights, layout.prefix);
  const tensors = await tensorsOf(files, layout, width);
  return {
    reader: new TowerReader(layout, width, processing, tensors),
    weights: await files.shown(width, layout.scales),
  };
}

/**
 * A map's cells on a canvas, in tiles of pixels that are coloured once and cached. Each frame
 * colours as many tiles as its time allows; a coarser copy stands in for the others until the next
 * frame.
 */
import type { Palette } from "./colour.js";
import { levelFor, type Pyramid } from "./map-pyramid.js";
import { type MapScale, shade } from "./map-shades.js";
import { type Box, cellSide, type Viewport } from "./map-viewport.js";

const tileSide = 256;
/** 96 tiles are 24 MB of pixels: more than the largest screen shows of a map. */
const maxTiles = 96;

export class MapTiles {
  #tiles = new Map<string, HTMLCanvasElement>();
  /** Whether numbers of the last view have not arrived yet. */
  #isAwaiting = false;

  constructor(
    readonly pyramid: Pyramid,
    readonly palette: Palette,
    readonly scale: MapScale,
  ) {}

  /** Returns undefined if numbers of the tile have not arrived yet. */
  #make(level: number, across: number, down: number): HTMLCanvasElement | undefined {
    const from = this.pyramid.levels[level]!;
    const part = {
      row: down * tileSide,
      column: across * tileSide,
      rows: Math.min(tileSide, from.rows - down * tileSide),
      columns: Math.min(tileSide, from.columns - across * tileSide),
    };
    if (from.lacks?.({ ...part, top: part.row, left: part.column })) {
      this.#isAwaiting = true;
      return undefined;
    }
    const canvas = document.createElement("canvas");
    canvas.width = part.columns;
    canvas.height = part.rows;
    const context = canvas.getContext("2d")!;
    const image = context.createImageData(part.columns, part.rows);
    shade(new Uint32Array(image.data.buffer), from, part, this.palette, this.scale);
    context.putImageData(image, 0, 0);
    return canvas;
  }

  /**
   * Returns the tile, and makes a missing one if `mayMake` returns true; the tiles used last are
   * cached.
   */
  #tile(level: number, across: number, down: number, mayMake: boolean) {
    const name = `${level} ${across} ${down}`;
    const known = this.#tiles.get(name);
    if (!known && !mayMake) return undefined;
    const tile = known ?? this.#make(level, across, down);
    if (!tile) return undefined;
    this.#tiles.delete(name);
    this.#tiles.set(name, tile);
    if (this.#tiles.size > maxTiles) this.#tiles.delete(this.#tiles.keys().next().value!);
    return tile;
  }

  /** Returns the tiles of a level that intersect the view. */
  #inView(index: number, view: Viewport, box: Box): { x: number; y: number }[] {
    const { side, rows, columns } = this.pyramid.levels[index]!;
    const step = tileSide * side;
    const down = (view.across * box.height) / box.width;
    const below = Math.min(Math.ceil(rows / tileSide), Math.ceil((view.top + down) / step));
    const right = Math.min(
      Math.ceil(columns / tileSide),
      Math.ceil((view.left + view.across) / step),
    );
    const found: { x: number; y: number }[] = [];
    for (let y = Math.floor(view.top / step); y < below; y++)
      for (let x = Math.floor(view.left / step); x < right; x++) found.push({ x, y });
    return found;
  }

  /** Draws the available tiles of a level; returns true if none is missing. */
  #drawLevel(
    context: CanvasRenderingContext2D,
    index: number,
    view: Viewport,
    box: Box,
    mayMake: () => boolean,
  ): boolean {
    const { side } = this.pyramid.levels[index]!;
    const cell = cellSide(view, box);
    const unit = side * cell;
    let isWhole = true;
    for (const { x, y } of this.#inView(index, view, box)) {
      const tile = this.#tile(index, x, y, mayMake());
      isWhole &&= tile !== undefined;
      if (!tile) continue;
      const left = (x * tileSide * side - view.left) * cell;
      const top = (y * tileSide * side - view.top) * cell;
      context.drawImage(tile, left, top, tile.width * unit, tile.height * unit);
    }
    return isWhole;
  }

  /**
   * Draws the view at the origin of the context. Returns whether it is as sharp as possible, and
   * the side of the block of cells that one number summarises.
   */
  draw(
    context: CanvasRenderingContext2D,
    view: Viewport,
    box: Box,
    devicePixels: number,
    milliseconds: number,
  ): { isDone: boolean; side: number } {
    const { levels } = this.pyramid;
    const index = levelFor(this.pyramid, cellSide(view, box) * devicePixels);
    const { side } = levels[index]!;
    const end = performance.now() + milliseconds;
    this.#isAwaiting = false;
    context.imageSmoothingEnabled = false;
    const isThere = this.#inView(index, view, box).every(({ x, y }) =>
      this.#tiles.has(`${index} ${x} ${y}`),
    );
    const coarse = levels.findIndex(({ rows, columns }) => Math.max(rows, columns) <= tileSide);
    const standsIn = !isThere && coarse > index;
    if (standsIn) this.#drawLevel(context, coarse, view, box, () => true);
    const isDrawn = this.#drawLevel(context, index, view, box, () => performance.now() < end);
    // Not final while the coarser copy is visible through transparent masked cells. Numbers that
    // arrive cause another drawing.
    return { isDone: this.#isAwaiting || (isDrawn && !standsIn), side };
  }
}

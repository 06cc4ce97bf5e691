/** Layout and painting of a zoomed map, as far as they need no element. */
import type { Palette } from "../drawing/colour.js";
import { axesRoom } from "../drawing/map-axes.js";
import {
  aroundMarks,
  cellsAsMarks,
  countInView,
  type MapPicture,
  overMarks,
  underMarks,
} from "../drawing/map-picture.js";
import type { Pyramid } from "../drawing/map-pyramid.js";
import type { MapScale } from "../drawing/map-shades.js";
import { MapTiles } from "../drawing/map-tiles.js";
import {
  type Box,
  cellSide,
  insideMap,
  isWhole,
  type MapSize,
  type Viewport,
  wholeMap,
} from "../drawing/map-viewport.js";
import { measureIn, paintMarks } from "../drawing/paint.js";
import type { Cell, Mark, Measure, Picture } from "../drawing/scene.js";
import type { Point } from "./map-pointer.js";

/** Time in each frame for colouring tiles. */
const tileMilliseconds = 6;
/** Maximum cells for which a saved file has a mark for each cell. */
const maxMarks = 128 * 128;
/** Maximum numbers in a saved file that is made without a canvas. */
const maxCells = 1024 * 1024;
const tallest = 640;

export class MapFrame {
  palette: Palette | undefined;
  faces = "";
  tiles: MapTiles | undefined;
  /** Width of the element in CSS pixels. */
  width = 0;
  rows: readonly string[] = [];
  columns: readonly string[] = [];
  /** Requested part of the map; undefined for all of it. */
  wanted: Viewport | undefined;
  active: Cell | undefined;
  /** Measures labels; by default in the fonts of the screen. */
  measure: Measure | undefined;
  /** False where there is no canvas: a saved file then has the numbers of a level as cells. */
  hasCanvas = true;
  /** Space left of the map and above it. */
  room = { left: 0, above: 0 };

  constructor(
    readonly pyramid: Pyramid,
    readonly scale: MapScale,
  ) {}

  get size(): MapSize {
    return this.pyramid.levels[0]!;
  }

  /** Sets colours and fonts; tiles are made again as they come into view. */
  applyLook(palette: Palette, faces: string): void {
    this.palette = palette;
    this.faces = faces;
    this.tiles = new MapTiles(this.pyramid, palette, this.scale);
  }

  /** Sets the width and the labels, and computes the layout. */
  layOut(width: number, rows: readonly string[], columns: readonly string[]): void {
    this.width = width;
    if (rows !== this.rows || columns !== this.columns || !this.room.left)
      this.room = axesRoom(rows, columns, this.#measured);
    this.rows = rows;
    this.columns = columns;
  }

  get #measured(): Measure {
    return this.measure ?? measureIn(this.faces);
  }

  /** The rectangle of the cells. */
  get box(): Box {
    const { rows, columns } = this.size;
    const width = Math.max(40, Math.min(tallest, this.width - this.room.left - 1));
    return { width, height: Math.min(width, Math.max(24, (width * rows) / columns)) };
  }

  /** The part in view. */
  get view(): Viewport {
    const { box, size } = this;
    return insideMap(this.wanted ?? wholeMap(size, box), size, box);
  }

  get isWhole(): boolean {
    return isWhole(this.view, this.size, this.box);
  }

  valueAt({ row, column }: Cell): number {
    const { rows, columns, values } = this.pyramid.levels[0]!;
    return row < rows && column < columns ? values[row * columns + column]! : Number.NaN;
  }

  get #picture(): MapPicture {
    const { pyramid, scale, rows, columns, view, box, active, room } = this;
    return { pyramid, scale, rows, columns, view, box, active, x: room.left, y: room.above };
  }

  /** Returns the middle of a cell, in the rectangle of the cells; undefined if out of view. */
  middleOf({ row, column }: Cell): Point | undefined {
    const { view, box } = this;
    const side = cellSide(view, box);
    const [x, y] = [(column + 0.5 - view.left) * side, (row + 0.5 - view.top) * side];
    return x >= 0 && y >= 0 && x <= box.width && y <= box.height ? { x, y } : undefined;
  }

  /** Returns the offset for the element of a cell; at the edge while the cell is out of view. */
  boxOf({ row, column }: Cell): { left: number; top: number; side: number } {
    const { view, box, room } = this;
    const side = Math.max(8, cellSide(view, box));
    const across = cellSide(view, box);
    const x = Math.min(Math.max((column - view.left) * across, 0), box.width - 8);
    const y = Math.min(Math.max((row - view.top) * across, 0), box.height - 8);
    return { left: room.left + x, top: room.above + y, side };
  }

  /** Size of the canvas in CSS pixels. */
  get #canvasSize(): Box {
    const { box, room } = this;
    return { width: room.left + box.width + 1, height: room.above + box.height + 2 };
  }

  /** Sizes the canvas before anything is painted, so that nothing below it moves later. */
  sizeCanvas({ style }: HTMLCanvasElement): void {
    const { width, height } = this.#canvasSize;
    style.width = `${width}px`;
    style.height = `${height}px`;
  }

  /** Paints everything in one call, without a limit of time. */
  paintWhole(canvas: HTMLCanvasElement): void {
    while (!this.paint(canvas).isDone);
  }

  /**
   * Paints the part in view. Returns whether that is final, and the side of the block of cells that
   * each shown number summarises.
   */
  paint(canvas: HTMLCanvasElement): { isDone: boolean; side: number } {
    const context = canvas.getContext("2d")!;
    const { box, room, faces } = this;
    const scale = Math.min(3, devicePixelRatio || 1);
    const { width, height } = this.#canvasSize;
    const [wide, high] = [Math.round(width * scale), Math.round(height * scale)];
    if (canvas.width !== wide) canvas.width = wide;
    if (canvas.height !== high) canvas.height = high;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    const map = this.#picture;
    const palette = this.palette!;
    context.save();
    context.beginPath();
    context.rect(room.left, room.above, box.width, box.height);
    context.clip();
    paintMarks(context, underMarks(map, palette), faces);
    context.translate(room.left, room.above);
    const painted = this.tiles!.draw(context, map.view, box, scale, tileMilliseconds);
    context.translate(-room.left, -room.above);
    paintMarks(context, overMarks(map, palette), faces);
    context.restore();
    paintMarks(context, aroundMarks(map, palette, this.#measured), faces);
    return painted;
  }

  /** The part in view as a picture, for files. */
  get picture(): Picture {
    const map = this.#picture;
    const { box, room, faces } = this;
    const palette = this.palette!;
    const isFew = countInView(map) <= (this.hasCanvas ? maxMarks : maxCells);
    const cells = isFew
      ? cellsAsMarks(map, palette)
      : this.hasCanvas
        ? this.#pixels(map)
        : cellsAsMarks(map, palette, this.#levelOf(map));
    const around = aroundMarks(map, palette, this.#measured);
    const marks = [...underMarks(map, palette), ...cells, ...overMarks(map, palette), ...around];
    const size = { width: room.left + box.width + 2, height: room.above + box.height + 4 };
    return { ...size, marks, grids: [], faces };
  }

  /** Returns the index of the first level that has few enough numbers for a file. */
  #levelOf(map: MapPicture): number {
    const { levels } = map.pyramid;
    return levels.findIndex(({ side }) => countInView(map) / side ** 2 <= maxCells);
  }

  #pixels({ view, box, x, y }: MapPicture): Mark[] {
    const image = document.createElement("canvas");
    const scale = 3;
    image.width = Math.round(box.width * scale);
    image.height = Math.round(box.height * scale);
    const context = image.getContext("2d")!;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    this.tiles!.draw(context, view, box, scale, Number.POSITIVE_INFINITY);
    return [{ kind: "image", x, y, width: box.width, height: box.height, image }];
  }
}

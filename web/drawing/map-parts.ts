/**
 * A map whose numbers arrive in parts: first all of it, reduced to a few hundred rows and columns,
 * then the squares of the finer levels that come into view.
 */
import {
  type ArrivingMap,
  halvedLevels,
  type Level,
  type Pyramid,
  type Reduce,
} from "./map-pyramid.js";

/** The whole map, with a number for each block of side × side cells. */
export interface Overview extends Omit<Pyramid, "levels" | "reduce"> {
  /** A power of two. */
  side: number;
  /** Row-major; NaN in blocks that are wholly masked. */
  values: Float32Array;
  /** Number of unmasked cells in each block, for means. */
  counts?: Float32Array | undefined;
}

/** A rectangle of a level, in numbers of that level. */
export interface LevelPart {
  side: number;
  top: number;
  left: number;
  rows: number;
  columns: number;
}

/** Rows and columns of the squares that are requested. */
const square = 256;

/** A level that is finer than the overview: NaN until its squares arrive. */
class ArrivingLevel implements Level {
  readonly rows: number;
  readonly columns: number;
  #values: Float32Array | undefined;
  #squares = new Map<string, "requested" | "arrived">();

  constructor(
    readonly side: number,
    size: { rows: number; columns: number },
    readonly read: (part: LevelPart) => Promise<Float32Array>,
    readonly changed: () => void,
  ) {
    this.rows = Math.ceil(size.rows / side);
    this.columns = Math.ceil(size.columns / side);
  }

  get values(): Float32Array {
    this.#values ??= new Float32Array(this.rows * this.columns).fill(Number.NaN);
    return this.#values;
  }

  /** Returns whether a number of a rectangle is missing, and requests what is. */
  lacks(part: Omit<LevelPart, "side">): boolean {
    let isMissing = false;
    for (let down = Math.floor(part.top / square); down * square < part.top + part.rows; down++)
      for (
        let across = Math.floor(part.left / square);
        across * square < part.left + part.columns;
        across++
      ) {
        const state = this.#squares.get(`${down} ${across}`);
        isMissing ||= state !== "arrived";
        if (!state) void this.#request(down, across).catch(() => {});
      }
    return isMissing;
  }

  async #request(down: number, across: number): Promise<void> {
    const name = `${down} ${across}`;
    if (this.#squares.get(name) === "arrived") return;
    // A square that fails is not requested again, unless the whole level is.
    this.#squares.set(name, "requested");
    const [top, left] = [down * square, across * square];
    const rows = Math.min(square, this.rows - top);
    const columns = Math.min(square, this.columns - left);
    const { side, values } = this;
    const numbers = await this.read({ side, top, left, rows, columns });
    for (let row = 0; row < rows; row++)
      values.set(
        numbers.subarray(row * columns, (row + 1) * columns),
        (top + row) * this.columns + left,
      );
    this.#squares.set(name, "arrived");
    this.changed();
  }

  /** Requests all that is missing. */
  async whole(): Promise<void> {
    for (let down = 0; down * square < this.rows; down++)
      for (let across = 0; across * square < this.columns; across++)
        await this.#request(down, across);
  }
}

/** The numbers of one map on demand; `read` returns those of a part. */
export class MapParts implements ArrivingMap {
  readonly #listeners = new Set<() => void>();
  readonly #levels: ArrivingLevel[] = [];
  readonly #values: Float32Array;

  constructor(
    readonly rows: number,
    readonly columns: number,
    readonly reduce: Reduce,
    readonly overview: Overview,
    read: (part: LevelPart) => Promise<Float32Array>,
  ) {
    const changed = () => {
      for (const listener of [...this.#listeners]) listener();
    };
    for (let side = 1; side < overview.side; side *= 2)
      this.#levels.push(new ArrivingLevel(side, this, read, changed));
    this.#values = overview.values;
  }

  /** The cells: NaN in those that have not arrived. */
  get values(): Float32Array {
    return this.#levels[0]?.values ?? this.#values;
  }

  has(row: number, column: number): boolean {
    return !this.#levels[0]?.lacks({ top: row, left: column, rows: 1, columns: 1 });
  }

  listen(changed: () => void, signal: AbortSignal): void {
    this.#listeners.add(changed);
    signal.addEventListener("abort", () => this.#listeners.delete(changed));
  }

  async whole(): Promise<void> {
    await this.#levels[0]?.whole();
  }

  async pyramid(yieldAndCheck: () => Promise<void>): Promise<Pyramid> {
    const { overview, rows, columns, reduce } = this;
    const { side, values, counts, min, max, peak, hasGaps } = overview;
    const size = { rows: Math.ceil(rows / side), columns: Math.ceil(columns / side) };
    const first = { ...size, values, side, ...(counts && { counts }) };
    const levels = [...this.#levels, ...(await halvedLevels(first, reduce, yieldAndCheck))];
    return { reduce, levels, min, max, peak, hasGaps };
  }
}

/**
 * A map with smaller and smaller copies, so that a view of millions of cells reads no more numbers
 * than it has pixels. Built in short pieces, between which the page can respond.
 */

/** Value of several cells: that farthest from zero, or the mean. */
export type Reduce = "max" | "mean";

/** A map whose numbers arrive in parts. */
export interface ArrivingMap {
  pyramid(yieldAndCheck: () => Promise<void>): Promise<Pyramid>;
  /** Returns whether a cell has arrived, and requests it if it has not. */
  has(row: number, column: number): boolean;
  /** Requests all cells; resolves when they have arrived. */
  whole(): Promise<void>;
  /** Calls `changed` when numbers have arrived. */
  listen(changed: () => void, signal: AbortSignal): void;
}

export interface MapSource {
  rows: number;
  columns: number;
  /** Row-major; NaN in masked cells. */
  values: ArrayLike<number>;
  /** Subtracted from the values, element by element. */
  minus?: ArrayLike<number> | undefined;
  /** Leaves out the first column, as if it were masked. */
  hidesFirst?: boolean;
  /** Set for a map whose numbers arrive in parts: then nothing is subtracted or left out here. */
  parts?: ArrivingMap | undefined;
}

export interface Level {
  rows: number;
  columns: number;
  values: ArrayLike<number>;
  /** Rows and columns of the block of cells that one number summarises. */
  side: number;
  /** Returns whether a number of a rectangle has not arrived yet, and requests what is missing. */
  lacks?(part: { top: number; left: number; rows: number; columns: number }): boolean;
}

export interface Pyramid {
  reduce: Reduce;
  /** The map itself first; the last level has one number. */
  levels: Level[];
  min: number;
  max: number;
  /** Cell with the largest absolute value; undefined if all cells are masked. */
  peak: { row: number; column: number } | undefined;
  /** True if some cell is masked. */
  hasGaps: boolean;
}

/** Numbers between two calls of `yieldAndCheck`: a few milliseconds on a slow phone. */
const slice = 1 << 16;

/** Calls back for each row, and `yieldAndCheck` after each slice of numbers. */
async function forRows(
  rows: number,
  width: number,
  yieldAndCheck: () => Promise<void>,
  work: (row: number) => void,
): Promise<void> {
  let done = 0;
  for (let row = 0; row < rows; row++) {
    work(row);
    done += width;
    if (done >= slice) {
      done = 0;
      await yieldAndCheck();
    }
  }
}

/** Returns the numbers to show: those of the source, or a changed copy if the source needs one. */
async function shownValues(
  { rows, columns, values, minus, hidesFirst }: MapSource,
  yieldAndCheck: () => Promise<void>,
): Promise<ArrayLike<number>> {
  if (!minus && !hidesFirst) return values;
  const shown = new Float32Array(rows * columns);
  await forRows(rows, columns, yieldAndCheck, (row) => {
    const from = row * columns;
    for (let at = from; at < from + columns; at++)
      shown[at] = minus ? values[at]! - minus[at]! : values[at]!;
    if (hidesFirst) shown[from] = Number.NaN;
  });
  return shown;
}

/** Returns the number farther from zero; NaN only if both are NaN. */
const farther = (a: number, b: number): number =>
  !(Math.abs(b) <= Math.abs(a)) && !Number.isNaN(b) ? b : a;

interface Counted extends Level {
  /** Number of unmasked cells in each mean. */
  counts?: Float32Array;
}

/** Returns a copy half as large in both directions. */
async function halved(
  level: Counted,
  reduce: Reduce,
  yieldAndCheck: () => Promise<void>,
): Promise<Counted> {
  const rows = Math.ceil(level.rows / 2);
  const columns = Math.ceil(level.columns / 2);
  const values = new Float32Array(rows * columns);
  const counts = reduce === "mean" ? new Float32Array(rows * columns) : undefined;
  await forRows(rows, 4 * columns, yieldAndCheck, (row) => {
    const below = Math.min(2 * row + 2, level.rows);
    for (let column = 0; column < columns; column++) {
      const right = Math.min(2 * column + 2, level.columns);
      let [largest, sum, count] = [Number.NaN, 0, 0];
      for (let y = 2 * row; y < below; y++)
        for (let x = 2 * column; x < right; x++) {
          const at = y * level.columns + x;
          const value = level.values[at]!;
          if (Number.isNaN(value)) continue;
          if (!counts) largest = farther(largest, value);
          else {
            const weight = level.counts?.[at] ?? 1;
            sum += value * weight;
            count += weight;
          }
        }
      const to = row * columns + column;
      if (counts) counts[to] = count;
      values[to] = counts ? (count ? sum / count : Number.NaN) : largest;
    }
  });
  return { rows, columns, values, side: level.side * 2, ...(counts && { counts }) };
}

/** Returns the level and smaller and smaller copies; the last has one number. */
export async function halvedLevels(
  first: Counted,
  reduce: Reduce,
  yieldAndCheck: () => Promise<void>,
): Promise<Level[]> {
  const levels: Counted[] = [first];
  for (let last = first; last.rows > 1 || last.columns > 1; last = levels.at(-1)!)
    levels.push(await halved(last, reduce, yieldAndCheck));
  return levels;
}

/**
 * Builds a map's pyramid. `yieldAndCheck` yields to the event loop; it throws when the build is
 * cancelled.
 */
export async function buildPyramid(
  source: MapSource,
  reduce: Reduce,
  yieldAndCheck: () => Promise<void>,
): Promise<Pyramid> {
  if (source.parts) return source.parts.pyramid(yieldAndCheck);
  const { rows, columns } = source;
  const values = await shownValues(source, yieldAndCheck);
  let [min, max, largest, largestAt, hasGaps] = [Infinity, -Infinity, -1, -1, false];
  await forRows(rows, columns, yieldAndCheck, (row) => {
    for (let at = row * columns; at < (row + 1) * columns; at++) {
      const value = values[at]!;
      if (Number.isNaN(value)) {
        hasGaps = true;
        continue;
      }
      if (value < min) min = value;
      if (value > max) max = value;
      const size = Math.abs(value);
      if (size > largest) [largest, largestAt] = [size, at];
    }
  });
  const levels = await halvedLevels({ rows, columns, values, side: 1 }, reduce, yieldAndCheck);
  const peak =
    largestAt < 0
      ? undefined
      : { row: Math.floor(largestAt / columns), column: largestAt % columns };
  return { reduce, levels, min, max, peak, hasGaps };
}

/** Returns the most detailed level in which a number is at least one device pixel. */
export function levelFor({ levels }: Pick<Pyramid, "levels">, devicePixels: number): number {
  const wanted = levels.findIndex(({ side }) => side * devicePixels >= 1 - 1e-6);
  return wanted < 0 ? levels.length - 1 : wanted;
}

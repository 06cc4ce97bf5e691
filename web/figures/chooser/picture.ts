/** A row for each scheme that fits: its loss at the length of the training and far beyond. */
import type { Draw } from "../../controls/scene-view.js";
import { rule, ticks } from "../../drawing/axes.js";
import type { Grid, Mark } from "../../drawing/scene.js";
import { caption, linesOf } from "../shared/captions.js";
import { ringPath } from "../shared/length-chart.js";
import type { ChooserWords } from "./words.js";

export interface RangeRow {
  name: string;
  first: number;
  /** Nothing where the scheme has ended. */
  far: number | undefined;
}

const pitch = 24;

export const drawRanges =
  (rows: readonly RangeRow[], words: ChooserWords): Draw =>
  (width, palette, measure) => {
    const lines = linesOf(words.chart, width, measure);
    const top = lines.length * 16 + 18;
    const height = Math.max(1, rows.length) * pitch;
    const left = Math.ceil(Math.max(0, ...rows.map(({ name }) => measure(name, 13)))) + 12;
    const values = rows.flatMap(({ first, far }) => [first, far ?? first]);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const step = ticks(Math.max(high - low, 0.01), width > 600 ? 6 : 3)[1]!;
    const least = Math.floor(low / step) * step;
    const most = Math.ceil(high / step + 1e-9) * step;
    const chartWidth = width - left - 14;
    const at = (value: number) => left + ((value - least) / (most - least)) * chartWidth;
    const count = Math.round((most - least) / step);
    const stops = Array.from({ length: count + 1 }, (_, index) => least + index * step);
    const dot = (x: number, y: number, fill: string): Mark => ({
      kind: "path",
      d: ringPath(x, y, 4),
      stroke: palette.query,
      width: 1.5,
      fill,
    });
    const rowMarks = rows.flatMap(({ name, first, far }, row): Mark[] => {
      const y = top + (row + 0.5) * pitch;
      const text = { ...caption(palette, left - 10, y + 4, name, "right"), size: 13 };
      return [
        { ...text, fill: palette.ink },
        ...(far === undefined ? [] : [rule(at(first), y, at(far), y, palette.query, 2)]),
        ...(far === undefined ? [] : [dot(at(far), y, palette.query)]),
        dot(at(first), y, palette.paper),
      ];
    });
    const grid: Grid = {
      id: "ranges",
      label: words.gridLabel,
      ...{ x: 0, y: top, cellWidth: width, cellHeight: pitch, rows: rows.length, columns: 1 },
      describe: (row) => {
        const { name, first, far } = rows[row]!;
        return words.range(name, first.toFixed(2), far?.toFixed(2) ?? words.unknown);
      },
    };
    const marks: Mark[] = [
      ...lines.map((line, index) => caption(palette, 0, 12 + 16 * index, line)),
      ...stops.map((stop) => rule(at(stop), top, at(stop), top + height, palette.hair)),
      ...stops.map((stop) =>
        caption(
          palette,
          at(stop),
          top + height + 16,
          String(Number(stop.toPrecision(6))),
          "center",
        ),
      ),
      ...rowMarks,
    ];
    return { width, height: top + height + 26, marks, grids: [grid] };
  };

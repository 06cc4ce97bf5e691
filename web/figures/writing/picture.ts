/** The rows of the words that were written, below each other: a map that grows. */
import type { Draw } from "../../controls/scene-view.js";
import { type HeatMap, heatMapMarks } from "../../drawing/heat-map.js";
import { columnLabelHeight, fittingCell, labelSize, rowLabelWidth } from "../../drawing/labels.js";
import type { Text } from "../../text/index.js";
import { mapGrid } from "../shared/maps/map-grid.js";
import type { WrittenRow } from "./messages.js";
import type { WritingWords } from "./words.js";

export interface WritingPicture {
  /** Labels of all tokens. */
  labels: readonly string[];
  promptTokens: number;
  rows: readonly WrittenRow[];
}

const widestCell = 34;
const narrowestCell = 3;

/** Numbers of a map [rows, columns]; 0 after each row's own word. */
function valuesOf({ labels, rows }: WritingPicture): Float32Array {
  const values = new Float32Array(rows.length * labels.length);
  rows.forEach(({ weights }, row) => {
    values.set(weights, row * labels.length);
  });
  return values;
}

export const drawWriting =
  (shown: WritingPicture, words: WritingWords, text: Text): Draw =>
  (width, palette, measure) => {
    const { labels, promptTokens, rows } = shown;
    const queries = labels.slice(promptTokens);
    const needed = (cell: number) =>
      rowLabelWidth(queries, cell, measure) + labels.length * cell + labelSize(cell);
    const cell = fittingCell(widestCell, narrowestCell, width, needed);
    const map: HeatMap = {
      x: rowLabelWidth(queries, cell, measure),
      y: columnLabelHeight(labels, cell, measure),
      cell,
      rows: queries,
      columns: labels,
      values: valuesOf(shown),
      limit: 1,
    };
    // Words after a row's own do not exist when it is written.
    const marks = heatMapMarks(map, palette, measure);
    const hidden = rows.map((_, row) => {
      const first = promptTokens + row + 1;
      return {
        kind: "rect" as const,
        x: map.x + first * cell,
        y: map.y + row * cell,
        width: Math.max(0, labels.length - first) * cell,
        height: cell,
        fill: palette.paper,
      };
    });
    return {
      width,
      height: map.y + rows.length * cell + 4,
      marks: [...marks, ...hidden.filter((one) => one.width > 0)],
      grids: rows.length ? [mapGrid("rows", words.map, map, text)] : [],
    };
  };

/** The same head under several schemes, side by side: equal scale, equal order, one marked cell in all. */
import type { Draw } from "../../controls/scene-view.js";
import { heatMapMarks } from "../../drawing/heat-map.js";
import { columnLabelHeight, rowLabelWidth } from "../../drawing/labels.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import type { Text } from "../../text/index.js";
import { linesOf } from "./block.js";
import type { Column } from "./session-figure.js";

export interface Maps {
  labels: string[];
  maps: ArrayLike<number>[];
  active: { row: number; column: number } | undefined;
}

const titleHeight = 26;
const titleSize = 14;
const titleLine = 18;
/** Room for the layers' numbers beside the thumbnails. */
const narrowestLabels = 20;

/** As many rows as the maps have while there is no text yet. */
export const blankLabels: readonly string[] = Array.from({ length: 14 }, () => "");

/** Where as many maps stand; thumbnails of the same schemes stand below them, as wide. */
export function layOutMaps(
  labels: readonly string[],
  count: number,
  width: number,
  measure: Measure,
) {
  const n = labels.length;
  const isWide = width >= 680;
  const across = isWide ? count : 1;
  const gap = 26;
  // Side by side, the rows are the same in every map: their labels stand once, at the left.
  const needed = (cell: number) =>
    rowLabelWidth(labels, cell, measure) + across * n * cell + (across - 1) * gap;
  const tallest = isWide ? 340 : 360;
  let cell = Math.min(40, Math.max(1, Math.floor(tallest / n)));
  while (cell > 3 && needed(cell) > width) cell -= 1;
  const left = Math.max(narrowestLabels, Math.ceil(rowLabelWidth(labels, cell, measure)));
  const above = titleHeight + columnLabelHeight(labels, cell, measure);
  const stepX = Math.max(n * cell + gap, Math.min(350, (width - left + gap) / across));
  return { n, isWide, cell, left, above, stepX, stepY: above + n * cell + 14 };
}

/** Draws the maps, or their empty outlines while there is nothing yet. */
export function drawMaps(shown: Maps | undefined, models: readonly Column[], words: Text): Draw {
  return (width, palette, measure) => {
    const labels = shown?.labels ?? blankLabels;
    const plain = layOutMaps(labels, models.length, width, measure);
    const { n, cell, isWide } = plain;
    // Long names take several lines; bold is wider than measured.
    const titles = models.map(({ name }) =>
      linesOf(name, (isWide ? plain.stepX - 16 : width) / 1.1, measure, titleSize),
    );
    const more = (Math.max(...titles.map(({ length }) => length)) - 1) * titleLine;
    const layout = { ...plain, above: plain.above + more, stepY: plain.stepY + more };
    const marks: Mark[] = [];
    const grids: Grid[] = [];
    models.forEach(({ id, name }, index) => {
      const x = layout.left + (isWide ? index * layout.stepX : 0);
      const y = layout.above + (isWide ? 0 : index * layout.stepY);
      const values = shown?.maps[index] ?? new Float32Array(n * n);
      titles[index]!.forEach((text, row) => {
        const top = y - layout.above + 14 + more - (titles[index]!.length - 1 - row) * titleLine;
        marks.push({
          kind: "text",
          x,
          y: top,
          text,
          fill: palette.ink,
          size: titleSize,
          weight: 600,
        });
      });
      marks.push(
        ...heatMapMarks(
          {
            x,
            y,
            cell,
            rows: labels,
            columns: labels,
            values,
            limit: 1,
            isCausal: true,
            active: shown?.active,
            labels: { rows: !isWide || index === 0 },
          },
          palette,
          measure,
        ),
      );
      if (!shown) return;
      grids.push({
        id,
        label: words.heads.mapLabel(name),
        x,
        y,
        cellWidth: cell,
        cellHeight: cell,
        rows: n,
        columns: n,
        describe: (row, column) =>
          column > row
            ? words.cellMasked(row + 1, labels[row]!, labels[column]!)
            : words.cell(row + 1, labels[row]!, labels[column]!, values[row * n + column]!),
      });
    });
    const height = isWide ? layout.above + n * cell + 6 : models.length * layout.stepY;
    return { width, height, marks, grids };
  };
}

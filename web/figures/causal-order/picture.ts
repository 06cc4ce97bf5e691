/** The picture of "does the mask give order": three models, each with two small maps and one number. */
import type { Draw } from "../../controls/scene-view.js";
import { orderCases } from "../../defaults.js";
import { rule } from "../../drawing/axes.js";
import type { Palette } from "../../drawing/colour.js";
import { heatMapMarks } from "../../drawing/heat-map.js";
import { columnLabelHeight, rowLabelWidth } from "../../drawing/labels.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import type { OrderCase } from "../../engine/both/messages.js";
import type { Text } from "../../text/index.js";
import { measured } from "../../text/numbers.js";

export interface OrderPicture {
  tokens: string[];
  swapped: string[];
  cases: readonly OrderCase[];
  limit: number;
}

interface Layout {
  cell: number;
  labels: number;
  above: number;
  /** Distance between the two maps of a case. */
  step: number;
  panelWidth: number;
  panelHeight: number;
  isWide: boolean;
}

const head = 46;
const foot = 62;
const between = 28;

function layOut(tokens: readonly string[], width: number, measure: Measure): Layout {
  const n = tokens.length;
  const isWide = width >= 760;
  const panelWidth = isWide ? (width - 2 * between) / 3 : width;
  const gap = 18;
  let cell = isWide ? 42 : 46;
  const needed = (candidate: number) =>
    2 * (rowLabelWidth(tokens, candidate, measure) + n * candidate) + gap;
  while (cell > 7 && needed(cell) > panelWidth) cell -= 1;
  const labels = rowLabelWidth(tokens, cell, measure);
  const above = columnLabelHeight(tokens, cell, measure);
  const panelHeight = head + above + n * cell + foot;
  return { cell, labels, above, step: labels + n * cell + gap, panelWidth, panelHeight, isWide };
}

const text = (
  x: number,
  y: number,
  content: string,
  fill: string,
  size: number,
  weight = 400,
): Mark => ({
  kind: "text",
  x,
  y,
  text: content,
  fill,
  size,
  weight,
});

/** The measured number under a case: words in soft ink, the number large. */
function result(
  found: OrderCase | undefined,
  x: number,
  y: number,
  words: Text,
  palette: Palette,
): Mark[] {
  const number = found ? measured(found.lastDifference) : "…";
  const leaks = found !== undefined && found.lastDifference > 1e-3;
  return [
    text(x, y, words.order.moved, palette.soft, 13),
    text(x, y + 26, number, leaks ? palette.position : palette.ink, 21, 600),
  ];
}

/** Draws the three cases in a row, or one under the other on a narrow screen. */
export function drawOrder(shown: OrderPicture | undefined, words: Text, _theme: string): Draw {
  return (width, palette, measure) => {
    const tokens = shown?.tokens ?? ["", "", ""];
    const layout = layOut(tokens, width, measure);
    const n = tokens.length;
    const marks: Mark[] = [];
    const grids: Grid[] = [];
    orderCases.forEach((shape, index) => {
      const left = layout.isWide ? index * (layout.panelWidth + between) : 0;
      const top = layout.isWide ? 0 : index * (layout.panelHeight + 14);
      const found = shown?.cases[index];
      const name = (shape.isCausal ? words.order.cases.causal : words.order.cases.open)(
        shape.numLayers,
      );
      if (!layout.isWide && index) marks.push(rule(0, top - 10, width, top - 10, palette.hair));
      marks.push(text(left, top + 14, name, palette.ink, 14, 600));
      const y = top + head + layout.above;
      [words.order.before, words.order.after].forEach((which, side) => {
        const x = left + layout.labels + side * layout.step;
        const list = (side ? shown?.swapped : shown?.tokens) ?? tokens;
        const values = (side ? found?.mapB : found?.mapA) ?? new Float32Array(n * n);
        const { isCausal } = shape;
        const place = { x, y, cell: layout.cell, rows: list, columns: list };
        marks.push(text(x, top + 38, which, palette.soft, 12));
        marks.push(
          ...heatMapMarks(
            { ...place, values, limit: shown?.limit ?? 1, isCausal, framedRow: n - 1 },
            palette,
            measure,
          ),
        );
        if (!shown) return;
        grids.push({
          id: `${index}${side}`,
          label: words.order.mapLabel(name, which),
          x,
          y,
          cellWidth: layout.cell,
          cellHeight: layout.cell,
          rows: n,
          columns: n,
          describe: (row, column) =>
            isCausal && column > row
              ? words.cellMasked(row + 1, list[row]!, list[column]!)
              : words.cell(row + 1, list[row]!, list[column]!, values[row * n + column]!),
        });
      });
      marks.push(...result(found, left, y + n * layout.cell + 24, words, palette));
    });
    const height = layout.isWide ? layout.panelHeight : 3 * layout.panelHeight + 28;
    return { width, height, marks, grids };
  };
}

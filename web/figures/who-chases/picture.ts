/** The picture of "who chases whom": map A, map B, and B put back in A's order minus A. */
import type { Draw } from "../../controls/scene-view.js";
import type { Palette } from "../../drawing/colour.js";
import { heatMapMarks } from "../../drawing/heat-map.js";
import { joinMarks } from "../../drawing/joins.js";
import { columnLabelHeight, labelSize, rowLabelWidth } from "../../drawing/labels.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import type { Text } from "../../text/index.js";

export interface PairPicture {
  tokensA: string[];
  tokensB: string[];
  order: number[];
  mapA: ArrayLike<number>;
  mapB: ArrayLike<number>;
  difference: ArrayLike<number>;
  limits: { weight: number; difference: number };
}

interface Layout {
  cell: number;
  labels: number;
  above: number;
  gap: number;
  /** Left edges of the cells of A, B and the difference, and their top edges. */
  left: [number, number, number];
  top: [number, number, number];
  height: number;
}

const titleHeight = 24;
const widestCell = 62;
const widestGap = 176;

function layOut(tokens: readonly string[], width: number, measure: Measure): Layout {
  const n = tokens.length;
  const isWide = width >= 680;
  const across = isWide ? 3 : 2;
  const narrowest = isWide ? 58 : Math.max(22, width * 0.08);
  // Labels shrink with cells, so the cell that fits is found by trying.
  let cell = widestCell;
  const needed = (candidate: number) =>
    across * (rowLabelWidth(tokens, candidate, measure) + n * candidate) + (across - 1) * narrowest;
  while (cell > 8 && needed(cell) > width) cell -= 1;
  const labels = rowLabelWidth(tokens, cell, measure);
  const above = titleHeight + columnLabelHeight(tokens, cell, measure);
  // What room is left goes to the joins.
  const gap = Math.min(widestGap, (width - across * (labels + n * cell)) / (across - 1));
  const step = labels + n * cell + gap;
  const below = above + n * cell + 26;
  return {
    cell,
    labels,
    above,
    gap,
    left: [labels, labels + step, isWide ? labels + 2 * step : labels],
    top: [above, above, isWide ? above : below + above],
    height: (isWide ? above : below + above) + n * cell + 4,
  };
}

const title = (text: string, layout: Layout, index: 0 | 1 | 2, palette: Palette): Mark => ({
  kind: "text",
  x: layout.left[index] - layout.labels,
  y: layout.top[index] - layout.above + 14,
  text,
  fill: palette.ink,
  size: 14,
  weight: 600,
});

/** Draws the three maps, or their empty outlines while there is nothing yet. */
export function drawPair(shown: PairPicture | undefined, words: Text, _theme: string): Draw {
  return (width, palette, measure) => {
    const tokensA = shown?.tokensA ?? ["", "", ""];
    const tokensB = shown?.tokensB ?? tokensA;
    const layout = layOut(tokensA, width, measure);
    const n = tokensA.length;
    const empty = new Float32Array(n * n);
    const { cell, left, top } = layout;
    const maps = [
      {
        id: "a",
        tokens: tokensA,
        values: shown?.mapA ?? empty,
        title: `${words.chase.mapA}  ${tokensA.join(" ")}`,
      },
      {
        id: "b",
        tokens: tokensB,
        values: shown?.mapB ?? empty,
        title: `${words.chase.mapB}  ${tokensB.join(" ")}`,
      },
      { id: "c", tokens: tokensA, values: shown?.difference ?? empty, title: words.chase.mapC },
    ] as const;
    const marks: Mark[] = [];
    const grids: Grid[] = [];
    maps.forEach((map, index) => {
      const at = index as 0 | 1 | 2;
      const signed = map.id === "c";
      const limit = signed ? (shown?.limits.difference ?? 1) : (shown?.limits.weight ?? 1);
      const place = { x: left[at], y: top[at], cell, rows: map.tokens, columns: map.tokens };
      marks.push(title(map.title, layout, at, palette));
      marks.push(
        ...heatMapMarks({ ...place, values: map.values, limit, signed }, palette, measure),
      );
      const text = map.tokens.join(" ");
      const label = signed
        ? words.chase.mapCLabel
        : map.id === "a"
          ? words.chase.mapALabel(text)
          : words.chase.mapBLabel(text);
      const describe = (row: number, column: number) => {
        const say = signed ? words.cellDifference : words.cell;
        return say(row + 1, map.tokens[row]!, map.tokens[column]!, map.values[row * n + column]!);
      };
      const size = { cellWidth: cell, cellHeight: cell, rows: n, columns: n };
      if (shown) grids.push({ id: map.id, label, x: left[at], y: top[at], ...size, describe });
    });
    if (shown) marks.push(...joins(shown, layout, measure, palette));
    return { width, height: layout.height, marks, grids };
  };
}

/** Curves from A's rows to B's, and, where the third map stands beside them, from B's rows back to A's order. */
function joins(shown: PairPicture, layout: Layout, measure: Measure, palette: Palette): Mark[] {
  const n = shown.tokensA.length;
  const { cell, left, top } = layout;
  const size = labelSize(cell);
  const edge = (tokens: readonly string[], at: number) => (index: number) =>
    at - 13 - measure(tokens[index]!, size);
  const marks = joinMarks(
    {
      from: left[0] + n * cell + 4,
      to: edge(shown.tokensB, left[1]),
      y: top[0],
      cell,
      order: shown.order,
    },
    palette,
  );
  if (top[2] !== top[0]) return marks;
  const back = shown.order.map((_, place) => shown.order.indexOf(place));
  const returning = {
    from: left[1] + n * cell + 4,
    to: edge(shown.tokensA, left[2]),
    y: top[1],
    cell,
    order: back,
  };
  return [...marks, ...joinMarks(returning, palette)];
}

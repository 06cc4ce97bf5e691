/** The picture of "who chases whom": map A, map B, and B put back in A's order minus A. */
import type { Draw } from "../../controls/scene-view.js";
import type { Palette } from "../../drawing/colour.js";
import { type HeatMap, heatMapMarks } from "../../drawing/heat-map.js";
import { joinMarks } from "../../drawing/joins.js";
import { columnLabelHeight, fittingCell, labelSize, rowLabelWidth } from "../../drawing/labels.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import type { Text } from "../../text/index.js";
import { mapGrid } from "../shared/maps/map-grid.js";
import { heading } from "../shared/pictures/captions.js";
import type { ChaseWords } from "./words.js";

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
  const needed = (candidate: number) =>
    across * (rowLabelWidth(tokens, candidate, measure) + n * candidate) + (across - 1) * narrowest;
  const cell = fittingCell(widestCell, 8, width, needed);
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

/** A, B and the difference: what each shows and says. */
function mapsOf(shown: PairPicture | undefined, words: ChaseWords) {
  const tokensA = shown?.tokensA ?? ["", "", ""];
  const tokensB = shown?.tokensB ?? tokensA;
  const [a, b] = [tokensA.join(" "), tokensB.join(" ")];
  const empty = new Float32Array(tokensA.length ** 2);
  const limit = shown?.limits.weight ?? 1;
  const mapOf = (tokens: readonly string[], values: ArrayLike<number> = empty) => ({
    rows: tokens,
    columns: tokens,
    values,
  });
  const difference = { limit: shown?.limits.difference ?? 1, signed: true };
  return [
    {
      id: "a",
      title: `${words.mapA}  ${a}`,
      label: words.mapALabel(a),
      map: { ...mapOf(tokensA, shown?.mapA), limit },
    },
    {
      id: "b",
      title: `${words.mapB}  ${b}`,
      label: words.mapBLabel(b),
      map: { ...mapOf(tokensB, shown?.mapB), limit },
    },
    {
      id: "c",
      title: words.mapC,
      label: words.mapCLabel,
      map: { ...mapOf(tokensA, shown?.difference), ...difference },
    },
  ];
}

/** Draws the three maps, or their empty outlines while there is nothing yet. */
export function drawPair(shown: PairPicture | undefined, words: ChaseWords, text: Text): Draw {
  return (width, palette, measure) => {
    const maps = mapsOf(shown, words);
    const layout = layOut(maps[0]!.map.rows, width, measure);
    const { cell, labels, above, left, top, height } = layout;
    const marks: Mark[] = [];
    const grids: Grid[] = [];
    maps.forEach(({ id, title, label, map: what }, index) => {
      const map: HeatMap = { x: left[index]!, y: top[index]!, cell, ...what };
      marks.push(heading(palette, map.x - labels, map.y - above + 14, title));
      marks.push(...heatMapMarks(map, palette, measure));
      if (shown) grids.push(mapGrid(id, label, map, text));
    });
    if (shown) marks.push(...joins(shown, layout, measure, palette));
    return { width, height, marks, grids };
  };
}

/**
 * Curves from A's rows to B's, and, where the third map stands beside them, from B's rows back to
 * A's order.
 */
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

/** The picture of "who chases whom": map A, map B, and the difference: B in A's order, minus A. */
import type { Draw } from "../../controls/scene-view.js";
import type { Palette } from "../../drawing/colour.js";
import { type HeatMap, heatMapMarks } from "../../drawing/heat-map.js";
import { joinMarks } from "../../drawing/joins.js";
import {
  columnLabelHeight,
  fittingCell,
  labelSize,
  rowLabelWidth,
  shorten,
} from "../../drawing/labels.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import type { Text } from "../../text/index.js";
import { mapGrid } from "../shared/maps/map-grid.js";
import { heading, headingLines } from "../shared/pictures/captions.js";
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
  /** Lines of each map's title, and the height of the first line above the cells. */
  titles: string[][];
  above: [number, number, number];
  /** Left edges of the cells of A, B and the difference, and their top edges. */
  left: [number, number, number];
  top: [number, number, number];
  height: number;
}

const titleHeight = 24;
const titleLine = 18;
/** Maximum lines of a title; the rows of the map show the rest. */
const maxLines = 4;
const widestCell = 62;
const widestGap = 176;
/** Minimum size of cells for a sentence in characters; words never need it. */
const narrowestCell = 3;

/** Lays out the maps, whose top edges are aligned under the longest title. */
function layOut(
  tokens: readonly string[],
  names: readonly string[],
  width: number,
  measure: Measure,
): Layout {
  const n = tokens.length;
  const isWide = width >= 680;
  const across = isWide ? 3 : 2;
  const narrowest = isWide ? 58 : Math.max(22, width * 0.08);
  /** Returns how far the last label extends beyond a narrower cell. */
  const hanging = (candidate: number) => Math.max(0, labelSize(candidate) - candidate) / 2;
  const needed = (candidate: number) =>
    across * (rowLabelWidth(tokens, candidate, measure) + n * candidate + hanging(candidate)) +
    (across - 1) * narrowest;
  const cell = fittingCell(widestCell, narrowestCell, width, needed);
  const labels = rowLabelWidth(tokens, cell, measure);
  // The remaining space is for the joins.
  const gap = Math.min(
    widestGap,
    (width - across * (labels + n * cell + hanging(cell))) / (across - 1),
  );
  const step = labels + n * cell + gap;
  const titles = names.map((name, index) => {
    const isLast = index % across === across - 1;
    const room = index === across ? width : isLast ? width - index * step : step - 16;
    const lines = headingLines(name, room, measure);
    return lines.length > maxLines
      ? [...lines.slice(0, maxLines - 1), lines[maxLines - 1]!.replace(/…?$/, "…")]
      : lines;
  });
  const labelled = titleHeight + columnLabelHeight(tokens, cell, measure);
  const aboveOf = (beside: string[][]) =>
    labelled + (Math.max(...beside.map(({ length }) => length)) - 1) * titleLine;
  const first = aboveOf(titles.slice(0, across));
  const third = isWide ? first : aboveOf(titles.slice(across));
  const below = isWide ? first : first + n * cell + 26 + third;
  return {
    cell,
    labels,
    titles,
    above: [first, first, third],
    left: [labels, labels + step, isWide ? labels + 2 * step : labels],
    top: [first, first, below],
    height: below + n * cell + 4,
  };
}

/** Returns A, B and the difference, with their texts. */
function mapsOf(shown: PairPicture | undefined, words: ChaseWords) {
  const tokensA = shown?.tokensA ?? ["", "", ""];
  const tokensB = shown?.tokensB ?? tokensA;
  const [a, b] = [tokensA.join(" "), tokensB.join(" ")];
  const shortened = (tokens: readonly string[]) => tokens.map(shorten).join(" ");
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
      title: `${words.mapA}  ${shortened(tokensA)}`,
      label: words.mapALabel(a),
      map: { ...mapOf(tokensA, shown?.mapA), limit },
    },
    {
      id: "b",
      title: `${words.mapB}  ${shortened(tokensB)}`,
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
    const names = maps.map(({ title }) => title);
    const layout = layOut(maps[0]!.map.rows, names, width, measure);
    const { cell, labels, titles, above, left, top, height } = layout;
    const marks: Mark[] = [];
    const grids: Grid[] = [];
    maps.forEach(({ id, label, map: what }, index) => {
      const map: HeatMap = { x: left[index]!, y: top[index]!, cell, ...what };
      const base = map.y - above[index]! + 14;
      const lines = titles[index]!;
      marks.push(
        ...lines.map((line, row) => heading(palette, map.x - labels, base + row * titleLine, line)),
      );
      marks.push(...heatMapMarks(map, palette, measure));
      if (shown) grids.push(mapGrid(id, label, map, text));
    });
    if (shown) marks.push(...joins(shown, layout, measure, palette));
    return { width, height, marks, grids };
  };
}

/**
 * Draws curves from A's rows to B's and, if the third map is beside them, from B's rows back to A's
 * order.
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
  const back = shown.order.map((_, position) => shown.order.indexOf(position));
  const returning = {
    from: left[1] + n * cell + 4,
    to: edge(shown.tokensA, left[2]),
    y: top[1],
    cell,
    order: back,
  };
  return [...marks, ...joinMarks(returning, palette)];
}

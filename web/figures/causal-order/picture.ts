/**
 * The picture of "does the mask give order": three models, each with two small maps and one number.
 */
import type { Draw } from "../../controls/scene-view.js";
import { orderCases } from "../../defaults.js";
import { rule } from "../../drawing/axes.js";
import type { Palette } from "../../drawing/colour.js";
import { type HeatMap, heatMapMarks } from "../../drawing/heat-map.js";
import { columnLabelHeight, fittingCell, rowLabelWidth } from "../../drawing/labels.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import type { OrderCase } from "../../engine/both/messages.js";
import type { Text } from "../../text/index.js";
import { measured } from "../../text/numbers.js";
import { mapGrid } from "../shared/maps/map-grid.js";
import { caption, heading, linesOf } from "../shared/pictures/captions.js";
import { columnHeight, type InkColumn, inkColumnMarks, inkGrid, inkOf } from "./ink.js";
import type { OrderWords } from "./words.js";

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
  /** Distance between the left edges of a case's two maps. */
  step: number;
  panelWidth: number;
  panelHeight: number;
  isWide: boolean;
}

const head = 64;
const foot = 66;
const between = 28;
/** The sentence over its ink. */
const sentenceHeight = 28;
const blank: readonly string[] = ["", "", ""];

function layOut(tokens: readonly string[], width: number, measure: Measure): Layout {
  const n = tokens.length;
  const isWide = width >= 760;
  const panelWidth = isWide ? (width - 2 * between) / 3 : width;
  const gap = 18;
  const needed = (candidate: number) =>
    2 * (rowLabelWidth(tokens, candidate, measure) + n * candidate) + gap;
  const cell = fittingCell(isWide ? 42 : 46, 7, panelWidth, needed);
  const labels = rowLabelWidth(tokens, cell, measure);
  const above = columnLabelHeight(tokens, cell, measure);
  const panelHeight = head + above + n * cell + foot;
  const step = labels + n * cell + gap;
  return { cell, labels, above, step, panelWidth, panelHeight, isWide };
}

/** Draws the measured number under a case: words in soft ink, the number large. */
function resultMarks(
  found: OrderCase | undefined,
  x: number,
  y: number,
  words: OrderWords,
  palette: Palette,
): Mark[] {
  const number = found ? measured(found.lastDifference) : "…";
  const leaks = found !== undefined && found.lastDifference > 1e-3;
  const fill = leaks ? palette.position : palette.ink;
  return [
    { ...caption(palette, x, y, words.moved), size: 13 },
    { ...heading(palette, x, y + 26, number), fill, size: 21 },
  ];
}

/** Draws one model: its name, the map of each order, the number. */
function panel(
  index: number,
  shown: OrderPicture | undefined,
  { layout, left, top }: { layout: Layout; left: number; top: number },
  {
    words,
    text,
    palette,
    measure,
  }: { words: OrderWords; text: Text; palette: Palette; measure: Measure },
): { marks: Mark[]; grids: Grid[] } {
  const { isCausal, numLayers } = orderCases[index]!;
  const tokens = shown?.tokens ?? blank;
  const n = tokens.length;
  const found = shown?.cases[index];
  const name = (isCausal ? words.cases.causal : words.cases.open)(numLayers);
  const y = top + head + layout.above;
  const marks: Mark[] = [
    heading(palette, left, top + 14, name),
    caption(palette, left, top + 33, words.shownMap(numLayers)),
  ];
  const grids: Grid[] = [];
  [words.before, words.after].forEach((which, side) => {
    const list = (side ? shown?.swapped : shown?.tokens) ?? tokens;
    const map: HeatMap = {
      x: left + layout.labels + side * layout.step,
      y,
      cell: layout.cell,
      rows: list,
      columns: list,
      values: (side ? found?.mapB : found?.mapA) ?? new Float32Array(n * n),
      limit: shown?.limit ?? 1,
      isCausal,
      framedRow: n - 1,
    };
    marks.push(caption(palette, map.x, top + 56, which), ...heatMapMarks(map, palette, measure));
    if (shown) grids.push(mapGrid(`${index}${side}`, words.mapLabel(name, which), map, text));
  });
  marks.push(...resultMarks(found, left, y + n * layout.cell + 24, words, palette));
  return { marks, grids };
}

/** Ink of the first word, in both orders, through the model with a mask and two layers. */
function inkMarks(
  { tokens, swapped, cases }: OrderPicture,
  { top, width, isWide }: { top: number; width: number; isWide: boolean },
  words: OrderWords,
  palette: Palette,
  measure: Measure,
) {
  const last = cases.at(-1)!;
  const count = tokens.length;
  const inkColumns: InkColumn[] = [
    { tokens, maps: last.allA, ink: inkOf(last.allA, count, 0) },
    { tokens: swapped, maps: last.allB, ink: inkOf(last.allB, count, 1) },
  ];
  const marks: Mark[] = [];
  const grids: Grid[] = [];
  const lines = linesOf(words.inkTitle(tokens[0]!), width, measure, 14);
  lines.forEach((line, row) => {
    marks.push({ ...heading(palette, 0, top + 14 + 20 * row, line) });
  });
  const panelWidth = isWide ? (width - 60) / 2 : width;
  const height = columnHeight(last.numLayers + 1) + sentenceHeight;
  inkColumns.forEach((inkColumn, index) => {
    const x = isWide ? index * (panelWidth + 60) : 0;
    const y = top + 16 + 20 * lines.length + (isWide ? 0 : index * height);
    const box = { x, y: y + sentenceHeight, width: panelWidth };
    const sentence = words.inkOf(inkColumn.tokens.join(" "));
    marks.push({ ...caption(palette, x, y + 12, sentence), fill: palette.ink, size: 13 });
    marks.push(...inkColumnMarks(inkColumn, box, words, palette));
    grids.push(inkGrid(`ink${index}`, inkColumn, box, words));
  });
  return { marks, grids, bottom: top + 16 + 20 * lines.length + (isWide ? 1 : 2) * height };
}

/** Draws the three cases in a row, or one under the other on a narrow screen. */
export function drawOrder(shown: OrderPicture | undefined, words: OrderWords, text: Text): Draw {
  return (width, palette, measure) => {
    const layout = layOut(shown?.tokens ?? blank, width, measure);
    const { isWide, panelWidth, panelHeight } = layout;
    const view = { words, text, palette, measure };
    const panels = orderCases.map((_, index) => {
      const left = isWide ? index * (panelWidth + between) : 0;
      const top = isWide ? 0 : index * (panelHeight + 14);
      const { marks, grids } = panel(index, shown, { layout, left, top }, view);
      const line = !isWide && index ? [rule(0, top - 10, width, top - 10, palette.hair)] : [];
      return { marks: [...line, ...marks], grids };
    });
    const top = (isWide ? panelHeight : 3 * panelHeight + 28) + 10;
    const below = { top, width, isWide };
    const ink = shown ? inkMarks(shown, below, words, palette, measure) : undefined;
    return {
      width,
      height: ink?.bottom ?? top + (isWide ? 308 : 596),
      marks: [...panels.flatMap(({ marks }) => marks), ...(ink?.marks ?? [])],
      grids: [...panels.flatMap(({ grids }) => grids), ...(ink?.grids ?? [])],
    };
  };
}

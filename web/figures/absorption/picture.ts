/** Two matrices side by side, one of which depends on the distance; and the parts of a logit. */
import type { Draw } from "../../controls/scene-view.js";
import { absorbedHead } from "../../defaults.js";
import type { Frame } from "../../drawing/axes.js";
import type { Palette } from "../../drawing/colour.js";
import { curveMarks } from "../../drawing/curve.js";
import { cellMarks, type HeatMap } from "../../drawing/heat-map.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import { caption, linesOf } from "../shared/pictures/captions.js";
import type { AbsorbAnswer } from "./messages.js";
import type { AbsorbWords } from "./words.js";

const { rank } = absorbedHead;
const chartHeight = 200;
const indices = Array.from({ length: rank }, (_, index) => String(index + 1));

/** End of the scale of both maps, which is the same at every distance. */
export const limitOf = ({ plain }: AbsorbAnswer): number =>
  Math.ceil(1.5 * Math.max(...plain.map(Math.abs)) * 2) / 2;

interface Area {
  x: number;
  y: number;
  width: number;
}

/** Draws one matrix with its name above, as wide as its cells. */
function matrix(
  shown: AbsorbAnswer,
  which: "rotated" | "plain",
  { x, y, width }: Area,
  words: AbsorbWords,
  palette: Palette,
  measure: Measure,
): { marks: Mark[]; grid: Grid; bottom: number } {
  const cell = Math.min(32, Math.floor((width - 1) / rank));
  const lines = linesOf(words[which], width, measure);
  const map: HeatMap = {
    // The frame is drawn outside the cells.
    x: x + 1,
    y: y + 40,
    cell,
    rows: indices,
    columns: indices,
    values: shown[which],
    limit: limitOf(shown),
    signed: true,
  };
  const grid: Grid = {
    id: which,
    label: words[which],
    x: map.x,
    y: map.y,
    cellWidth: cell,
    cellHeight: cell,
    rows: rank,
    columns: rank,
    describe: (row, column) =>
      words.cell(words[which], row + 1, column + 1, shown[which][row * rank + column]!),
  };
  const marks = [
    ...lines.map((line, index) =>
      caption(palette, x, y + 30 - 16 * (lines.length - 1 - index), line),
    ),
    ...cellMarks(map, palette),
  ];
  return { marks, grid, bottom: map.y + rank * cell };
}

function partsChart(
  shown: AbsorbAnswer,
  { x, y, width }: Area,
  words: AbsorbWords,
  palette: Palette,
  measure: Measure,
): { marks: Mark[]; grid: Grid; bottom: number } {
  const { content, position, distance } = shown;
  const score = content.map((value, at) => value + position[at]!);
  const all = [...content, ...position, ...score];
  const frame: Frame = {
    left: x + 34,
    top: y + 80,
    width: width - 42,
    height: chartHeight,
    maxX: content.length - 1,
    maxY: Math.ceil(Math.max(...all)),
    minY: Math.min(0, Math.floor(Math.min(...all))),
    keyTop: y + 22,
  };
  const lines = [
    { name: words.score, values: score },
    { name: words.content, values: content, colour: palette.content },
    { name: words.position, values: position, colour: palette.position },
  ];
  const here = { x: distance, name: words.here(distance) };
  const grid: Grid = {
    id: "parts",
    label: words.parts,
    x: frame.left,
    y: frame.top,
    cellWidth: frame.width / content.length,
    cellHeight: chartHeight,
    rows: 1,
    columns: content.length,
    describe: (_, at) => words.point(at, content[at]!, position[at]!),
  };
  const marks = [
    caption(palette, x, y + 12, words.parts),
    ...curveMarks(lines, frame, palette, measure, { x: words.x, y: "" }, here),
  ];
  return { marks, grid, bottom: frame.top + chartHeight + 44 };
}

export function drawAbsorption(shown: AbsorbAnswer | undefined, words: AbsorbWords): Draw {
  return (width, palette, measure) => {
    const isWide = width >= 760;
    const gap = isWide ? 32 : 16;
    const mapWidth = isWide ? Math.min(256, width * 0.26) : (width - gap) / 2;
    if (!shown) return { width, height: isWide ? 324 : 580, marks: [], grids: [] };
    const first = { x: 0, y: 0, width: mapWidth };
    const maps = [
      matrix(shown, "rotated", first, words, palette, measure),
      matrix(shown, "plain", { ...first, x: mapWidth + gap }, words, palette, measure),
    ];
    const beside = 2 * (mapWidth + gap) + 16;
    const { bottom } = maps[0]!;
    const area = isWide
      ? { x: beside, y: 0, width: width - beside }
      : { x: 0, y: bottom + 28, width };
    const chart = partsChart(shown, area, words, palette, measure);
    const parts = [...maps, chart];
    return {
      width,
      height: Math.max(...parts.map((part) => part.bottom)),
      marks: parts.flatMap(({ marks }) => marks),
      grids: parts.map((part) => part.grid),
    };
  };
}

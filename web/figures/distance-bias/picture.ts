/**
 * The picture of "what if only distance counted?": the bias at each distance, and beside it the
 * bias on each logit.
 */
import type { Draw } from "../../controls/scene-view.js";
import { distanceView } from "../../defaults.js";
import { axisMarks, type Frame, roundUp } from "../../drawing/axes.js";
import { type Palette, signedColour, textOn } from "../../drawing/colour.js";
import { pathOf } from "../../drawing/curve.js";
import { type HeatMap, heatMapMarks } from "../../drawing/heat-map.js";
import { type KeyEntry, keyMarks } from "../../drawing/key.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import type { DistanceAnswer, DistanceLine } from "../../engine/both/distance-messages.js";
import { plain } from "../../text/numbers.js";
import type { SharedWords } from "../shared/figure/words.js";
import { heading, headingLines } from "../shared/pictures/captions.js";
import { limitOf, signedLegend } from "../shared/pictures/signed-legend.js";
import type { DistanceWords } from "./words.js";

interface Area {
  x: number;
  y: number;
  width: number;
}

interface Block {
  marks: Mark[];
  grids: Grid[];
  bottom: number;
}

interface Pens {
  words: DistanceWords;
  shared: SharedWords;
  palette: Palette;
  measure: Measure;
}

const chartHeight = 280;
const contentTerm = "content";

function titled(area: Area, text: string, { palette, measure }: Pens) {
  const lines = headingLines(text, area.width, measure);
  const marks = lines.map(
    (line, row): Mark => heading(palette, area.x, area.y + 14 + 18 * row, line),
  );
  return { marks, top: area.y + 18 * lines.length + 10 };
}

interface Style {
  stroke: string;
  width: number;
  dash: readonly number[];
  /** Name in the key; curves without one look like a named curve. */
  name: string;
}

const dashes: readonly (readonly number[])[] = [[], [7, 4], [1.5, 3.5]];

/** Returns the style of a curve: a head among others, the mean of a term, or the edge of a band. */
function styleOf(
  answer: DistanceAnswer,
  line: DistanceLine,
  { words, shared, palette }: Pens,
): Style {
  const { kind, name } = line;
  if (kind === "head") {
    const isChosen = name === answer.head;
    const said = isChosen ? words.chosen(answer.head + 1) : words.others;
    return isChosen
      ? { stroke: palette.position, width: 2.6, dash: [], name: said }
      : { stroke: palette.soft, width: 1, dash: [], name: said };
  }
  if (kind !== "mean")
    return {
      stroke: palette.soft,
      width: 1.2,
      dash: dashes[kind === "low" ? 2 : 1]!,
      name: words[kind],
    };
  const terms = answer.lines.filter((each) => each.kind === "mean" && each.name !== contentTerm);
  const index = terms.findIndex((each) => each.name === name);
  const isContent = index < 0;
  const said = shared.terms.names[name] ?? String(name);
  return {
    stroke: isContent ? palette.content : palette.position,
    width: 2.2,
    dash: isContent ? [10, 3, 2, 3] : dashes[index]!,
    name: terms.length === 1 ? words.mean : said,
  };
}

/** Draws all curves over one axis of distance. */
function curvesBlock(answer: DistanceAnswer, area: Area, pens: Pens): Block {
  const { words, shared, palette, measure } = pens;
  const { lines, head, numHeads, isOfContent } = answer;
  const said = isOfContent ? words.curvesOfText(head + 1) : words.curvesOfHeads(numHeads);
  const { marks, top } = titled(area, said, pens);
  const styles = lines.map((line) => styleOf(answer, line, pens));
  const named = styles.filter(
    (style, at) => styles.findIndex(({ name }) => name === style.name) === at,
  );
  const entries = named.map(
    ({ name, ...style }): KeyEntry => ({
      name,
      sample: (x, y) => ({ kind: "path", d: `M${x} ${y - 4}L${x + 26} ${y - 4}`, ...style }),
    }),
  );
  const key = keyMarks(entries, { left: area.x, top, width: area.width }, palette, measure);
  const all = lines.flatMap(({ values }) => [...values]);
  const [low, high] = [Math.min(0, ...all), Math.max(0, ...all)];
  const isFlat = high - low < 1e-9;
  const frame: Frame = {
    left: area.x + 42,
    top: key.baseline + 26,
    width: area.width - 52,
    height: chartHeight,
    maxX: distanceView.distances - 1,
    maxY: high > 0 || isFlat ? roundUp(high || 1) : 0,
    minY: low < 0 ? -roundUp(-low) : 0,
  };
  const columns = [0, 20, 40, 60, 80, 100].map((at) => ({ at, text: String(at) }));
  marks.push(...key.marks, ...axisMarks(frame, palette, { x: shared.distance, y: "", columns }));
  // The chosen head is drawn over the others.
  const order = lines.map((_, at) => at).sort((a, b) => styles[a]!.width - styles[b]!.width);
  for (const at of order) {
    const { name: _name, ...style } = styles[at]!;
    const d = pathOf({ name: "", values: lines[at]!.values }, frame);
    marks.push({ kind: "path", d, ...style });
  }
  const grid: Grid = {
    id: "distances",
    label: said,
    x: frame.left,
    y: frame.top,
    rows: 1,
    columns: distanceView.distances,
    cellWidth: frame.width / distanceView.distances,
    cellHeight: chartHeight,
    describe: (_, distance) =>
      words.point(
        distance,
        lines.map(({ kind, name, values }, at) =>
          kind === "head"
            ? words.headValue(Number(name) + 1, values[distance]!)
            : words.named(styles[at]!.name, values[distance]!),
        ),
      ),
  };
  return { marks, grids: [grid], bottom: frame.top + chartHeight + 44 };
}

/** Draws the head's bias on each logit of the map's queries and keys. */
function mapBlock(answer: DistanceAnswer, labels: readonly string[], area: Area, pens: Pens) {
  const { words, palette, measure } = pens;
  const { side, map, head, isOfContent } = answer;
  const said = isOfContent ? words.mapOfText(head + 1) : words.map(head + 1);
  const { marks, top } = titled(area, said, pens);
  const cell = Math.max(6, Math.min(13, Math.floor(area.width / side)));
  const visible = map.filter((_, at) => at % side <= Math.floor(at / side));
  const limit = limitOf(visible);
  const blank = Array.from({ length: side }, () => "");
  const drawn: HeatMap = {
    x: area.x + 1,
    y: top,
    cell,
    rows: blank,
    columns: blank,
    values: map,
    limit,
    signed: true,
    isCausal: true,
    labels: { rows: false, columns: false },
  };
  marks.push(...heatMapMarks(drawn, palette, measure));
  const under = { x: area.x, y: top + side * cell + 8, width: area.width };
  const legend = signedLegend("", limit, under, palette, measure);
  const nameOf = (index: number) => (labels.length ? labels[index]! : String(index));
  const grid: Grid = {
    id: "map",
    label: said,
    x: area.x + 1,
    y: top,
    rows: side,
    columns: side,
    cellWidth: cell,
    cellHeight: cell,
    describe: (row, column) =>
      column > row
        ? words.masked(nameOf(row), nameOf(column))
        : words.cell(nameOf(row), nameOf(column), map[row * side + column]!),
  };
  return { marks: [...marks, ...legend.marks], grids: [grid], bottom: legend.bottom + 6 };
}

/** Draws the matrix of Figure 3 in the ALiBi paper: the bias in units of the head's slope. */
function matrixBlock(answer: DistanceAnswer, area: Area, pens: Pens): Block {
  const { words, palette } = pens;
  const { side, map, head, lines } = answer;
  const slope = -lines[head]!.values[1]!;
  const { marks, top } = titled(area, words.matrix(head + 1, plain(slope)), pens);
  const size = distanceView.paperSide;
  const cell = Math.min(60, Math.floor((area.width - 34) / size));
  const [left, above] = [area.x + 30, top + 24];
  const small = { size: 13, align: "center" } as const;
  for (let row = 0; row < size; row++) {
    const middle = above + (row + 0.5) * cell + 5;
    const across = left + (row + 0.5) * cell;
    marks.push(
      {
        kind: "text",
        ...small,
        x: left - 16,
        y: middle,
        text: words.queryName(row + 1),
        fill: palette.query,
      },
      {
        kind: "text",
        ...small,
        x: across,
        y: above - 8,
        text: words.keyName(row + 1),
        fill: palette.key,
      },
    );
    for (let column = 0; column < size; column++) {
      const [x, y] = [left + column * cell, above + row * cell];
      const edge = { x, y, width: cell - 1, height: cell - 1 };
      if (column > row) {
        marks.push({ kind: "rect", ...edge, hatch: palette.hair });
        continue;
      }
      const multiple = map[row * side + column]! / slope;
      const fill = signedColour(palette, multiple, size);
      const text = plain(multiple || 0);
      const at = { x: x + cell / 2, y: middle };
      marks.push(
        { kind: "rect", ...edge, fill },
        { kind: "text", ...small, ...at, text, fill: textOn(palette, fill) },
      );
    }
  }
  const grid: Grid = {
    id: "map",
    label: words.matrix(head + 1, plain(slope)),
    x: left,
    y: above,
    cellWidth: cell,
    cellHeight: cell,
    rows: size,
    columns: size,
    describe: (row, column) => {
      const names = [words.queryName(row + 1), words.keyName(column + 1)] as const;
      return column > row
        ? words.masked(...names)
        : words.cell(...names, map[row * side + column]!);
    },
  };
  return { marks, grids: [grid], bottom: above + size * cell + 10 };
}

/** Height reserved while there are no numbers. */
const heights = { wide: 430, narrow: 800 };

/** Draws the curves beside the map, or above it on a narrow screen. */
export function drawDistance(
  answer: DistanceAnswer | undefined,
  labels: readonly string[],
  words: DistanceWords,
  shared: SharedWords,
): Draw {
  return (width, palette, measure) => {
    const isWide = width >= 760;
    const kept = isWide ? heights.wide : heights.narrow;
    if (!answer) return { width, height: kept, marks: [], grids: [] };
    const pens: Pens = { words, shared, palette, measure };
    const left = isWide ? width - 350 - 48 : width;
    const curves = curvesBlock(answer, { x: 0, y: 0, width: left }, pens);
    const beside = isWide
      ? { x: width - 350, y: 0, width: 350 }
      : { x: 0, y: curves.bottom + 10, width };
    const isPapers = answer.scheme === distanceView.first;
    const map = isPapers
      ? matrixBlock(answer, beside, pens)
      : mapBlock(answer, labels, beside, pens);
    return {
      width,
      // One height for all schemes, so that nothing below moves when another one is chosen.
      height: Math.max(kept, curves.bottom, map.bottom),
      marks: [...curves.marks, ...map.marks],
      grids: [...curves.grids, ...map.grids],
    };
  };
}

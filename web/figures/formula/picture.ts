/**
 * The picture of a formula: what it adds to a score by distance, the hands that it turns, the rows
 * that it adds; beside them the attention of one head.
 */
import type { Draw } from "../../controls/scene-view.js";
import { formulaView } from "../../defaults.js";
import { axisMarks, type Frame, heightOf, roundUp } from "../../drawing/axes.js";
import { signedColours } from "../../drawing/colour.js";
import { lineKey, lineStyles } from "../../drawing/curve.js";
import { dialHand, dialRim } from "../../drawing/dial.js";
import { cellMarks, type HeatMap } from "../../drawing/heat-map.js";
import { keyMarks } from "../../drawing/key.js";
import type { Grid } from "../../drawing/scene.js";
import type { SharedWords } from "../shared/figure/words.js";
import { caption } from "../shared/pictures/captions.js";
import { limitOf, signedLegend } from "../shared/pictures/signed-legend.js";
import { type Area, type Block, type Pens, titled } from "./blocks.js";
import { fromMiddle, gridBiasBlock, gridMapBlock, gridVectorsBlock } from "./grid-picture.js";
import type { FormulaAnswer } from "./messages.js";
import type { FormulaWords } from "./words.js";

const { dials, dialSide } = formulaView;

/** Returns what a head adds for the last query, by distance 0, 1, 2 … tokens back. */
export const byDistance = ({ added, tokens }: FormulaAnswer, head: number): Float32Array => {
  const end = (head + 1) * tokens * tokens;
  return added.slice(end - tokens, end).reverse();
};

/** Draws a curve, with gaps where keys are hidden. */
function pathWithGaps(values: Float32Array, frame: Frame): string {
  let isBroken = true;
  let d = "";
  for (const [at, value] of values.entries()) {
    const isGap = !Number.isFinite(value);
    const x = frame.left + (at / frame.maxX) * frame.width;
    if (!isGap) d += `${isBroken ? "M" : "L"}${x.toFixed(1)} ${heightOf(frame, value).toFixed(1)}`;
    isBroken = isGap;
  }
  return d;
}

const areEqual = (a: Float32Array, b: Float32Array): boolean =>
  a.every((value, at) => value === b[at] || Math.abs(value - b[at]!) < 1e-6);

function curvesBlock(answer: FormulaAnswer, area: Area, pens: Pens): Block {
  const { words, shared, palette, measure, head } = pens;
  const { numHeads, tokens } = answer;
  const title = words.curves(tokens - 1);
  const { marks, top } = titled(area, title, pens);
  const all = Array.from({ length: numHeads }, (_, one) => byDistance(answer, one));
  const first = all[0]!;
  const isOne = all.every((values) => areEqual(values, first));
  const curves = isOne ? [first] : all;
  const finite = curves.flatMap((values) => [...values]).filter(Number.isFinite);
  const [low, high] = [Math.min(0, ...finite), Math.max(0, ...finite)];
  const colourOf = (one: number) => (isOne || one === head ? palette.position : palette.ink);
  const names = curves.map((_, one) => (isOne ? words.everyHead : words.headName(one + 1)));
  const key = keyMarks(
    lineKey(names, palette, colourOf),
    { left: area.x, top, width: area.width },
    palette,
    measure,
  );
  const frame: Frame = {
    left: area.x + 44,
    top: key.baseline + 22,
    width: area.width - 54,
    height: 200,
    maxX: tokens - 1,
    maxY: high > 1e-6 || low > -1e-6 ? roundUp(high > 1e-6 ? high : 1) : 0,
    minY: low < -1e-6 ? -roundUp(-low) : 0,
  };
  marks.push(...key.marks, ...axisMarks(frame, palette, { x: shared.distance, y: "" }));
  for (const [one, values] of curves.entries()) {
    const { dash, width } = lineStyles[one % lineStyles.length]!;
    const d = pathWithGaps(values, frame);
    if (d) marks.push({ kind: "path", d, stroke: colourOf(one), width, dash });
  }
  const grid: Grid = {
    id: "curves",
    label: title,
    x: frame.left,
    y: frame.top,
    rows: 1,
    columns: tokens,
    cellWidth: frame.width / tokens,
    cellHeight: frame.height,
    describe: (_, distance) =>
      words.point(
        distance,
        curves.map((values, one) => [names[one]!, words.added(values[distance]!)] as const),
      ),
  };
  return { marks, grids: [grid], bottom: frame.top + frame.height + 44 };
}

/**
 * Returns the end of the scale of a head's map: its largest weight but for the first rows, or that
 * of the cell in the middle.
 */
export function weightLimit({ weights, tokens, side }: FormulaAnswer, head: number): number {
  if (side) return roundUp(Math.max(...fromMiddle(weights, head, side)));
  const from = (head * tokens + Math.floor(tokens / 4)) * tokens;
  return roundUp(Math.max(...weights.subarray(from, (head + 1) * tokens * tokens)));
}

function mapBlock(answer: FormulaAnswer, area: Area, pens: Pens): Block {
  const { words, shared, palette, head } = pens;
  const { tokens, weights, terms } = answer;
  const names: Readonly<Record<string, string>> = { ...shared.terms.names, ...words.slots };
  const title = words.map(head + 1);
  const { marks, top } = titled(area, title, pens);
  const cell = Math.max(3, Math.min(8, Math.floor((area.width - 2) / tokens)));
  const blank = Array.from({ length: tokens }, () => "");
  const from = head * tokens * tokens;
  const map: HeatMap = {
    x: area.x + 1,
    y: top + 6,
    cell,
    rows: blank,
    columns: blank,
    values: weights.subarray(from, from + tokens * tokens),
    limit: weightLimit(answer, head),
    isCausal: true,
    labels: { rows: false, columns: false },
  };
  marks.push(...cellMarks(map, palette));
  const grid: Grid = {
    id: "map",
    label: title,
    x: map.x,
    y: map.y,
    rows: tokens,
    columns: tokens,
    cellWidth: cell,
    cellHeight: cell,
    describe: (query, key) => {
      if (key > query) return words.cellMasked(query, key);
      const at = query * tokens + key;
      const parts = Object.entries(terms).map(
        ([name, values]) => [name, values[from + at]!] as const,
      );
      const score = parts.reduce((sum, [, value]) => sum + value, 0);
      return words.cell(
        query,
        key,
        map.values[at]!,
        words.added(score),
        parts.map(([name, value]) => [names[name] ?? name, words.added(value)]),
      );
    },
  };
  return { marks, grids: [grid], bottom: map.y + tokens * cell + 8 };
}

function anglesBlock(answer: FormulaAnswer, area: Area, pens: Pens): Block {
  const { words, palette, head } = pens;
  const { numHeads, side } = answer;
  const angles = answer.angles!;
  const title = side ? words.gridAngles(head + 1, dialSide) : words.angles(head + 1);
  const { marks, top } = titled(area, title, pens);
  const pairs = angles.length / numHeads / dials;
  const pitch = Math.min(26, Math.floor((area.width - 24) / dials));
  const [left, above, radius] = [area.x + 24, top + 8, pitch * 0.4];
  let [rims, hands] = ["", ""];
  for (let pair = 0; pair < pairs; pair++) {
    const y = above + (pair + 0.5) * pitch;
    marks.push(caption(palette, left - 8, y + 4, String(pair), "right"));
    for (let dial = 0; dial < dials; dial++) {
      const x = left + (dial + 0.5) * pitch;
      rims += dialRim(x, y, radius);
      hands += dialHand(x, y, angles[(head * pairs + pair) * dials + dial]!, radius);
    }
  }
  marks.push(
    { kind: "path", d: rims, stroke: palette.hair, width: 1 },
    { kind: "path", d: hands, stroke: palette.position, width: 1.6 },
  );
  const named = side ? [0, 4, 8, 12] : [0, 5, 10, 15];
  const nameOf = (dial: number) =>
    side ? `${Math.floor(dial / dialSide)},${dial % dialSide}` : `${dial}`;
  const below = above + pairs * pitch + 15;
  for (const dial of named)
    marks.push(caption(palette, left + (dial + 0.5) * pitch, below, nameOf(dial), "center"));
  const grid: Grid = {
    id: "angles",
    label: title,
    x: left,
    y: above,
    rows: pairs,
    columns: dials,
    cellWidth: pitch,
    cellHeight: pitch,
    describe: (pair, dial) =>
      words.hand(pair, nameOf(dial), angles[(head * pairs + pair) * dials + dial]!),
  };
  return { marks, grids: [grid], bottom: above + pairs * pitch + 26 };
}

function vectorsBlock(vectors: Float32Array, tokens: number, area: Area, pens: Pens): Block {
  const { words, palette, measure } = pens;
  const { marks, top } = titled(area, words.vectors, pens);
  const channels = vectors.length / tokens;
  const cell = Math.max(3, Math.min(5, Math.floor((area.width - 2) / tokens)));
  const limit = limitOf(vectors);
  const colour = signedColours(palette, limit);
  const valueAt = (channel: number, position: number) => vectors[position * channels + channel]!;
  const size = { rows: channels, columns: tokens };
  const colours = Array.from({ length: channels * tokens }, (_, at) =>
    colour(valueAt(Math.floor(at / tokens), at % tokens)),
  );
  const [x, y] = [area.x + 1, top + 6];
  marks.push({ kind: "cells", x, y, cell, gap: 0, ...size, colours });
  const bottom = y + channels * cell;
  const under = { x: area.x, y: bottom + 6, width: area.width };
  const legend = signedLegend("", limit, under, palette, measure);
  const grid: Grid = {
    id: "vectors",
    label: words.vectors,
    x,
    y,
    ...size,
    cellWidth: cell,
    cellHeight: cell,
    describe: (channel, position) => words.row(channel, position, valueAt(channel, position)),
  };
  return { marks: [...marks, ...legend.marks], grids: [grid], bottom: legend.bottom + 6 };
}

const gap = 44;
const restHeight = 330;
/** Largest side of the map of attention. */
const mapSize = 7 * formulaView.tokens;

export function drawFormula(
  answer: FormulaAnswer | undefined,
  head: number,
  words: FormulaWords,
  shared: SharedWords,
): Draw {
  return (width, palette, measure) => {
    if (!answer) return { width, height: restHeight, marks: [], grids: [] };
    const pens = { head, words, shared, palette, measure };
    const isWide = width >= 680;
    const mapWidth = isWide ? Math.min(mapSize, width * 0.45) : width;
    const left = { x: 0, y: 0, width: isWide ? width - mapWidth - gap : width };
    const { angles, vectors, tokens, side } = answer;
    const blocks = [(side ? gridBiasBlock : curvesBlock)(answer, left, pens)];
    const below = () => ({ ...left, y: blocks.at(-1)!.bottom + 8 });
    if (angles) blocks.push(anglesBlock(answer, below(), pens));
    if (vectors && side) blocks.push(gridVectorsBlock(answer, below(), pens));
    else if (vectors) blocks.push(vectorsBlock(vectors, tokens, below(), pens));
    const beside = isWide ? { x: width - mapWidth, y: 0, width: mapWidth } : below();
    const limit = weightLimit(answer, head);
    blocks.push(side ? gridMapBlock(answer, limit, beside, pens) : mapBlock(answer, beside, pens));
    return {
      width,
      height: Math.max(...blocks.map(({ bottom }) => bottom)),
      marks: blocks.flatMap(({ marks }) => marks),
      grids: blocks.flatMap(({ grids }) => grids),
    };
  };
}

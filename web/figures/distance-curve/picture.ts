/**
 * Attention by distance, a chart for each model: this text as a curve, the held-out text as an area
 * behind it.
 */
import type { Draw } from "../../controls/scene-view.js";
import { axisMarks, type Frame, heightOf, roundUp, rule } from "../../drawing/axes.js";
import { mix, type Palette } from "../../drawing/colour.js";
import { pathOf } from "../../drawing/curve.js";
import { type KeyEntry, keyMarks } from "../../drawing/key.js";
import type { Cell, Grid, Mark, Measure } from "../../drawing/scene.js";
import { caption, heading, headingLines } from "../shared/pictures/captions.js";
import type { DistanceWords } from "./words.js";

export interface DistanceChart {
  scheme: string;
  name: string;
  /** Mean weight at distances 0, 1, 2 …; empty without a text. */
  text: ArrayLike<number>;
  /**
   * Mean weights over the held-out text, of this head and of uniform attention; undefined without a
   * measurement.
   */
  corpus?: { head: ArrayLike<number>; even: ArrayLike<number> } | undefined;
}

export interface DistanceView {
  charts: readonly DistanceChart[];
  /** The figure's words, with the name of the horizontal axis. */
  words: DistanceWords & { x: string };
  describe: (chart: DistanceChart, distance: number) => string;
}

const evenDash = [1.5, 3.5];
const areaFill = (palette: Palette): string => mix(palette.paper, palette.ink, 0.17);
const areaEdge = (palette: Palette): string => mix(palette.paper, palette.ink, 0.45);

/** Returns the meanings of the three marks. */
function keyOf({ charts, words }: DistanceView, palette: Palette): KeyEntry[] {
  const lineAt = (x: number, y: number) => rule(x, y - 4, x + 26, y - 4, palette.ink, 2);
  const entries: KeyEntry[] = [
    { name: words.thisText, sample: lineAt },
    {
      name: words.heldOut,
      sample: (x, y) => ({
        kind: "rect",
        x,
        y: y - 9,
        width: 26,
        height: 10,
        fill: areaFill(palette),
      }),
    },
    {
      name: words.even,
      sample: (x, y) => ({ ...lineAt(x, y), stroke: palette.soft, dash: evenDash }),
    },
  ];
  return charts.some(({ corpus }) => corpus) ? entries : entries.slice(0, 1);
}

function chartMarks(
  { corpus, name }: DistanceChart,
  frame: Frame,
  view: DistanceView,
  isFirst: boolean,
  palette: Palette,
  measure: Measure,
): Mark[] {
  const { words } = view;
  const lines = headingLines(name, frame.width, measure);
  // Names of several lines grow upwards, from the line of a short name.
  const marks: Mark[] = lines.map((text, row) =>
    heading(palette, frame.left - 34, frame.top - 34 - (lines.length - 1 - row) * 18, text),
  );
  if (corpus) {
    const line = { name: "", values: corpus.head };
    const base = heightOf(frame, 0).toFixed(1);
    const end = frame.left + ((corpus.head.length - 1) / frame.maxX) * frame.width;
    const d = `${pathOf(line, frame)}L${end.toFixed(1)} ${base}L${frame.left} ${base}Z`;
    marks.push(
      { kind: "path", d, stroke: areaFill(palette), width: 0, fill: areaFill(palette) },
      { kind: "path", d: pathOf(line, frame), stroke: areaEdge(palette), width: 1 },
    );
  }
  const names = { x: words.x, y: isFirst ? words.y : "", left: frame.left - 34 };
  marks.push(...axisMarks(frame, palette, names));
  if (corpus) {
    const d = pathOf({ name: "", values: corpus.even }, frame);
    marks.push({ kind: "path", d, stroke: palette.soft, width: 2, dash: evenDash });
  }
  return marks;
}

/** Draws this text's curve over the rest, and the distance of the marked cell. */
function lineMarks(
  { text, corpus }: DistanceChart,
  frame: Frame,
  words: DistanceWords,
  at: number | undefined,
  palette: Palette,
): Mark[] {
  if (!text.length) return [];
  const marks: Mark[] = [];
  if (at !== undefined && at <= frame.maxX) {
    const x = frame.left + (at / frame.maxX) * frame.width;
    const isRight = at > frame.maxX / 2;
    marks.push(rule(x, frame.top, x, frame.top + frame.height, palette.position), {
      ...caption(palette, x + (isRight ? -6 : 6), frame.top + 13, words.chosen),
      fill: palette.position,
      align: isRight ? "right" : "left",
    });
  }
  marks.push({
    kind: "path",
    d: pathOf({ name: "", values: text }, frame),
    stroke: palette.ink,
    width: 2,
  });
  if (!corpus)
    marks.push(
      caption(palette, frame.left + frame.width, frame.top + 32, words.unmeasured, "right"),
    );
  return marks;
}

/** Draws the charts side by side if there is space, else one below the other, with one scale. */
export const drawDistances =
  (view: DistanceView): Draw =>
  (width, palette, measure) => {
    const { charts, words } = view;
    const across = width >= 680 ? charts.length : 1;
    const gap = 26;
    const step = (width + gap) / across;
    const key = keyMarks(keyOf(view, palette), { width, gap: 23 }, palette, measure);
    const keyBottom = key.baseline + 6;
    const lists = charts.flatMap(({ text, corpus }) => [text, corpus?.head ?? []]);
    const longest = Math.max(15, ...lists.map(({ length }) => length - 1));
    const highest = Math.max(0.1, ...lists.flatMap((list) => Array.from(list)));
    const height = across > 1 ? 200 : 150;
    const inner = step - gap - 40;
    const max = Math.max(...charts.map(({ name }) => headingLines(name, inner, measure).length));
    const above = 58 + (max - 1) * 18;
    const stepY = above + height + 46;
    const marks: Mark[] = [...key.marks];
    const grids: Grid[] = [];
    const frames: Frame[] = [];
    charts.forEach((chart, index) => {
      const frame: Frame = {
        left: (across > 1 ? index * step : 0) + 34,
        top: keyBottom + above + (across > 1 ? 0 : index * stepY),
        width: inner,
        height,
        maxX: longest,
        maxY: roundUp(highest),
      };
      marks.push(...chartMarks(chart, frame, view, across === 1 || index === 0, palette, measure));
      frames.push(frame);
      if (!chart.text.length) return;
      const pitch = frame.width / longest;
      grids.push({
        id: `distance-${chart.scheme}`,
        label: `${words.gridLabel}: ${chart.name}`,
        x: frame.left - pitch / 2,
        y: frame.top,
        cellWidth: pitch,
        cellHeight: frame.height,
        rows: 1,
        columns: longest + 1,
        describe: (_, distance) => view.describe(chart, distance),
      });
    });
    const rows = across > 1 ? 1 : charts.length;
    const over = (active: Cell | undefined) => ({
      marks: charts.flatMap((chart, index) =>
        lineMarks(chart, frames[index]!, words, active && active.row - active.column, palette),
      ),
    });
    return { width, height: keyBottom + 4 + rows * stepY, marks, grids, over };
  };

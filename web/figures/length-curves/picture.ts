/** Loss against the length of the test on each language, the chosen schemes as lines over all the others. */
import type { Draw } from "../../controls/scene-view.js";
import { axisMarks, type Frame, heightOf, rule, ticks } from "../../drawing/axes.js";
import { mix, type Palette } from "../../drawing/colour.js";
import { keyMarks } from "../../drawing/curve.js";
import type { Grid, Mark, PathMark } from "../../drawing/scene.js";
import type { Curve } from "../../engine/page/length-results.js";
import { caption } from "../shared/captions.js";
import { bandOf, columnX, keyRows, meanMarks, pathThrough } from "../train-short/picture.js";

export interface CurvesChart {
  id: string;
  title: string;
  /** Of the chosen schemes, in the order of `names`, and of those not chosen. */
  chosen: readonly Curve[];
  others: readonly Curve[];
}

export interface CurvesView {
  charts: readonly CurvesChart[];
  names: readonly string[];
  length: number;
  multiples: readonly number[];
  words: { x: string; y: string; trained: string; others: string; gridLabel: string };
  notDefined: (name: string) => string;
  describe: (chart: CurvesChart, row: number, column: number) => string;
}

/** Round ends of an axis around the chosen lines; those of others are cut there. */
export function endsOf(curves: readonly Curve[]): { leastY: number; mostY: number } {
  const known = curves.flatMap((curve) => curve.flatMap((one) => one ?? []));
  if (!known.length) return { leastY: 0, mostY: 1 };
  const low = Math.min(...known.map(({ least }) => least));
  const high = Math.max(...known.map(({ most }) => most), low + 0.1);
  const step = ticks(high - low, 4)[1]!;
  const round = (value: number) => Number(value.toPrecision(12));
  return {
    leastY: round(Math.floor(low / step) * step),
    mostY: round(Math.ceil(high / step) * step),
  };
}

type Point = readonly [number, number];

/** A line through means, cut where it leaves the frame. */
export function cutPath(curve: Curve, frame: Frame): string {
  const { leastY = 0, mostY } = frame;
  const isInside = (value: number) => value >= leastY && value <= mostY;
  const at = (column: number, value: number): Point => [
    columnX(frame, column),
    heightOf(frame, value),
  ];
  const points: (Point | undefined)[] = [];
  curve.forEach((one, column) => {
    const before = curve[column - 1];
    if (one && before && isInside(one.mean) !== isInside(before.mean)) {
      const [inner, outer] = isInside(one.mean) ? [one.mean, before.mean] : [before.mean, one.mean];
      const edge = outer > mostY ? mostY : leastY;
      const part = (edge - before.mean) / (one.mean - before.mean);
      if (inner !== edge) points.push(at(column - 1 + part, edge));
    }
    points.push(one && isInside(one.mean) ? at(column, one.mean) : undefined);
  });
  return pathThrough(points);
}

const faint = (palette: Palette): string => mix(palette.paper, palette.ink, 0.2);

function chartMarks(chart: CurvesChart, frame: Frame, view: CurvesView, palette: Palette): Mark[] {
  const { words, multiples, length, names } = view;
  const columns = multiples.map((multiple, at) => ({ at, text: String(multiple * length) }));
  const trained = columnX(frame, multiples.indexOf(1));
  const bottom = frame.top + frame.height;
  const marks: Mark[] = [
    {
      ...caption(palette, 0, frame.top - 36, chart.title),
      x: frame.left - 40,
      fill: palette.ink,
      size: 14,
      weight: 600,
    },
    ...chart.chosen.flatMap((tested) => bandOf({ tested }, frame, palette)),
    ...axisMarks(frame, palette, { x: words.x, y: words.y, left: frame.left - 40, columns }),
    ...chart.others.map(
      (curve): Mark => ({
        kind: "path",
        d: cutPath(curve, frame),
        stroke: faint(palette),
        width: 1,
      }),
    ),
    {
      ...(rule(trained, frame.top, trained, bottom, palette.position, 1) as PathMark),
      dash: [4, 4],
    },
    { ...caption(palette, trained + 7, frame.top + 13, words.trained), fill: palette.position },
  ];
  chart.chosen.forEach((curve, index) => {
    marks.push(...meanMarks(curve, index, frame, palette));
  });
  const ends = chart.chosen.flatMap((curve, index) => {
    const column = curve.indexOf(undefined);
    return column < 0 ? [] : [{ name: names[index]!, column }];
  });
  ends.forEach(({ name, column }, row) => {
    const isLast = column > multiples.length / 2;
    const x = columnX(frame, column) + (isLast ? 0 : 6);
    marks.push(
      caption(
        palette,
        x,
        frame.top + 30 + row * 17,
        view.notDefined(name),
        isLast ? "right" : "left",
      ),
    );
  });
  return marks;
}

/** The charts beside each other where there is room; each has its own scale, for its text has its own characters. */
export const drawCurves =
  (view: CurvesView): Draw =>
  (width, palette, measure) => {
    const { charts, names, multiples, words } = view;
    const isWide = width >= 640;
    const hasOthers = charts.some(({ others }) => others.length > 0);
    const keysHigh = keyRows(names, width - 40, measure) * 20;
    const top = keysHigh + (hasOthers ? 20 : 0) + 54;
    const height = isWide ? 260 : 220;
    const step = isWide ? (width + 30) / charts.length : width;
    const stepY = height + 44 + 62;
    const frameOf = (index: number): Frame => ({
      left: (isWide ? index * step : 0) + 40,
      top: top + (isWide ? 0 : index * stepY),
      width: (isWide ? step - 30 : width) - 58,
      height,
      mostX: multiples.length - 1,
      ...endsOf(charts[index]!.chosen),
    });
    const keyFrame = { ...frameOf(0), left: 0, width: width - 40, keyTop: 0 };
    const marks: Mark[] = keyMarks(
      names.map((name) => ({ name })),
      keyFrame,
      palette,
      measure,
    );
    if (hasOthers)
      marks.push(
        {
          kind: "path",
          d: `M0 ${keysHigh + 8}L26 ${keysHigh + 8}`,
          stroke: faint(palette),
          width: 1,
        },
        { ...caption(palette, 33, keysHigh + 12, words.others), size: 13 },
      );
    const grids: Grid[] = [];
    charts.forEach((chart, index) => {
      const frame = frameOf(index);
      marks.push(...chartMarks(chart, frame, view, palette));
      const pitch = frame.width / Math.max(1, multiples.length - 1);
      grids.push({
        id: `curves-${chart.id}`,
        label: `${words.gridLabel}: ${chart.title}`,
        x: frame.left - pitch / 2,
        y: frame.top,
        cellWidth: pitch,
        cellHeight: frame.height / Math.max(1, names.length),
        rows: names.length,
        columns: multiples.length,
        describe: (row, column) => view.describe(chart, row, column),
      });
    });
    const last = frameOf(charts.length - 1);
    return { width, height: last.top + last.height + 44, marks, grids };
  };

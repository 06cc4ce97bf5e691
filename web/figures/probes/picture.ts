/**
 * The picture of "who can do what": a small example of the task, and a row of dots for each scheme.
 */
import type { Draw } from "../../controls/scene-view.js";
import { rule } from "../../drawing/axes.js";
import { mix, type Palette } from "../../drawing/colour.js";
import { type Family, familyColour } from "../../drawing/family-colours.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import type { ProbeScore } from "../../engine/page/probe-results.js";
import { percent } from "../../text/numbers.js";
import {
  caption,
  heading,
  headingSize,
  linesOf,
  roomForNames,
  rowName,
} from "../shared/pictures/captions.js";
import { ringPath } from "../shared/pictures/length-chart.js";
import type { Example } from "./examples.js";
import type { Manner } from "./manner.js";
import type { ProbeWords } from "./words.js";

export interface ProbeRow {
  scheme: string;
  name: string;
  manner: Manner;
  family: Family;
  score: ProbeScore;
}

const side = 34;

const diamond = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}L${x} ${y - r}L${x + r} ${y}L${x} ${y + r}Z`;

function dotMark(
  x: number,
  y: number,
  { manner, family }: Pick<ProbeRow, "manner" | "family">,
  palette: Palette,
): Mark {
  const colour = familyColour(family, palette);
  const d = manner === "position" ? diamond(x, y, 5) : ringPath(x, y, 4);
  const fill = manner === "nothing" ? palette.paper : colour;
  return { kind: "path", d, stroke: manner === "nothing" ? colour : palette.paper, width: 1, fill };
}

/** Draws the input, the answers below it, and arcs to the tokens that decide them. */
function exampleMarks(
  { read, answers, arcs }: Example,
  width: number,
  words: ProbeWords,
  palette: Palette,
  measure: Measure,
): { marks: Mark[]; bottom: number } {
  const names = [words.read, words.say];
  const left = Math.ceil(Math.max(...names.map((name) => measure(name, 12)))) + 12;
  const room = Math.floor((width - left - 2) / read.length);
  const step = Math.min(room, Math.max(side, ...read.map((token) => measure(token, 14) + 14)));
  const max = Math.max(...arcs.map(([from, to]) => Math.abs(from - to)));
  const rise = (distance: number) => 10 + (distance / max) * 30;
  const top = 48;
  const middle = (index: number) => left + (index + 0.5) * step;
  const cell = (index: number, y: number, text: string, isAnswer: boolean): Mark[] => [
    {
      kind: "rect",
      x: left + index * step + 2,
      y,
      width: step - 4,
      height: side - 4,
      ...(isAnswer && { fill: mix(palette.paper, palette.position, 0.1) }),
      stroke: isAnswer ? palette.position : palette.hair,
    },
    {
      ...caption(palette, middle(index), y + 20, text, "center"),
      fill: isAnswer ? palette.position : palette.ink,
      size: 14,
    },
  ];
  const arcMarks = arcs.map(([from, to]): Mark => {
    const [a, b] = [middle(from), middle(to)];
    const bend = `Q${(a + b) / 2} ${top - 2 * rise(Math.abs(from - to))}`;
    return {
      kind: "path",
      d: `M${a} ${top}${bend} ${b} ${top}`,
      stroke: palette.position,
      width: 1.5,
    };
  });
  const ends = arcs.map(([, to]): Mark => {
    const x = middle(to);
    const d = `M${x - 4} ${top - 7}L${x} ${top - 1}L${x + 4} ${top - 7}`;
    return { kind: "path", d, stroke: palette.position, width: 1.5 };
  });
  const under = top + side + 4;
  return {
    marks: [
      caption(palette, 0, top + 20, words.read),
      caption(palette, 0, under + 20, words.say),
      ...arcMarks,
      ...ends,
      ...read.flatMap((token, index) => cell(index, top, token, false)),
      ...Object.entries(answers).flatMap(([index, text]) => cell(Number(index), under, text, true)),
    ],
    bottom: under + side,
  };
}

/** Draws example and dots; `bag` is the score of a model without positions and without a mask. */
export const drawProbe =
  (example: Example, rows: readonly ProbeRow[], bag: number, words: ProbeWords): Draw =>
  (width, palette, measure) => {
    const shown = exampleMarks(example, width, words, palette, measure);
    const lines = linesOf(words.chart, width, measure);
    const chartTop = shown.bottom + 30;
    const top = chartTop + lines.length * 16 + 26;
    const names = rows.map(({ name }) => name);
    const { room, pitch } = roomForNames(names, { width, pitch: 23 }, measure);
    const height = rows.length * pitch;
    const left = room + 14;
    const chartWidth = width - left - 56;
    const at = (share: number) => left + 6 + share * (chartWidth - 12);
    const stops = chartWidth < 180 ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1];
    const bagName = words.bagLine(percent(bag));
    // The label of the mean is on the side of the line that has space.
    const meanLeft = width - measure(words.mean, headingSize) * 1.1 - 8;
    const isRight = at(bag) + 6 + measure(bagName, 12) <= meanLeft;
    const rowMarks = rows.flatMap(({ name, score, ...look }, row): Mark[] => {
      const y = top + (row + 0.5) * pitch;
      const { min, max, mean, seeds } = score;
      return [
        ...rowName(palette, { x: left - 8, y, room }, name, measure),
        rule(at(min), y, at(max), y, familyColour(look.family, palette), 2),
        ...seeds.map((seed) => dotMark(at(seed), y, look, palette)),
        {
          ...caption(palette, width, y + 4, percent(mean), "right"),
          size: 13,
          fill: palette.ink,
        },
      ];
    });
    const grid: Grid = {
      id: "schemes",
      label: words.gridLabel,
      x: 0,
      y: top,
      cellWidth: width,
      cellHeight: pitch,
      rows: rows.length,
      columns: 1,
      describe: (row) => {
        const { name, manner, score } = rows[row]!;
        return words.row(name, words.manners[manner], score);
      },
    };
    const marks: Mark[] = [
      ...shown.marks,
      ...lines.map((line, index) => caption(palette, 0, chartTop + 12 + 16 * index, line)),
      ...stops.flatMap((stop) => [
        rule(at(stop), top, at(stop), top + height, palette.hair),
        caption(palette, at(stop), top + height + 16, percent(stop), "center"),
      ]),
      { ...rule(at(bag), top - 18, at(bag), top + height, palette.soft), dash: [4, 3] },
      caption(palette, at(bag) + (isRight ? 6 : -6), top - 9, bagName, isRight ? "left" : "right"),
      { ...heading(palette, width, top - 9, words.mean), align: "right" },
      ...rowMarks,
    ];
    return { width, height: top + height + 26, marks, grids: [grid] };
  };

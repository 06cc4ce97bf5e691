/**
 * Words with arcs to the words that they look at, the wider the larger the share: over a line of
 * text, or, where it does not fit, beside a column of words.
 */
import type { Draw } from "../../controls/scene-view.js";
import { mix, type Palette } from "../../drawing/colour.js";
import type { Cell, Grid, Mark, Measure, Over, TextMark } from "../../drawing/scene.js";
import { weight } from "../../text/numbers.js";
import { caption } from "../shared/pictures/captions.js";

export interface SinkPicture {
  tokens: readonly string[];
  rows: readonly (readonly number[])[];
  isLeftOut: boolean;
  /** Describes the shares of a row. */
  describe: (row: number) => string;
  label: string;
}

/** Narrowest window in which the words stand in one line. */
const fitting = 720;
const textSize = 15;
const lineHeight = 30;
/** Shares below this would be hairlines. */
const faintest = 0.03;
const widest = 5;
/** Space for a share beside a word of the column. */
const numberRoom = 36;
/** Free space at both ends of the line, for the arcs of the first and the last word. */
const inset = 12;

interface Plan {
  isFlat: boolean;
  /** Middle of each word along the line or the column. */
  at: readonly number[];
  /** Where arcs begin: the height of the line of words, or the edge of the column. */
  edge: number;
  height: number;
}

function planFor(tokens: readonly string[], width: number, measure: Measure): Plan {
  const wide = tokens.map((token) => measure(token.trim(), textSize));
  if (width < fitting) {
    const edge = Math.max(...wide) + 10 + numberRoom;
    const at = tokens.map((_, row) => row * lineHeight + lineHeight / 2);
    return { isFlat: false, at, edge, height: tokens.length * lineHeight + 6 };
  }
  const used = wide.reduce((sum, one) => sum + one, 2 * inset);
  const gap = (width - used) / (tokens.length - 1);
  let x = inset;
  const at = wide.map((one) => {
    x += one + gap;
    return x - gap - one / 2;
  });
  const edge = Math.min(300, width * 0.27);
  return { isFlat: true, at, edge, height: edge + 52 };
}

/** Half an ellipse from the word that looks to the one that is looked at. */
function arcOf(plan: Plan, from: number, to: number, room: number): string {
  const { at, edge, isFlat } = plan;
  const half = Math.abs(at[from]! - at[to]!) / 2;
  const span = (at.at(-1)! - at[0]!) / 2;
  const bulge = (0.12 + 0.86 * (half / span)) * room;
  return isFlat
    ? `M${at[from]} ${edge}A${half} ${bulge} 0 0 0 ${at[to]} ${edge}`
    : `M${edge} ${at[from]}A${bulge} ${half} 0 0 0 ${edge} ${at[to]}`;
}

function arcMarks(
  { rows }: SinkPicture,
  plan: Plan,
  room: number,
  palette: Palette,
  only?: number,
): Mark[] {
  const arcs = rows.flatMap((row, from) =>
    row.flatMap((share, to) =>
      from === to || share < faintest || (only !== undefined && from !== only)
        ? []
        : [{ from, to, share }],
    ),
  );
  return arcs
    .sort((a, b) => a.share - b.share)
    .map(({ from, to, share }) => ({
      kind: "path",
      d: arcOf(plan, from, to, room),
      stroke: mix(palette.paper, palette.query, only === undefined ? 0.15 + 0.6 * share : 1),
      width: 0.5 + widest * share,
    }));
}

function wordMarks(
  { tokens, isLeftOut }: SinkPicture,
  plan: Plan,
  palette: Palette,
  active?: number,
): Mark[] {
  return tokens.map((token, index) => ({
    kind: "text",
    x: plan.isFlat ? plan.at[index]! : plan.edge - 8 - numberRoom,
    y: plan.isFlat ? plan.edge + 22 : plan.at[index]! + 5,
    text: token.trim(),
    size: textSize,
    align: plan.isFlat ? "center" : "right",
    fill: index === active ? palette.query : index === 0 && isLeftOut ? palette.hair : palette.ink,
    ...(index === active && { weight: 600 }),
  }));
}

/** Writes a share at a word: under it, or beside it in a column. */
const shareMark = (plan: Plan, at: number, share: number, palette: Palette): TextMark =>
  plan.isFlat
    ? caption(palette, plan.at[at]!, plan.edge + 42, weight(share), "center")
    : caption(palette, plan.edge - 8, plan.at[at]! + 4, weight(share), "right");

/** At each word, how much of its attention goes to the first. */
const firstMarks = ({ rows, isLeftOut }: SinkPicture, plan: Plan, palette: Palette): Mark[] =>
  rows.flatMap((row, at) => (at && !isLeftOut ? [shareMark(plan, at, row[0]!, palette)] : []));

/** The arcs of one word, with its shares at the words that it looks at. */
function overOf(shown: SinkPicture, plan: Plan, room: number, palette: Palette, row: number): Over {
  const shares = shown.rows[row]!;
  const numbers = shares.flatMap((share, key): Mark[] => {
    if (share < faintest) return [];
    return [{ ...shareMark(plan, key, share, palette), fill: palette.query }];
  });
  return { marks: [...arcMarks(shown, plan, room, palette, row), ...numbers] };
}

export const drawSink =
  (shown: SinkPicture): Draw =>
  (width, palette, measure) => {
    const { tokens, rows } = shown;
    const plan = planFor(tokens, width, measure);
    const room = plan.isFlat ? plan.edge - 10 : width - plan.edge - 14;
    const grid: Grid = {
      id: "words",
      label: shown.label,
      x: 0,
      y: 0,
      cellWidth: plan.isFlat ? width / tokens.length : width,
      cellHeight: plan.isFlat ? plan.height : lineHeight,
      rows: plan.isFlat ? 1 : tokens.length,
      columns: plan.isFlat ? tokens.length : 1,
      ...(plan.isFlat && { points: plan.at.map((x) => ({ x, y: plan.edge + 18 })) }),
      describe: (row, column) => shown.describe(plan.isFlat ? column : row),
    };
    return {
      width,
      height: plan.height,
      marks: [...arcMarks(shown, plan, room, palette), ...wordMarks(shown, plan, palette)],
      grids: [grid],
      over: (active: Cell | undefined) => {
        const row = active && (plan.isFlat ? active.column : active.row);
        return row === undefined || !rows[row]
          ? { marks: firstMarks(shown, plan, palette) }
          : overOf(shown, plan, room, palette, row);
      },
    };
  };

/** The picture of the ghosts: the triangle, the distances at which a pair comes round, its dial. */
import type { Draw } from "../../controls/scene-view.js";
import { mix, type Palette } from "../../drawing/colour.js";
import { dialHand, dialRim, dialSector } from "../../drawing/dial.js";
import { keyMarks } from "../../drawing/key.js";
import type { Cell, Grid, Mark, Measure, Over } from "../../drawing/scene.js";
import { pointOf, type Triangle, triangleMark } from "../../drawing/triangle.js";
import { type GhostAnswer, rowStart } from "../../engine/both/ghost-messages.js";
import { grouped } from "../../text/numbers.js";
import { caption, linesOf } from "../shared/pictures/captions.js";
import type { Ghost } from "./ghosts-of.js";
import type { GhostWords } from "./words.js";

/** Weight with the strongest colour. */
export const strongest = 0.3;

export interface GhostPicture {
  answer: GhostAnswer;
  labels: readonly string[];
  tokens: number;
  ghosts: readonly Ghost[];
  words: GhostWords;
}

type Box = Omit<Triangle, "values">;

const textSize = 12;
const isWideFrom = 760;

/** Returns the triangle's box: twice as wide as high on a screen, and higher on a phone. */
export const boxOf = (width: number, tokens: number): Box => ({
  tokens,
  x: 0,
  y: 8,
  width,
  height: Math.round(width >= isWideFrom ? width / 2 : width * 0.85),
});

const levelOf = ({ y, height, tokens }: Box, distance: number): number =>
  y + height - (distance / tokens) * height;

/** Distance of a level's left end from the left edge. */
const slopeAt = ({ width, tokens }: Box, distance: number): number =>
  (distance / 2 / tokens) * width;

/** Marks at both ends of a level: how often the pair has come round, and the distance. */
function ghostMarks(box: Box, picture: GhostPicture, palette: Palette, measure: Measure): Mark[] {
  const { words, ghosts } = picture;
  let above = Number.POSITIVE_INFINITY;
  return ghosts.flatMap(({ distance, rotations }): Mark[] => {
    const y = levelOf(box, distance);
    const end = slopeAt(box, distance);
    const left = words.rotations(rotations);
    const right = grouped(distance);
    const fits = (text: string) => measure(text, textSize) + 16 <= end;
    // Levels that lie close together share one label.
    if (!fits(right) || above - y < 13) return [];
    above = y;
    const tick = (x: number): Mark => ({
      kind: "path",
      d: `M${x.toFixed(1)} ${y.toFixed(1)}h8`,
      stroke: palette.position,
      width: 1.5,
    });
    const text = { y: y + 4, size: textSize } as const;
    const marks: Mark[] = [
      tick(box.width - end + 1),
      { kind: "text", x: box.width - end + 13, text: right, fill: palette.ink, ...text },
    ];
    if (fits(left))
      marks.push(tick(end - 9), {
        kind: "text",
        x: end - 13,
        text: left,
        fill: palette.position,
        align: "right",
        ...text,
      });
    return marks;
  });
}

/** The longest distance of the training, as a level. */
function trainedMarks(box: Box, { answer }: GhostPicture, palette: Palette): Mark[] {
  const distance = answer.trained - 1;
  if (distance >= box.tokens - 1) return [];
  const [y, end] = [levelOf(box, distance), slopeAt(box, distance)];
  const d = `M${end.toFixed(1)} ${y.toFixed(1)}H${(box.width - end).toFixed(1)}`;
  return [
    { kind: "path", d, stroke: palette.paper, width: 3 },
    { kind: "path", d, stroke: palette.content, width: 1.5, dash: [5, 4] },
  ];
}

function axisMarks(box: Box, { words }: GhostPicture, palette: Palette, measure: Measure): Mark[] {
  const y = box.y + box.height;
  const ticks = box.width >= isWideFrom ? 8 : 4;
  const step = [16, 32, 64, 128, 256, 512].find((size) => box.tokens / size <= ticks) ?? 512;
  const marks: Mark[] = [
    { kind: "path", d: `M0 ${y + 0.5}H${box.width}`, stroke: palette.hair, width: 1 },
  ];
  for (let at = 0; at <= box.tokens; at += step) {
    const x = (at / box.tokens) * box.width;
    const name = grouped(at);
    const half = measure(name, textSize) / 2;
    marks.push(
      { kind: "path", d: `M${x.toFixed(1)} ${y}v4`, stroke: palette.soft, width: 1 },
      caption(palette, Math.min(box.width - half, Math.max(half, x)), y + 17, name, "center"),
    );
  }
  return [...marks, caption(palette, box.width / 2, y + 34, words.axis, "center")];
}

/** The dial of the pair that comes round: the angles of training, and its crest. */
function dialMarks(
  box: Box,
  { answer, words }: GhostPicture,
  palette: Palette,
  measure: Measure,
): { marks: Mark[]; hand: (distance: number) => Mark[] } {
  const { returning, trained } = answer;
  if (!returning || answer.view === "without") return { marks: [], hand: () => [] };
  const { period, crest } = answer.pairs[returning.pair]!;
  const isRoomy = box.width >= isWideFrom;
  const radius = isRoomy ? 44 : 26;
  const [x, y] = [radius + 2, box.y + radius + 6];
  const angle = (distance: number) => (2 * Math.PI * distance) / period;
  const seen = Math.min(1, (trained - 1) / returning.period);
  const fill = mix(palette.paper, palette.content, 0.4);
  const left = 2 * radius + 16;
  const says = [
    words.pair(returning.pair + 1, Math.round(period)),
    words.seenTo(seen),
    words.hands,
  ];
  const lines = isRoomy ? says.flatMap((text) => linesOf(text, 300, measure)) : [];
  const marks: Mark[] = [
    {
      kind: "path",
      d: dialSector(x, y, radius - 4, 2 * Math.PI * seen),
      stroke: fill,
      width: 0,
      fill,
    },
    { kind: "path", d: dialRim(x, y, radius), stroke: palette.soft, width: 1 },
    {
      kind: "path",
      d: dialHand(x, y, angle(crest), radius + 4),
      stroke: palette.position,
      width: 1.5,
      dash: [2, 3],
    },
    ...lines.map((line, index): Mark => caption(palette, left, y - 14 + 16 * index, line)),
  ];
  const hand = (distance: number): Mark[] => [
    {
      kind: "path",
      d: dialHand(x, y, angle(distance), radius - 6),
      stroke: palette.ink,
      width: 2.5,
    },
  ];
  return { marks, hand };
}

/** What a dot is, in the other corner; on a phone there is no room for it. */
function dotMarks(box: Box, { words }: GhostPicture, palette: Palette, measure: Measure): Mark[] {
  if (box.width < isWideFrom) return [];
  const lines = linesOf(words.dot, 250, measure);
  return lines.map((line, index) =>
    caption(palette, box.width, box.y + 36 + 16 * index, line, "right"),
  );
}

/** The two tokens of a cell, joined to it, and its weight beside it. */
function activeMarks(
  box: Box,
  { answer, labels, words }: GhostPicture,
  { row, column }: Cell,
  palette: Palette,
  measure: Measure,
): Mark[] {
  const at = pointOf(box, { row, column });
  const base = box.y + box.height;
  const foot = (token: number) => ((token + 0.5) / box.tokens) * box.width;
  const leg = (token: number, stroke: string): Mark => ({
    kind: "path",
    d: `M${at.x.toFixed(1)} ${at.y.toFixed(1)}L${foot(token).toFixed(1)} ${base}`,
    stroke,
    width: 1.25,
  });
  const value = answer.weights[rowStart(row) + column]!;
  const says = [words.looks(labels[row]!, labels[column]!), words.apart(row - column, value)];
  const wide = Math.max(...says.map((text) => measure(text, textSize))) + 16;
  const x = Math.min(
    box.width - wide - 1,
    Math.max(1, at.x + (at.x > box.width / 2 ? -wide - 10 : 10)),
  );
  const y = Math.max(1, at.y - 46);
  return [
    leg(column, palette.key),
    leg(row, palette.query),
    { kind: "rect", x: at.x - 2, y: at.y - 2, width: 4, height: 4, fill: palette.ink },
    { kind: "rect", x, y, width: wide, height: 40, fill: palette.paper, stroke: palette.hair },
    ...says.map(
      (text, index): Mark => ({
        kind: "text",
        x: x + 8,
        y: y + 16 + 17 * index,
        text,
        fill: index ? palette.soft : palette.ink,
        size: textSize,
      }),
    ),
  ];
}

const keyOf = ({ words, ghosts, answer }: GhostPicture, palette: Palette, isNarrow: boolean) => [
  {
    name: words.trainedTo(answer.trained - 1),
    sample: (x: number, y: number): Mark => ({
      kind: "path",
      d: `M${x} ${y - 4}h22`,
      stroke: palette.content,
      width: 1.5,
      dash: [5, 4],
    }),
  },
  ...(ghosts.length
    ? [
        {
          name: words.comesRound,
          sample: (x: number, y: number): Mark => ({
            kind: "path",
            d: `M${x + 4} ${y - 4}h14`,
            stroke: palette.position,
            width: 1.5,
          }),
        },
      ]
    : []),
  ...(isNarrow && answer.returning && answer.view !== "without"
    ? [
        {
          name: words.dial(answer.returning.pair + 1),
          sample: (x: number, y: number): Mark => ({
            kind: "path",
            d: dialRim(x + 11, y - 4, 6),
            stroke: palette.soft,
            width: 1,
            fill: mix(palette.paper, palette.content, 0.4),
          }),
        },
      ]
    : []),
];

/** The levels of the ghosts, through which keys move. */
function ghostGrid(box: Box, { ghosts, words }: GhostPicture): Grid[] {
  if (!ghosts.length) return [];
  const pitch = box.height / ghosts.length;
  return [
    {
      id: "ghosts",
      label: words.ghosts,
      x: box.width * 0.25,
      y: box.y,
      cellWidth: box.width / 2,
      cellHeight: pitch,
      rows: ghosts.length,
      columns: 1,
      describe: (row) => words.ghost(ghosts[row]!),
    },
  ];
}

/** Cells are painted once for a text, its length, a width and a palette. */
let painted: { key: unknown[]; mark: Mark } | undefined;

function cellsOf(box: Box, { answer }: GhostPicture, palette: Palette): Mark {
  const key = [answer.weights, box.tokens, box.width, palette, globalThis.devicePixelRatio];
  if (!painted || painted.key.some((part, index) => part !== key[index])) {
    const triangle = { ...box, values: answer.weights };
    painted = { key, mark: triangleMark(triangle, strongest, palette) };
  }
  return painted.mark;
}

export function drawGhosts(picture: GhostPicture | undefined): Draw {
  return (width, palette, measure) => {
    const box = boxOf(width, picture?.tokens ?? 1);
    const base = box.y + box.height;
    if (!picture) return { width, height: base + 80, marks: [], grids: [] };
    const dial = dialMarks(box, picture, palette, measure);
    const key = keyMarks(
      keyOf(picture, palette, width < isWideFrom),
      { top: base + 48, width, indent: 29, gap: 18 },
      palette,
      measure,
    );
    const over = (active: Cell | undefined): Over => {
      if (!active || active.row >= picture.tokens) {
        const shown = picture.ghosts[0]?.distance ?? picture.tokens - 1;
        return { marks: dial.hand(shown) };
      }
      return {
        marks: [
          ...activeMarks(box, picture, active, palette, measure),
          ...dial.hand(active.row - active.column),
        ],
      };
    };
    return {
      width,
      // As high with one row of the key as with two, so that nothing below moves.
      height: base + (width >= isWideFrom ? 70 : 112),
      marks: [
        cellsOf(box, picture, palette),
        ...trainedMarks(box, picture, palette),
        ...ghostMarks(box, picture, palette, measure),
        ...axisMarks(box, picture, palette, measure),
        ...dial.marks,
        ...dotMarks(box, picture, palette, measure),
        ...key.marks,
      ],
      grids: ghostGrid(box, picture),
      over,
    };
  };
}

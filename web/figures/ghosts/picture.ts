/** The picture of the ghosts: the triangle, the distances at which a pair comes round, its dial. */
import type { Draw } from "../../controls/scene-view.js";
import { mix, type Palette } from "../../drawing/colour.js";
import { dialHand, dialRim, dialSector } from "../../drawing/dial.js";
import { keyMarks } from "../../drawing/key.js";
import type { Cell, Grid, Mark, Measure, Over } from "../../drawing/scene.js";
import { pointOf, type Triangle, triangleMark } from "../../drawing/triangle.js";
import { type GhostAnswer, rowStart } from "../../engine/both/ghost-messages.js";
import { grouped } from "../../text/numbers.js";
import { caption, captionSize, linesOf } from "../shared/pictures/captions.js";
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

const textSize = captionSize;
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

const tick = (x: number, y: number, stroke: string) =>
  ({ kind: "path", d: `M${x.toFixed(1)} ${y.toFixed(1)}h8`, stroke, width: 1.5 }) as const;

/** Marks at both ends of a level: the turns of the pair, and the distance. */
function ghostMarks(box: Box, picture: GhostPicture, palette: Palette, measure: Measure): Mark[] {
  const { words, ghosts, answer } = picture;
  if (!ghosts.length) return [];
  let above = Number.POSITIVE_INFINITY;
  const middle = box.width / 2;
  // On a phone the dial stands on the left, and the key names what is there.
  const ofRotations = words.rotations(answer.returning!.pair + 1);
  const names: Mark[] = [
    { ...caption(palette, middle + 34, box.y + 10, words.back), fill: palette.ink },
  ];
  if (box.width >= isWideFrom)
    names.push({
      ...caption(palette, middle - 34, box.y + 10, ofRotations, "right"),
      fill: palette.position,
    });
  const levels = ghosts.flatMap(({ distance, rotations }): Mark[] => {
    const y = levelOf(box, distance);
    const end = slopeAt(box, distance);
    const left = rotations.toFixed(1);
    const right = grouped(distance);
    const fits = (text: string) => measure(text, textSize) + 16 <= end;
    // Levels that lie close together share one label, and the names of the sides have the top.
    if (!fits(right) || above - y < 13 || y < box.y + 22) return [];
    above = y;
    const text = { y: y + 4, size: textSize } as const;
    const marks: Mark[] = [
      tick(box.width - end + 1, y, palette.position),
      { kind: "text", x: box.width - end + 13, text: right, fill: palette.ink, ...text },
    ];
    if (fits(left))
      marks.push(tick(end - 9, y, palette.position), {
        kind: "text",
        x: end - 13,
        text: left,
        fill: palette.position,
        align: "right",
        ...text,
      });
    return marks;
  });
  return [...names, ...levels];
}

/** A level that the dial's hand stands for, framed at both of its ends. */
function shownMarks(box: Box, distance: number, palette: Palette): Mark[] {
  const [y, end] = [levelOf(box, distance), slopeAt(box, distance)];
  return [end - 9, box.width - end + 1].map((x) => ({
    ...tick(x, y, palette.ink),
    width: 4,
  }));
}

/** The longest distance of the training, as a level; named where there is space. */
function trainedMarks(
  box: Box,
  { answer, words }: GhostPicture,
  palette: Palette,
  measure: Measure,
): Mark[] {
  const distance = answer.trained - 1;
  if (distance >= box.tokens - 1) return [];
  const [y, end] = [levelOf(box, distance), slopeAt(box, distance)];
  const d = `M${end.toFixed(1)} ${y.toFixed(1)}H${(box.width - end).toFixed(1)}`;
  const marks: Mark[] = [
    { kind: "path", d, stroke: palette.paper, width: 3 },
    { kind: "path", d, stroke: palette.ink, width: 1.5, dash: [5, 4] },
  ];
  if (box.width < isWideFrom) return marks;
  const said = words.trainedTo(distance);
  const wide = measure(said, textSize) + 16;
  const x = (box.width - wide) / 2;
  return [
    ...marks,
    { kind: "rect", x, y: y - 9, width: wide, height: 18, fill: palette.paper },
    { ...caption(palette, box.width / 2, y + 4, said, "center"), fill: palette.ink },
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
  const radius = isRoomy ? 76 : 26;
  const [x, y] = [radius + 6, box.y + radius + (isRoomy ? 30 : 6)];
  const angle = (distance: number) => (2 * Math.PI * distance) / period;
  const seen = Math.min(1, (trained - 1) / returning.period);
  const fill = mix(palette.paper, palette.content, 0.4);
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
      width: 2,
      dash: [2, 3],
    },
  ];
  const hand = (distance: number): Mark => ({
    kind: "path",
    d: dialHand(x, y, angle(distance), radius - 6),
    stroke: palette.ink,
    width: 2.5,
  });
  if (!isRoomy) return { marks, hand: (distance) => [hand(distance)] };
  /** Writes a word in the middle of a part of the dial, from a share of a turn to another. */
  const within = (text: string, from: number, to: number): Mark[] => {
    const middle = Math.PI * (from + to);
    if ((to - from) * 2 * Math.PI * radius * 0.6 < measure(text, textSize) + 6) return [];
    const [dx, dy] = [Math.sin(middle) * radius * 0.6, -Math.cos(middle) * radius * 0.6];
    return [{ ...caption(palette, x + dx, y + dy + 4, text, "center"), fill: palette.ink }];
  };
  const name = words.hand(returning.pair + 1, Math.round(period));
  const below = y + radius + 22;
  marks.push(
    { ...caption(palette, 0, box.y + 10, name), fill: palette.ink, weight: 600 },
    ...within(words.seen, 0, seen),
    ...within(words.blank, seen, 1),
    { ...caption(palette, 0, below, words.crest), fill: palette.position },
  );
  return {
    marks,
    hand: (distance) => [
      hand(distance),
      { ...caption(palette, 0, below + 17, words.shown(distance)), fill: palette.ink },
    ],
  };
}

/** How to read a dot, in the other corner, with a sample; on a phone there is no room for it. */
function dotMarks(box: Box, { words }: GhostPicture, palette: Palette, measure: Measure): Mark[] {
  if (box.width < isWideFrom) return [];
  const room = 236;
  const x = box.width - room;
  const lines = [words.dot, words.streak].flatMap((text) => linesOf(text, room, measure));
  const [foot, apex] = [box.y + 46, box.y + 12];
  const leg = (to: number, stroke: string): Mark => ({
    kind: "path",
    d: `M${x + 30} ${apex}L${x + to} ${foot}`,
    stroke,
    width: 1.25,
  });
  return [
    leg(2, palette.key),
    leg(58, palette.query),
    { kind: "rect", x: x + 28, y: apex - 2, width: 4, height: 4, fill: palette.ink },
    { kind: "path", d: `M${x} ${foot}h60`, stroke: palette.soft, width: 1 },
    ...lines.map((line, index) => caption(palette, x, foot + 20 + 17 * index, line)),
  ];
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

/** On a phone, what is named in the picture elsewhere. */
const keyOf = ({ words, answer, ghosts }: GhostPicture, palette: Palette) => [
  {
    name: words.trainedTo(answer.trained - 1),
    sample: (x: number, y: number): Mark => ({
      kind: "path",
      d: `M${x} ${y - 4}h22`,
      stroke: palette.ink,
      width: 1.5,
      dash: [5, 4],
    }),
  },
  ...(answer.returning && ghosts.length
    ? [
        {
          name: words.rotations(answer.returning.pair + 1),
          sample: (x: number, y: number): Mark => tick(x + 7, y - 4, palette.position),
        },
      ]
    : []),
  ...(answer.returning && answer.view !== "without"
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
    if (!picture)
      return { width, height: base + (width >= isWideFrom ? 44 : 130), marks: [], grids: [] };
    const dial = dialMarks(box, picture, palette, measure);
    const isWide = width >= isWideFrom;
    const key = keyMarks(
      isWide ? [] : keyOf(picture, palette),
      { top: base + 48, width, indent: 29, gap: 18 },
      palette,
      measure,
    );
    const over = (active: Cell | undefined): Over => {
      if (!active || active.row >= picture.tokens) {
        const [first] = picture.ghosts;
        const shown = first ? shownMarks(box, first.distance, palette) : [];
        return { marks: [...shown, ...dial.hand(first?.distance ?? picture.tokens - 1)] };
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
      height: base + (isWide ? 44 : 130),
      marks: [
        cellsOf(box, picture, palette),
        ...trainedMarks(box, picture, palette, measure),
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

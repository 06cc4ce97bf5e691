/** The picture of a layer as a machine, in which a position can be plugged in at three sockets. */
import type { Draw } from "../../controls/scene-view.js";
import type { Palette } from "../../drawing/colour.js";
import { dialRim } from "../../drawing/dial.js";
import type { Cell, Mark, Measure, Over, Picture } from "../../drawing/scene.js";
import { type Socket, sockets } from "../../engine/both/catalogue-messages.js";
import { linesOf } from "../shared/pictures/captions.js";
import {
  boxMarks,
  cableMarks,
  lineThrough,
  type SocketLook,
  socketMarks,
  textAt,
} from "./parts.js";
import {
  type Lane,
  lanes,
  lanesOf,
  layerBegins,
  type Plan,
  type Point,
  planFor,
  smallPlan,
  socketCells,
  stepOf,
  steps,
  valueBegins,
  valueLane,
} from "./plan.js";
import type { MachineSocket } from "./state.js";

export interface MachineLabels {
  /** The two words, and what each does. */
  words: readonly [query: string, key: string];
  roles: readonly [query: string, key: string];
  /** What a scheme does at a socket, and some schemes that do. */
  acts: Record<Socket, string>;
  examples: Record<Socket, string>;
  /** What is plugged in: for the query's word, for the key's, and for both. */
  positions: readonly [query: string, key: string];
  distance: string;
  weights: string;
  /** What is done once, and what is done again in every layer. */
  before: string;
  inside: string;
  values: string;
  output: readonly string[];
  joiner: string;
}

interface Pens {
  labels: MachineLabels;
  palette: Palette;
  measure: Measure;
}

const softmax = "softmax";
const sideOf = (lane: Lane): 0 | 1 => (lane < 0 ? 0 : 1);
const below = ({ x, y }: Point, by: number): Point => ({ x, y: y + by });

const lookOf = (socket: Socket, lit: MachineSocket): SocketLook =>
  lit === socket ? "lit" : "idle";

/** The lines that carry words, queries, keys and the score. */
function laneMarks({ at, form }: Plan, { query, key, soft, ink }: Palette): Mark[] {
  const past = form === "small" ? 5 : 34;
  const start = (lane: Lane): Point => {
    const { x, y } = at(steps.word, lane);
    return form === "narrow" ? { x, y: y + 12 } : { x: x + past, y };
  };
  const both = lanes.flatMap((lane) => [
    lineThrough([start(lane), at(steps.matrix, lane)], { stroke: soft, width: 1.5 }),
    lineThrough([at(steps.matrix, lane), at(3, lane), at(steps.product, 0)], {
      stroke: lane < 0 ? query : key,
      width: 2,
    }),
  ]);
  const score = [at(steps.product, 0), at(steps.softmax, 0)];
  return [...both, lineThrough(score, { stroke: ink, width: 2 })];
}

/** The way of the value, from the key's lane to the sum of values. */
function valueWay({ at, form }: Plan): Point[] {
  const [from, to] = [at(valueBegins, 1), at(valueBegins, valueLane)];
  const end = outputAt({ at, form });
  return form === "narrow"
    ? [from, to, { x: to.x, y: end.y }, end]
    : [from, { x: from.x, y: to.y }, end];
}

/** Where the value meets its weight. */
const outputAt = ({ at, form }: Pick<Plan, "at" | "form">): Point =>
  at(steps.output, form === "narrow" ? 0 : valueLane);

/** The value's lane: its matrix, its weight from the softmax, and what comes out. */
function valueMarks(plan: Plan, { labels, palette, measure }: Pens): Mark[] {
  const { at, form } = plan;
  const isNarrow = form === "narrow";
  const [end, softmaxAt] = [outputAt(plan), at(steps.softmax, 0)];
  const matrix = at(steps.matrix, valueLane);
  const corner = isNarrow ? [] : [{ x: end.x, y: softmaxAt.y }];
  const weightAt = isNarrow
    ? { x: end.x - 8, y: (softmaxAt.y + end.y) / 2 + 8 }
    : { x: end.x - 9, y: softmaxAt.y + 52 };
  const [r, arm] = [13, 5];
  const { x, y } = end;
  return [
    lineThrough(valueWay(plan), { stroke: palette.soft, width: 1.5 }),
    lineThrough([softmaxAt, ...corner, end], { stroke: palette.ink, width: 2 }),
    ...matrixMarks(plan, valueLane, palette),
    { kind: "path", d: dialRim(x, y, r), stroke: palette.ink, width: 1.5, fill: palette.paper },
    {
      kind: "path",
      d: `M${x - arm} ${y - arm}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}`,
      stroke: palette.ink,
      width: 2,
    },
    textAt(weightAt, labels.weights, palette.soft, { align: "right" }),
    textAt(
      isNarrow ? { x: matrix.x - 32, y: matrix.y + 5 } : { x: matrix.x + 36, y: matrix.y - 9 },
      labels.values,
      palette.soft,
      { align: isNarrow ? "right" : "left" },
    ),
    ...(isNarrow
      ? [textAt({ x, y: y + r + 20 }, labels.output.join(labels.joiner), palette.ink)]
      : labels.output.map((line, row) =>
          textAt(
            { x: x - r - 12 - measure(line, 13) / 2, y: y + 24 + 16 * row },
            line,
            palette.ink,
          ),
        )),
  ];
}

/** The border before the first layer. */
function borderMarks({ at, form, width, height }: Plan, { labels, palette }: Pens): Mark[] {
  const look = { stroke: palette.hair, width: 1.5, dash: [4, 4] };
  const { x, y } = at(layerBegins, -1);
  if (form === "narrow")
    return [
      lineThrough(
        [
          { x: 0, y },
          { x: width, y },
        ],
        look,
      ),
      textAt({ x: width, y: y - 8 }, labels.before, palette.soft, { align: "right" }),
    ];
  return [
    lineThrough(
      [
        { x, y: 2 },
        { x, y: height - 4 },
      ],
      look,
    ),
    textAt({ x: x - 12, y: 15 }, labels.before, palette.soft, { align: "right" }),
    textAt({ x: x + 12, y: 15 }, labels.inside, palette.soft, { align: "left" }),
  ];
}

/** How far a position goes that is plugged in at the lit socket. */
function flowMarks(plan: Plan, lit: MachineSocket, { position }: Palette): Mark[] {
  const { at, form } = plan;
  if (lit === "none") return [];
  const look = { stroke: position, width: 2, dash: [2, 4] };
  const aside = (lane: Lane): Point => {
    const by = 5 * (lane || 1);
    return form === "narrow" ? { x: by, y: 0 } : { x: 0, y: by };
  };
  const first = stepOf(lit);
  const met = lineThrough(
    [at(Math.max(first, steps.product), 0), at(steps.softmax, 0)],
    look,
    aside(0),
  );
  const before = lanesOf(lit)
    .filter(Boolean)
    .map((lane) => {
      const passed = [first, steps.matrix, 3].filter((step) => step >= first);
      return lineThrough(
        [...new Set(passed)].map((step) => at(step, lane)).concat(at(steps.product, 0)),
        look,
        aside(lane),
      );
    });
  // Only what is added to the word goes into the value as well.
  const isInValue = lit === "word" && form !== "small";
  const value = isInValue ? [lineThrough(valueWay(plan), look, { x: 5, y: 5 })] : [];
  return [...before, ...value, met];
}

/** W with its subscript, in a box. */
function matrixMarks({ at, form }: Plan, lane: Lane, palette: Palette): Mark[] {
  const centre = at(steps.matrix, lane);
  const isSmall = form === "small";
  const size = isSmall ? 12 : 16;
  const colour = lane === valueLane ? palette.ink : lane < 0 ? palette.query : palette.key;
  const letter = lane === valueLane ? "v" : lane < 0 ? "q" : "k";
  return [
    boxMarks(centre, isSmall ? 30 : 50, isSmall ? 22 : 36, palette),
    textAt({ x: centre.x - size * 0.25, y: centre.y + size * 0.35 }, "W", palette.ink, { size }),
    textAt({ x: centre.x + size * 0.46, y: centre.y + size * 0.55 }, letter, colour, {
      size: size * 0.75,
    }),
  ];
}

/** The product, with its letters below it or beside it. */
function productMarks({ at, form }: Plan, { palette, measure }: Pens): Mark[] {
  const { x, y } = at(steps.product, 0);
  const isSmall = form === "small";
  const r = isSmall ? 9 : 13;
  const dot = (radius: number, fill: string): Mark => ({
    kind: "path",
    d: dialRim(x, y, radius),
    stroke: palette.ink,
    width: 1.5,
    fill,
  });
  const parts = [
    { text: "q", fill: palette.query },
    { text: " · ", fill: palette.ink },
    { text: "k", fill: palette.key },
  ];
  let left = form === "narrow" ? x + r + 9 : x - measure("q · k", 14) / 2;
  const letters = parts.map(({ text, fill }) => {
    const mark = textAt({ x: left, y: form === "narrow" ? y + 5 : y + r + 20 }, text, fill, {
      size: 14,
      align: "left",
    });
    left += measure(text, 14);
    return mark;
  });
  return [dot(r, palette.paper), dot(isSmall ? 2 : 2.5, palette.ink), ...(isSmall ? [] : letters)];
}

function softmaxMarks({ at, form }: Plan, { palette, measure }: Pens): Mark[] {
  const centre = at(steps.softmax, 0);
  const isSmall = form === "small";
  const size = isSmall ? 11 : 14;
  const width = measure(softmax, size) + (isSmall ? 6 : 18);
  const name = textAt(below(centre, size * 0.32), softmax, palette.ink, { size });
  const box = boxMarks(centre, width, isSmall ? 22 : 36, palette);
  return [box, name];
}

/** The two words at the beginning, each with its role. */
function wordMarks({ at, form }: Plan, { labels, palette }: Pens): Mark[] {
  return lanes.flatMap((lane): Mark[] => {
    const centre = at(steps.word, lane);
    if (form === "small") {
      const { x, y } = centre;
      return [{ kind: "path", d: dialRim(x, y, 4), stroke: palette.ink, width: 1.5 }];
    }
    const [word, role] = [labels.words, labels.roles].map((both) => both[sideOf(lane)]!);
    const isNarrow = form === "narrow";
    return [
      textAt(below(centre, isNarrow ? 4 : 5), word!, palette.ink, { size: 16 }),
      textAt(below(centre, isNarrow ? -14 : 24), role!, palette.soft),
    ];
  });
}

/** What a scheme does at a socket, and below it some schemes that do. */
function actMarks(plan: Plan, socket: Socket, look: SocketLook, pens: Pens): Mark[] {
  const { labels, palette, measure } = pens;
  const { at, form } = plan;
  const middle = at(stepOf(socket), 0);
  const isNarrow = form === "narrow";
  const isAlone = isNarrow && socket === "bias";
  const room = isNarrow
    ? isAlone
      ? at(0, valueLane).x - middle.x - 40
      : at(0, 1).x - at(0, -1).x - 44
    : socket === "word"
      ? 2 * (at(layerBegins, 0).x - middle.x) - 20
      : 260;
  const name = linesOf(`${sockets.indexOf(socket) + 1}  ${labels.acts[socket]}`, room, measure, 13);
  const lines = [...name, ...linesOf(labels.examples[socket], room, measure, 13)];
  const top = isNarrow ? middle.y + 5 - 8 * (lines.length - 1) : 46;
  return lines.map((line, row) =>
    textAt(
      { x: isAlone ? middle.x + 28 : middle.x, y: top + 17 * row },
      line,
      row < name.length ? palette.ink : look === "lit" ? palette.position : palette.soft,
      { weight: row < name.length ? 600 : 400, align: isAlone ? "left" : "center" },
    ),
  );
}

/** The cables that lead to a socket, each from the position that it brings. */
function plugMarks(plan: Plan, socket: Socket, look: SocketLook, pens: Pens): Mark[] {
  const { labels, palette, measure } = pens;
  const { at, form } = plan;
  const colour = look === "idle" ? palette.soft : palette.position;
  const cables = lanesOf(socket).flatMap((lane) => {
    const to = at(stepOf(socket), lane);
    const text = lane ? labels.positions[sideOf(lane)] : labels.distance;
    const isAfter = lane > 0;
    if (form !== "narrow") {
      const y = isAfter ? 374 : 112;
      const from = { x: to.x, y: isAfter ? y - 16 : y + 8 };
      return [textAt({ x: to.x, y }, text, colour), ...cableMarks(from, to, plan, look, palette)];
    }
    const edge = isAfter ? at(0, valueLane).x - 8 : 2;
    const wide = lane ? 0 : measure(text, 13) + 5;
    const label = textAt({ x: edge, y: to.y + (lane ? -22 : 4) }, text, colour, {
      align: isAfter ? "right" : "left",
    });
    return [label, ...cableMarks({ x: edge + wide, y: to.y }, to, plan, look, palette)];
  });
  return [...actMarks(plan, socket, look, pens), ...cables];
}

/** All that is drawn in every form of the machine. */
function machineMarks(plan: Plan, lit: MachineSocket, pens: Pens): Mark[] {
  const { palette } = pens;
  const isSmall = plan.form === "small";
  return [
    ...laneMarks(plan, palette),
    ...(isSmall ? [] : valueMarks(plan, pens)),
    ...flowMarks(plan, lit, palette),
    ...lanes.flatMap((lane) => matrixMarks(plan, lane, palette)),
    ...productMarks(plan, pens),
    ...softmaxMarks(plan, pens),
    ...wordMarks(plan, pens),
    ...sockets.flatMap((socket) =>
      lanesOf(socket).flatMap((lane) =>
        socketMarks(plan.at(stepOf(socket), lane), plan, socket, lookOf(socket, lit), palette),
      ),
    ),
  ];
}

/** The names of a socket's schemes, in a box at the socket. */
function namesMarks(plan: Plan, socket: Socket, said: string, { palette, measure }: Pens): Mark[] {
  const size = 13;
  const lines = linesOf(said, Math.min(290, plan.width - 20), measure, size);
  const width = Math.max(...lines.map((line) => measure(line, size))) + 18;
  const { x: middle, y } = plan.at(stepOf(socket), 0);
  const x = Math.min(plan.width - width - 1, Math.max(1, middle - width / 2));
  const height = 17 * lines.length + 11;
  const isBetween = plan.form === "wide" && socket !== "bias";
  // Below the letters of the product, or the next step.
  const top = isBetween ? y - height / 2 : y + plan.radius + (plan.form === "wide" ? 24 : 12);
  return [
    { kind: "rect", x, y: top, width, height, fill: palette.paper, stroke: palette.hair },
    ...lines.map((line, row) =>
      textAt({ x: x + 9, y: top + 18 + 17 * row }, line, palette.ink, { size, align: "left" }),
    ),
  ];
}

/** Returns the socket of a cell, whose cells are side by side or one below the other. */
export const socketAt = ({ row, column }: Cell): Socket => sockets[row + column]!;

/** `names` has the schemes of each socket, in one text; undefined while they are unknown. */
export function drawMachine(
  lit: MachineSocket,
  labels: MachineLabels,
  names: Record<Socket, string> | undefined,
  title: string,
): Draw {
  return (width, palette, measure) => {
    const plan = planFor(width);
    const pens = { labels, palette, measure };
    const said = (socket: Socket) => names?.[socket] ?? labels.acts[socket];
    const over = (active: Cell | undefined): Over => {
      const socket = active && socketAt(active);
      return { marks: socket && names ? namesMarks(plan, socket, names[socket], pens) : [] };
    };
    return {
      width,
      height: plan.height,
      marks: [
        ...borderMarks(plan, pens),
        ...sockets.flatMap((socket) => plugMarks(plan, socket, lookOf(socket, lit), pens)),
        ...machineMarks(plan, lit, pens),
      ],
      grids: [
        {
          id: "sockets",
          label: title,
          ...socketCells(plan),
          describe: (row, column) => said(socketAt({ row, column })),
        },
      ],
      over,
    };
  };
}

/** Returns the socket that a scheme's machine lights: the first that it uses. */
export const firstOf = (used: readonly Socket[]): MachineSocket =>
  sockets.find((socket) => used.includes(socket)) ?? "none";

/** Returns the small machine at the head of a scheme's page. */
export function smallMachine(
  lit: MachineSocket,
  labels: MachineLabels,
  width: number,
  palette: Palette,
  measure: Measure,
): Picture {
  const plan = smallPlan(width);
  const marks = machineMarks(plan, lit, { labels, palette, measure });
  return { width, height: plan.height, marks, grids: [] };
}

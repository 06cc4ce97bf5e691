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
  type Plan,
  type Point,
  planFor,
  smallPlan,
  socketCells,
  stepOf,
  steps,
} from "./plan.js";
import type { MachineSocket } from "./state.js";

export interface MachineLabels {
  /** The two words, and what each does. */
  words: readonly [query: string, key: string];
  roles: readonly [query: string, key: string];
  /** What a scheme does at a socket. */
  acts: Record<Socket, string>;
  /** What is plugged in: for the query's word, for the key's, and for both. */
  positions: readonly [query: string, key: string];
  distance: string;
  weights: string;
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
  lit === "none" ? "open" : lit === socket ? "lit" : "idle";

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

/** How far a position goes that is plugged in at the lit socket. */
function flowMarks({ at, form }: Plan, lit: MachineSocket, { position }: Palette): Mark[] {
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
  return [...before, met];
}

/** W with its subscript, in a box. */
function matrixMarks({ at, form }: Plan, lane: Lane, palette: Palette): Mark[] {
  const centre = at(steps.matrix, lane);
  const isSmall = form === "small";
  const size = isSmall ? 12 : 16;
  const colour = lane < 0 ? palette.query : palette.key;
  return [
    boxMarks(centre, isSmall ? 30 : 50, isSmall ? 22 : 36, palette),
    textAt({ x: centre.x - size * 0.25, y: centre.y + size * 0.35 }, "W", palette.ink, { size }),
    textAt({ x: centre.x + size * 0.5, y: centre.y + size * 0.55 }, lane < 0 ? "q" : "k", colour, {
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

function softmaxMarks({ at, form }: Plan, { labels, palette, measure }: Pens): Mark[] {
  const centre = at(steps.softmax, 0);
  const isSmall = form === "small";
  const size = isSmall ? 11 : 14;
  const width = measure(softmax, size) + (isSmall ? 6 : 18);
  const name = textAt(below(centre, size * 0.32), softmax, palette.ink, { size });
  const box = boxMarks(centre, width, isSmall ? 22 : 36, palette);
  if (isSmall) return [box, name];
  return [box, name, textAt(below(centre, 36), labels.weights, palette.soft, { size: 12 })];
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
      textAt(below(centre, isNarrow ? -14 : 24), role!, palette.soft, { size: 12 }),
    ];
  });
}

/** What a scheme does at a socket, and the cables that lead there. */
function plugMarks(plan: Plan, socket: Socket, look: SocketLook, pens: Pens): Mark[] {
  const { labels, palette, measure } = pens;
  const { at, form, width } = plan;
  const step = stepOf(socket);
  const isNarrow = form === "narrow";
  const fill = look === "idle" ? palette.soft : palette.ink;
  const name = `${sockets.indexOf(socket) + 1}  ${labels.acts[socket]}`;
  const middle = at(step, 0);
  const isAlone = isNarrow && socket === "bias";
  const room = isNarrow ? (isAlone ? width / 2 - 40 : 0.42 * width - 44) : 260;
  const lines = linesOf(name, room, measure, 13);
  const top = isNarrow ? middle.y + 5 - 8 * (lines.length - 1) : 18;
  const heading = lines.map((line, row) =>
    textAt({ x: isAlone ? middle.x + 28 : middle.x, y: top + 16 * row }, line, fill, {
      weight: look === "lit" ? 600 : 400,
      align: isAlone ? "left" : "center",
    }),
  );
  const cables = lanesOf(socket).flatMap((lane) => {
    const to = at(step, lane);
    const text = lane ? labels.positions[sideOf(lane)] : labels.distance;
    const colour = look === "idle" ? palette.soft : palette.position;
    if (!isNarrow) {
      const isBelow = lane > 0;
      const y = isBelow ? 288 : 50;
      const from = { x: to.x, y: isBelow ? y - 16 : y + 8 };
      return [textAt({ x: to.x, y }, text, colour), ...cableMarks(from, to, plan, look, palette)];
    }
    const isRight = lane > 0;
    const wide = measure(text, 13) + 5;
    const label = textAt({ x: isRight ? width : 0, y: to.y + 4 }, text, colour, {
      align: isRight ? "right" : "left",
    });
    const from = { x: isRight ? width - wide : wide, y: to.y };
    return [label, ...cableMarks(from, to, plan, look, palette)];
  });
  return [...heading, ...cables];
}

/** All that is drawn in every form of the machine. */
function machineMarks(plan: Plan, lit: MachineSocket, pens: Pens): Mark[] {
  const { palette } = pens;
  return [
    ...laneMarks(plan, palette),
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

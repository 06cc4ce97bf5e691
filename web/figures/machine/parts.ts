/** Drawings of the machine's parts: sockets, cables with plugs, boxes, and the lines between. */
import type { Palette } from "../../drawing/colour.js";
import { dialBow, dialRim } from "../../drawing/dial.js";
import type { Mark, PathMark, TextMark } from "../../drawing/scene.js";
import type { Socket } from "../../engine/both/catalogue-messages.js";
import type { Plan, Point } from "./plan.js";

/** "lit": something is plugged in here; "idle": not. */
export type SocketLook = "lit" | "idle";

const one = (value: number): string => value.toFixed(1);

/** Draws a line through points, moved by an offset. */
export const lineThrough = (
  points: readonly Point[],
  look: Pick<PathMark, "stroke" | "width" | "dash">,
  { x: dx, y: dy }: Point = { x: 0, y: 0 },
): Mark => ({
  kind: "path",
  d: points.map(({ x, y }, at) => `${at ? "L" : "M"}${one(x + dx)} ${one(y + dy)}`).join(""),
  ...look,
});

export const textAt = (
  { x, y }: Point,
  text: string,
  fill: string,
  more: Partial<TextMark> = {},
): TextMark => ({ kind: "text", x, y, text, fill, size: 13, align: "center", ...more });

/** Draws an arc with a head, clockwise. */
function rotationSign({ x, y }: Point, r: number, stroke: string): Mark[] {
  const [from, to] = [0.9, 2 * Math.PI];
  const tip = { x: x + r * Math.sin(to), y: y - r * Math.cos(to) };
  const [back, half] = [r * 0.62, r * 0.5];
  const head =
    `M${one(tip.x - back)} ${one(tip.y - half)}` +
    `L${one(tip.x + 1)} ${one(tip.y)}L${one(tip.x - back)} ${one(tip.y + half)}`;
  return [
    { kind: "path", d: dialBow(x, y, r, from, to), stroke, width: 2 },
    { kind: "path", d: head, stroke, width: 2 },
  ];
}

const plusSign = ({ x, y }: Point, r: number, stroke: string): Mark => ({
  kind: "path",
  d: `M${one(x - r)} ${one(y)}H${one(x + r)}M${one(x)} ${one(y - r)}V${one(y + r)}`,
  stroke,
  width: 2,
});

/** Draws a socket with its sign: + or a rotation. */
export function socketMarks(
  centre: Point,
  { radius }: Plan,
  socket: Socket,
  look: SocketLook,
  palette: Palette,
): Mark[] {
  const { x, y } = centre;
  const { position, paper, soft } = palette;
  const colour = look === "idle" ? soft : position;
  const sign = look === "lit" ? paper : colour;
  const r = radius * 0.5;
  const halo: Mark = {
    kind: "path",
    d: dialRim(x, y, radius + 8),
    stroke: position,
    width: 0,
    fill: position,
    fillOpacity: 0.2,
  };
  return [
    ...(look === "lit" ? [halo] : []),
    {
      kind: "path",
      d: dialRim(x, y, radius),
      stroke: colour,
      width: look === "idle" ? 1.5 : 2,
      fill: look === "lit" ? position : paper,
    },
    ...(socket === "rotation" ? rotationSign(centre, r, sign) : [plusSign(centre, r, sign)]),
  ];
}

/** Draws a cable from its label towards a socket; it ends in a plug, or is plugged in. */
export function cableMarks(
  from: Point,
  to: Point,
  { radius }: Plan,
  look: SocketLook,
  palette: Palette,
): Mark[] {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const along = (distance: number): Point => ({
    x: from.x + ux * distance,
    y: from.y + uy * distance,
  });
  if (look === "lit") {
    const drawn = { stroke: palette.position, width: 3 };
    return [lineThrough([from, along(length - radius)], drawn)];
  }
  // A plug with two prongs, before the ring.
  const stroke = palette.soft;
  const [gap, prong, body, half] = [5, 10, 15, 10];
  const front = Math.max(body + 4, length - radius - gap - prong);
  const aside = (distance: number, side: number): Point => {
    const { x, y } = along(distance);
    return { x: x - uy * side, y: y + ux * side };
  };
  const corners = [
    aside(front, -half),
    aside(front, half),
    aside(front - body, half * 0.6),
    aside(front - body, -half * 0.6),
  ];
  const outline = corners.map(({ x, y }, at) => `${at ? "L" : "M"}${one(x)} ${one(y)}`).join("");
  return [
    lineThrough([from, along(front - body)], { stroke, width: 2 }),
    { kind: "path", d: `${outline}Z`, stroke, width: 1, fill: stroke },
    ...[-5, 5].map((side) =>
      lineThrough([aside(front, side), aside(front + prong, side)], { stroke, width: 3 }),
    ),
  ];
}

export const boxMarks = (
  { x, y }: Point,
  width: number,
  height: number,
  palette: Palette,
): Mark => ({
  kind: "rect",
  x: x - width / 2,
  y: y - height / 2,
  width,
  height,
  fill: palette.paper,
  stroke: palette.ink,
  lineWidth: 1.5,
});

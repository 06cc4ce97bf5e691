/** A dial like a clock's: its rim, hands on it, and the area between two angles. */

const fullCircle = 2 * Math.PI;

/** Returns an angle in radians between −π and π. */
export function halfway(radians: number): number {
  const angle = ((radians % fullCircle) + fullCircle) % fullCircle;
  return angle > Math.PI ? angle - fullCircle : angle;
}

/** Draws a hand that points up at angle 0 and rotates clockwise. */
export function dialHand(x: number, y: number, angle: number, length: number): string {
  const [dx, dy] = [Math.sin(angle) * length, -Math.cos(angle) * length];
  return `M${x.toFixed(1)} ${y.toFixed(1)}L${(x + dx).toFixed(1)} ${(y + dy).toFixed(1)}`;
}

/** Returns the rim of a dial, as a path. */
export const dialRim = (x: number, y: number, r: number): string =>
  `M${(x - r).toFixed(1)} ${y.toFixed(1)}` +
  `A${r} ${r} 0 1 1 ${(x + r).toFixed(1)} ${y.toFixed(1)}` +
  `A${r} ${r} 0 1 1 ${(x - r).toFixed(1)} ${y.toFixed(1)}`;

/** Returns a point on a circle: angle 0 is up, and angles increase clockwise. */
const at = (x: number, y: number, r: number, angle: number): string =>
  `${(x + r * Math.sin(angle)).toFixed(1)} ${(y - r * Math.cos(angle)).toFixed(1)}`;

/**
 * Returns an arc between two angles, in several pieces: renderers draw nothing for an arc that ends
 * at its beginning.
 */
function arc(x: number, y: number, r: number, from: number, to: number): string {
  const steps = Math.max(1, Math.ceil((to - from) / 2));
  const ends = Array.from({ length: steps }, (_, i) => from + ((to - from) * (i + 1)) / steps);
  return ends.map((angle) => `A${r} ${r} 0 0 1 ${at(x, y, r, angle)}`).join("");
}

/** Returns a filled sector of the dial, from the top to an angle. */
export const dialSector = (x: number, y: number, r: number, to: number): string =>
  `M${x} ${y}L${at(x, y, r, 0)}${arc(x, y, r, 0, to)}Z`;

/** Returns the part of the rim between two angles. */
export const dialBow = (x: number, y: number, r: number, from: number, to: number): string =>
  `M${at(x, y, r, from)}${arc(x, y, r, from, to)}`;

/** Returns the shorter way between two hands, clockwise: where it begins, and where it ends. */
export function shorterWay(one: number, other: number): [from: number, to: number] {
  const angle = halfway(one - other);
  const from = (angle < 0 ? one : other) % fullCircle;
  return [from, from + Math.abs(angle)];
}

/** Returns a filled sector of the dial between two angles. */
export const dialWedge = (x: number, y: number, r: number, from: number, to: number): string =>
  `M${x.toFixed(1)} ${y.toFixed(1)}L${at(x, y, r, from)}${arc(x, y, r, from, to)}Z`;

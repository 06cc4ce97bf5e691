/** One dial: its rim, hands on it, and what lies between two angles. */

/** A hand that points up at angle 0 and turns clockwise. */
export function dialHand(x: number, y: number, angle: number, length: number): string {
  const [dx, dy] = [Math.sin(angle) * length, -Math.cos(angle) * length];
  return `M${x.toFixed(1)} ${y.toFixed(1)}L${(x + dx).toFixed(1)} ${(y + dy).toFixed(1)}`;
}

/** The rim of a dial, as a path. */
export const dialRim = (x: number, y: number, r: number): string =>
  `M${(x - r).toFixed(1)} ${y.toFixed(1)}` +
  `A${r} ${r} 0 1 1 ${(x + r).toFixed(1)} ${y.toFixed(1)}` +
  `A${r} ${r} 0 1 1 ${(x - r).toFixed(1)} ${y.toFixed(1)}`;

/** A point on a circle: angle 0 is up, and it goes clockwise. */
const at = (x: number, y: number, r: number, angle: number): string =>
  `${(x + r * Math.sin(angle)).toFixed(1)} ${(y - r * Math.cos(angle)).toFixed(1)}`;

/** An arc between two angles, in steps that no renderer takes for a whole circle. */
function arc(x: number, y: number, r: number, from: number, to: number): string {
  const steps = Math.max(1, Math.ceil((to - from) / 2));
  const ends = Array.from({ length: steps }, (_, i) => from + ((to - from) * (i + 1)) / steps);
  return ends.map((angle) => `A${r} ${r} 0 0 1 ${at(x, y, r, angle)}`).join("");
}

/** A filled piece of the dial, from the top to an angle. */
export const dialSector = (x: number, y: number, r: number, to: number): string =>
  `M${x} ${y}L${at(x, y, r, 0)}${arc(x, y, r, 0, to)}Z`;

/** A stretch of the rim between two angles. */
export const dialBow = (x: number, y: number, r: number, from: number, to: number): string =>
  `M${at(x, y, r, from)}${arc(x, y, r, from, to)}`;

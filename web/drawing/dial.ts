/** One dial: its rim, and hands on it. */

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

/** Clock hands: one row for each pair of channels, one dial for each position. */
import type { Palette } from "./colour.js";
import type { Mark } from "./scene.js";

export interface Dials {
  x: number;
  y: number;
  /** Distance between the centres of dials. */
  pitch: number;
  columns: number;
  /** Radians per position, by row. */
  frequencies: ArrayLike<number>;
  /** Position of the first dial; default 0. */
  from?: number;
}

const short = (value: number): string => value.toFixed(1);

/** Draws hands that are upright at position 0 and rotate clockwise. */
export function dialMarks(
  { x, y, pitch, columns, frequencies, from = 0 }: Dials,
  palette: Palette,
): Mark[] {
  const radius = pitch * 0.4;
  let rims = "";
  let hands = "";
  for (let row = 0; row < frequencies.length; row++) {
    for (let position = 0; position < columns; position++) {
      const centreX = x + (position + 0.5) * pitch;
      const centreY = y + (row + 0.5) * pitch;
      const angle = (from + position) * frequencies[row]!;
      const rim = `A${short(radius)} ${short(radius)} 0 1 1`;
      rims +=
        `M${short(centreX - radius)} ${short(centreY)}` +
        `${rim} ${short(centreX + radius)} ${short(centreY)}` +
        `${rim} ${short(centreX - radius)} ${short(centreY)}`;
      hands +=
        `M${short(centreX)} ${short(centreY)}` +
        `L${short(centreX + radius * Math.sin(angle))} ` +
        `${short(centreY - radius * Math.cos(angle))}`;
    }
  }
  return [
    { kind: "path", d: rims, stroke: palette.hair, width: 1 },
    { kind: "path", d: hands, stroke: palette.position, width: pitch > 26 ? 2 : 1.5 },
  ];
}

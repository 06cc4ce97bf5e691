/** A ramp of colours as a strip, for the legend of a map. */
import type { Palette } from "./colour.js";
import type { Mark } from "./scene.js";

export interface Strip {
  x: number;
  y: number;
  width: number;
  height: number;
  /** Number of colours. */
  parts: number;
}

/** `colourAt` returns the colour at 0 … 1 along the strip. */
export function stripMarks(
  { x, y, width, height, parts }: Strip,
  colourAt: (share: number) => string,
  palette: Palette,
): Mark[] {
  const step = width / parts;
  const steps = Array.from({ length: parts }, (_, part): Mark => {
    const fill = colourAt(part / (parts - 1));
    return { kind: "rect", x: x + part * step, y, width: step + 0.5, height, fill };
  });
  const edge = { x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1 };
  return [...steps, { kind: "rect", ...edge, stroke: palette.hair }];
}

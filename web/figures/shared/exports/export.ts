/**
 * A figure as a file: its picture with title and scales, or its numbers. Loaded when a reader saves
 * one.
 */
import type { Scale } from "../../../controls/scale.js";
import { type Palette, signedColour, weightColour } from "../../../drawing/colour.js";
import { measureIn, paint, systemFaces } from "../../../drawing/paint.js";
import type { Mark, Measure, Picture } from "../../../drawing/scene.js";
import { stripMarks } from "../../../drawing/strip.js";
import { toSvg } from "../../../drawing/svg.js";
import { caption, heading, headingLines } from "../pictures/captions.js";

const csvField = (value: string | number): string =>
  typeof value === "number"
    ? String(value)
    : /[",\n]/.test(value)
      ? `"${value.replaceAll('"', '""')}"`
      : value;

/**
 * Writes comma-separated values (RFC 4180), with the byte order mark that makes spreadsheets read
 * UTF-8.
 */
export const toCsv = (table: readonly (string | number)[][]): string =>
  `\ufeff${table.map((row) => row.map(csvField).join(",")).join("\r\n")}\r\n`;

const line = 20;
const strip = { width: 120, height: 12, parts: 60 };

/** Draws a scale of the figure's legend, as on the page. */
function scaleMarks(scale: Scale, y: number, palette: Palette, measure: Measure): Mark[] {
  const { low, high, label, signed } = scale;
  const x = measure(low, 13) + 8;
  const colourAt = (share: number) =>
    signed ? signedColour(palette, share * 2 - 1, 1) : weightColour(palette, share, 1);
  return [
    caption(palette, 0, y, low),
    ...stripMarks({ ...strip, x, y: y - 10 }, colourAt, palette),
    caption(palette, x + strip.width + 8, y, `${high}  ${label}`),
  ];
}

/** Returns the picture with its title above and its scales below. */
function captioned(
  picture: Picture,
  title: string,
  scales: readonly Scale[],
  palette: Palette,
): Picture {
  const measure = measureIn(picture.faces ?? systemFaces);
  const lines = headingLines(title, picture.width, measure);
  const above = lines.length * line + 8;
  const titles = lines.map((text, index) =>
    heading(palette, 0, (index + 0.7) * line - above, text),
  );
  const below = scales.flatMap((scale, index) =>
    scaleMarks(scale, picture.height + (index + 0.9) * line, palette, measure),
  );
  const height = picture.height + (scales.length && (scales.length + 0.5) * line);
  return { ...picture, above, height, marks: [...titles, ...picture.marks, ...below] };
}

export async function pictureFile(
  kind: "png" | "svg",
  picture: Picture,
  title: string,
  scales: readonly Scale[],
  palette: Palette,
): Promise<Blob | null> {
  const whole = captioned(picture, title, scales, palette);
  if (kind === "svg")
    return new Blob([toSvg(whole, title, palette.paper)], { type: "image/svg+xml" });
  const canvas = document.createElement("canvas");
  paint(canvas, whole, 3, palette.paper);
  return new Promise((resolve) => canvas.toBlob(resolve));
}

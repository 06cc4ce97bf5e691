/** Converts colours in any CSS form to numbers: the browser paints them, and the pixel is read. */

let context: CanvasRenderingContext2D | null | undefined;

/** Returns red, green and blue, 0 to 255; black if the text is not a colour. */
export function rgbOf(colour: string): readonly [number, number, number] {
  context ??= Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext(
    "2d",
    { willReadFrequently: true },
  );
  if (!context) return [0, 0, 0];
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = "#000000";
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
  return [r!, g!, b!];
}

/** Returns the colour as `#rrggbb`. */
export const hexOf = (colour: string): string =>
  `#${rgbOf(colour)
    .map((channel) => channel.toString(16).padStart(2, "0"))
    .join("")}`;

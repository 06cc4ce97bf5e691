/** Names at the ends of two hands of a dial. */
import type { Palette } from "../../../drawing/colour.js";
import { halfway } from "../../../drawing/dial.js";
import type { Mark, Measure, TextMark } from "../../../drawing/scene.js";
import { caption } from "./captions.js";

export interface NamedHand {
  name: string;
  /** In radians, from the top clockwise. */
  angle: number;
  colour: string;
}

/** A text with the paper under it, so that lines below do not cross it. */
export function onPaper(text: TextMark, { paper }: Palette, measure: Measure): Mark[] {
  const width = measure(text.text, text.size);
  const left = text.align === "right" ? width : text.align === "center" ? width / 2 : 0;
  const [x, y] = [text.x - left - 2, text.y - 11];
  return [{ kind: "rect", x, y, width: width + 4, height: 15, fill: paper }, text];
}

/** Angle between names that do not touch, times the radius. */
const apart = 26;

/** Writes the names around a dial, moved along its rim where the hands are close together. */
export function handLabels(
  hands: readonly [NamedHand, NamedHand],
  { x, y, r }: { x: number; y: number; r: number },
  palette: Palette,
  measure: Measure,
): Mark[] {
  const [first, second] = hands;
  const between = halfway(second.angle - first.angle);
  const missing = Math.max(0, apart / r - Math.abs(between)) / 2;
  const shift = between < 0 ? -missing : missing;
  const angles = [first.angle - shift, second.angle + shift];
  return hands.flatMap(({ name, colour }, at): Mark[] => {
    const [right, up] = [Math.sin(angles[at]!), Math.cos(angles[at]!)];
    const align = right > 0.3 ? "left" : right < -0.3 ? "right" : "center";
    const text = caption(palette, x + right * r, y - up * r + 4, name, align);
    return onPaper({ ...text, fill: colour, weight: 600 }, palette, measure);
  });
}

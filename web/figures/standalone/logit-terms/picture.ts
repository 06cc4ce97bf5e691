/** A column for each key: its terms stacked up and down from zero, with a mark at their sum. */
import type { Draw } from "../../../controls/scene-view.js";
import { axisMarks, type Frame, heightOf, roundUp, rule } from "../../../drawing/axes.js";
import { mix, type Palette } from "../../../drawing/colour.js";
import { type KeyEntry, keyMarks } from "../../../drawing/key.js";
import type { Grid, Mark, Measure } from "../../../drawing/scene.js";
import { caption } from "../../shared/pictures/captions.js";
import type { Terms } from "./terms.js";

export interface TermsView {
  shown: Terms;
  nameOf: (term: string) => string;
  total: string;
  y: string;
  label: string;
  describe: (key: number) => string;
}

const height = 240;

/** Returns the colour of content or of position; several terms of position have shades of it. */
function colourOf({ terms }: Terms, at: number, palette: Palette): string {
  if (terms[at]!.name === "content") return palette.content;
  const others = terms.filter(({ name }) => name !== "content");
  const index = others.indexOf(terms[at]!);
  return mix(palette.position, palette.paper, (0.7 * index) / Math.max(1, others.length));
}

/** Returns round limits that contain the stacks and the sums. */
function endsOf({ terms, totals }: Terms) {
  let [low, high] = [0, 0];
  for (const [key, total] of totals.entries()) {
    const parts = terms.map(({ values }) => values[key] || 0);
    const up = parts.reduce((sum, value) => sum + Math.max(0, value), 0);
    const down = parts.reduce((sum, value) => sum + Math.min(0, value), 0);
    [low, high] = [Math.min(low, down, total), Math.max(high, up, total)];
  }
  return {
    minY: low < 0 ? -roundUp(-low) : 0,
    maxY: high > 0 || low === 0 ? roundUp(high || 1) : 0,
  };
}

function keyOf({ shown, nameOf, total }: TermsView, palette: Palette): KeyEntry[] {
  const entries = shown.terms.map(({ name }, at): KeyEntry => {
    const fill = colourOf(shown, at, palette);
    const box = { width: 22, height: 11, fill };
    return { name: nameOf(name), sample: (x, y) => ({ kind: "rect", x, y: y - 10, ...box }) };
  });
  const sample = (x: number, y: number) => rule(x, y - 4, x + 22, y - 4, palette.ink, 3);
  return [...entries, { name: total, sample }];
}

/** Draws the stack of one key. */
function barMarks(shown: Terms, key: number, frame: Frame, pitch: number, palette: Palette) {
  const x = frame.left + (key + 0.12) * pitch;
  const width = pitch * 0.76;
  let [up, down] = [0, 0];
  const bars = shown.terms.map(({ values }, at): Mark => {
    const value = values[key] || 0;
    const from = value < 0 ? down : up;
    if (value < 0) down += value;
    else up += value;
    const ends = [heightOf(frame, from), heightOf(frame, from + value)];
    const y = Math.min(...ends);
    const size = { width, height: Math.abs(ends[0]! - ends[1]!) };
    return { kind: "rect", x, y, ...size, fill: colourOf(shown, at, palette) };
  });
  const y = heightOf(frame, shown.totals[key]!);
  return [...bars, rule(x - pitch * 0.08, y, x + width + pitch * 0.08, y, palette.ink, 3)];
}

/** Draws the keys' texts under the columns, or some of them; long ones are rotated. */
function labelMarks(
  { keys, totals }: Terms,
  { left, top }: Frame,
  pitch: number,
  palette: Palette,
  measure: Measure,
): { marks: Mark[]; room: number } {
  const texts = totals.map((_, key) => [...(keys[key] || String(key + 1))].slice(0, 12).join(""));
  const widest = Math.max(...texts.map((text) => measure(text, 12)));
  const isLevel = widest <= pitch - 4;
  const step = Math.max(1, Math.ceil(14 / pitch));
  const y = top + height;
  const marks = texts.flatMap((text, key): Mark[] => {
    if (key % step) return [];
    const x = left + (key + 0.5) * pitch;
    const fill = palette.key;
    if (isLevel) return [{ ...caption(palette, x, y + 16, text, "center"), fill }];
    return [{ ...caption(palette, x + 4, y + 8, text, "right"), fill, rotation: -Math.PI / 2 }];
  });
  return { marks, room: isLevel ? 24 : widest + 16 };
}

export const drawTerms =
  (view: TermsView): Draw =>
  (width, palette, measure) => {
    const { shown, y, label, describe } = view;
    const key = keyMarks(keyOf(view, palette), { width, indent: 29 }, palette, measure);
    const count = shown.totals.length;
    const frame: Frame = {
      left: 40,
      top: key.baseline + 44,
      width: width - 44,
      height,
      maxX: count,
      ...endsOf(shown),
    };
    const pitch = frame.width / count;
    const labels = labelMarks(shown, frame, pitch, palette, measure);
    const bars = shown.totals.flatMap((_, at) => barMarks(shown, at, frame, pitch, palette));
    const grid: Grid = {
      id: "keys",
      label,
      x: frame.left,
      y: frame.top,
      rows: 1,
      columns: count,
      cellWidth: pitch,
      cellHeight: height,
      describe: (_, column) => describe(column),
    };
    return {
      width,
      height: frame.top + height + labels.room,
      marks: [
        ...key.marks,
        ...axisMarks(frame, palette, { x: "", y: "", columns: [] }),
        caption(palette, 0, frame.top - 14, y),
        ...bars,
        ...labels.marks,
      ],
      grids: [grid],
    };
  };

/** A dial for every pair, in rows: its hand at one position, and the hand without scaling. */
import type { Draw } from "../../../controls/scene-view.js";
import { dialHand, dialRim } from "../../../drawing/dial.js";
import { keyMarks } from "../../../drawing/key.js";
import type { Mark, PathMark } from "../../../drawing/scene.js";
import type { PairsAnswer } from "../../../engine/both/element-messages.js";
import { wavelength } from "../../../engine/both/stretched-pairs.js";
import { caption } from "../../shared/pictures/captions.js";
import type { DialWords } from "./words.js";

const radius = 22;
const rowHeight = 2 * radius + 46;

/** Whether a scaling changes any pair. */
export const isScaled = ({ before, after }: PairsAnswer): boolean =>
  after.some((radians, pair) => Math.abs(radians - before[pair]!) > 1e-6 * radians);

export const drawDials =
  (shown: PairsAnswer, position: number, words: DialWords): Draw =>
  (width, palette, measure) => {
    const { before, after } = shown;
    const texts = Array.from(after, (radians) => words.wavelength(wavelength(radians)));
    const widest = Math.max(2 * radius, ...texts.map((text) => measure(text, 12)));
    const columns = Math.max(1, Math.min(after.length, Math.floor(width / (widest + 16))));
    const pitch = width / Math.max(columns, Math.min(8, Math.floor(width / (widest + 16))));
    const rows = Math.ceil(after.length / columns);
    const hasBoth = isScaled(shown);
    const sample =
      (style: Pick<PathMark, "stroke" | "width" | "dash">) =>
      (x: number, y: number): Mark => ({ kind: "path", d: `M${x} ${y - 4}h26`, ...style });
    const unscaled = { stroke: palette.soft, width: 1.5, dash: [4, 3] };
    const scaled = { stroke: palette.position, width: 3 };
    const entries = [
      { name: words.hand, sample: sample(scaled) },
      { name: words.before, sample: sample(unscaled) },
    ];
    const key = hasBoth ? keyMarks(entries, { width }, palette, measure) : undefined;
    const top = key ? key.baseline + 16 : 4;
    const marks: Mark[] = Array.from(after, (radians, pair): Mark[] => {
      const x = ((pair % columns) + 0.5) * pitch;
      const y = top + Math.floor(pair / columns) * rowHeight + radius + 2;
      const hand = (each: number, length: number) => dialHand(x, y, position * each, length);
      return [
        { kind: "path", d: dialRim(x, y, radius), stroke: palette.hair, width: 1 },
        ...(hasBoth
          ? [{ kind: "path", d: hand(before[pair]!, radius), ...unscaled } as const]
          : []),
        { kind: "path", d: hand(radians, radius - 2), ...scaled },
        {
          ...caption(palette, x, y + radius + 15, words.pair(pair + 1), "center"),
          fill: palette.ink,
        },
        caption(palette, x, y + radius + 30, texts[pair]!, "center"),
      ];
    }).flat();
    const describe = (row: number, column: number) => {
      const pair = row * columns + column;
      const radians = after[pair];
      if (radians === undefined) return "";
      return words.cell(pair + 1, position * radians, wavelength(radians));
    };
    const grid = { id: "dials", label: words.name, x: 0, y: top, rows, columns, describe };
    return {
      width,
      height: top + rows * rowHeight,
      marks: [...(key?.marks ?? []), ...marks],
      grids: [{ ...grid, cellWidth: pitch, cellHeight: rowHeight }],
    };
  };

/** Names of curves at their ends, beside the frame, moved apart as little as possible. */
import { rule } from "../../../drawing/axes.js";
import type { Palette } from "../../../drawing/colour.js";
import { type Look, lineColour } from "../../../drawing/curve.js";
import type { Mark, Measure } from "../../../drawing/scene.js";
import { caption, linesOf } from "./captions.js";

export interface LineEnd {
  name: string;
  /** The curve, which sets its colour. */
  look: Look;
  /** Height of the curve's end; undefined if it does not reach the frame's edge. */
  y: number | undefined;
}

/** Space for the names: between `top` and `bottom`, beside an edge of the frame. */
export interface LabelPosition {
  edge: number;
  room: number;
  top: number;
  bottom: number;
}

const size = 13;
const pitch = 14;
/** Space between two names, and from the edge to a name, which a connecting line crosses. */
const apart = 4;
export const labelGap = 18;

/**
 * Returns the middles of boxes that do not overlap, within the limits, as close to `wanted` as
 * possible.
 */
export function spacedApart(
  boxes: readonly { wanted: number; height: number }[],
  { top, bottom }: { top: number; bottom: number },
): number[] {
  type Block = { members: number[]; height: number; middle: number };
  const order = boxes.map((_, index) => index);
  order.sort((a, b) => boxes[a]!.wanted - boxes[b]!.wanted);
  const blocks: Block[] = [];
  const settle = (members: number[]): Block => {
    const height = members.reduce((sum, index) => sum + boxes[index]!.height, 0);
    // The middle of the block that each member would need.
    let above = 0;
    const middles = members.map((index) => {
      const { wanted, height: size } = boxes[index]!;
      const at = wanted - above - size / 2 + height / 2;
      above += size;
      return at;
    });
    const mean = middles.reduce((a, b) => a + b) / members.length;
    const middle = Math.max(top + height / 2, Math.min(bottom - height / 2, mean));
    return { members, height, middle };
  };
  for (const index of order) {
    let block = settle([index]);
    for (let last = blocks.at(-1); last; last = blocks.at(-1)) {
      if (last.middle + last.height / 2 <= block.middle - block.height / 2 + 1e-9) break;
      blocks.pop();
      block = settle([...last.members, ...block.members]);
    }
    blocks.push(block);
  }
  const middles = new Array<number>(boxes.length);
  for (const { members, height, middle } of blocks) {
    let y = middle - height / 2;
    for (const index of members) {
      const size = boxes[index]!.height;
      middles[index] = y + size / 2;
      y += size;
    }
  }
  return middles;
}

/** Returns the space for names beside the frame: a name may be broken, but not its longest word. */
export function labelRoom(names: readonly string[], max: number, measure: Measure): number {
  const wide = (text: string) => Math.ceil(measure(text, size));
  const words = names.flatMap((name) => linesOf(name, 1, measure, size));
  const longest = Math.max(0, ...names.map(wide));
  return Math.max(Math.min(max, longest), ...words.map(wide));
}

/**
 * Draws the names in the curves' colours, with a thin line from each end to its name if that was
 * moved; names of curves without an end are lowest.
 */
export function endLabels(
  ends: readonly LineEnd[],
  { edge, room, top, bottom }: LabelPosition,
  palette: Palette,
  measure: Measure,
): Mark[] {
  const texts = ends.map(({ name }) => linesOf(name, room, measure, size));
  const boxes = ends.map(({ y }, index) => ({
    wanted: y ?? bottom,
    height: texts[index]!.length * pitch + apart,
  }));
  const middles = spacedApart(boxes, { top, bottom });
  return ends.flatMap(({ y, look }, index): Mark[] => {
    const colour = lineColour(look, palette);
    const lines = texts[index]!;
    const middle = middles[index]!;
    const x = edge + labelGap;
    const names = lines.map((text, row): Mark => {
      const at = middle + 4 + (row - (lines.length - 1) / 2) * pitch;
      return { ...caption(palette, x, at, text), fill: colour };
    });
    if (y === undefined) return names;
    return [rule(edge + 4, y, x - 4, middle, colour), ...names];
  });
}

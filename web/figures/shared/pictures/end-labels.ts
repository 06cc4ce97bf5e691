/** Names of lines at their ends, beside the frame: apart, and as near as they can be. */
import { rule } from "../../../drawing/axes.js";
import type { Palette } from "../../../drawing/colour.js";
import { lineColour } from "../../../drawing/curve.js";
import type { Mark, Measure } from "../../../drawing/scene.js";
import { caption, linesOf } from "./captions.js";

export interface LineEnd {
  name: string;
  /** Which of the lines it is: its colour. */
  line: number;
  /** Height of the line's end; undefined for a line that has none at the frame's edge. */
  y: number | undefined;
}

/** Where the names stand: between `top` and `bottom`, beside an edge of the frame. */
export interface LabelPlace {
  edge: number;
  room: number;
  top: number;
  bottom: number;
}

const size = 12;
const pitch = 13;
/** Between two names, and from the edge to a name: a line leads there. */
const apart = 4;
export const labelGap = 18;

/** The middles of boxes so high, apart from each other and within the ends, nearest to `wanted`. */
export function placedApart(
  boxes: readonly { wanted: number; height: number }[],
  { top, bottom }: { top: number; bottom: number },
): number[] {
  type Block = { members: number[]; height: number; middle: number };
  const order = boxes.map((_, index) => index);
  order.sort((a, b) => boxes[a]!.wanted - boxes[b]!.wanted);
  const blocks: Block[] = [];
  const settle = (members: number[]): Block => {
    const height = members.reduce((sum, index) => sum + boxes[index]!.height, 0);
    // Where each member would have the middle of the block.
    let above = 0;
    const middles = members.map((index) => {
      const { wanted, height: own } = boxes[index]!;
      const at = wanted - above - own / 2 + height / 2;
      above += own;
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
  const places = new Array<number>(boxes.length);
  for (const { members, height, middle } of blocks) {
    let y = middle - height / 2;
    for (const index of members) {
      const own = boxes[index]!.height;
      places[index] = y + own / 2;
      y += own;
    }
  }
  return places;
}

/** So much room do names need beside the frame: the longest word is not broken, a name may be. */
export function labelRoom(names: readonly string[], most: number, measure: Measure): number {
  const wide = (text: string) => Math.ceil(measure(text, size));
  const words = names.flatMap((name) => linesOf(name, 1, measure, size));
  const longest = Math.max(0, ...names.map(wide));
  return Math.max(Math.min(most, longest), ...words.map(wide));
}

/**
 * The names in the lines' colours, a thin line from each end to its name where that had to give
 * way; names of lines without an end stand lowest.
 */
export function endLabels(
  ends: readonly LineEnd[],
  { edge, room, top, bottom }: LabelPlace,
  palette: Palette,
  measure: Measure,
): Mark[] {
  const texts = ends.map(({ name }) => linesOf(name, room, measure, size));
  const boxes = ends.map(({ y }, index) => ({
    wanted: y ?? bottom,
    height: texts[index]!.length * pitch + apart,
  }));
  const middles = placedApart(boxes, { top, bottom });
  return ends.flatMap(({ y, line }, index): Mark[] => {
    const colour = lineColour(line, palette);
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

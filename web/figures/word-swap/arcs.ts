/**
 * Geometry of the first figure, for the live picture and for the one that the build writes: a slot
 * for each word, all equally wide, and arcs of attention between them.
 */

/** Width of a slot, and height of all arcs; the picture stretches both. */
export const slotWidth = 100;
export const arcHeight = 100;

/** An arc from the word that looks to one that it looks at, both by their slots. */
export interface Arc {
  from: number;
  to: number;
  /** Share of the attention, 0 to 1. */
  share: number;
  /** SVG path data. */
  d: string;
}

const middle = (slot: number): number => (slot + 0.5) * slotWidth;

function pathOf(from: number, to: number, count: number): string {
  if (from === to) return `M${middle(from) - 14} ${arcHeight}a14 22 0 0 1 28 0`;
  const height = (0.24 + (0.7 * Math.abs(to - from)) / (count - 1)) * arcHeight;
  const [left, right] = [Math.min(from, to), Math.max(from, to)].map(middle) as [number, number];
  return `M${left} ${arcHeight}A${(right - left) / 2} ${height} 0 0 1 ${right} ${arcHeight}`;
}

/** Arcs of a map [n,n] whose rows and columns are slots. */
export const arcsOf = (map: ArrayLike<number>, count: number): Arc[] =>
  Array.from({ length: count * count }, (_, at) => {
    const [from, to] = [Math.floor(at / count), at % count];
    return { from, to, share: map[at]!, d: pathOf(from, to, count) };
  });

/** Width of the line of a share, in CSS pixels. */
export const widthOf = (share: number): number => Math.round((0.4 + 16 * share) * 10) / 10;

/** Outline of a bag with an open neck, in a box of 200 × 110. */
export const bagPath =
  "M66 6c8 6 14-3 22 1s14 5 24 0 15-3 22-1l-6 14c40 14 64 82 28 86H44C8 102 32 34 72 20zM72 20h56";

/**
 * Slots of all tokens from the order of those that are carried: `carried` has their indices among
 * the tokens, and `order` which of them stands in the first of their slots, the second, and so on.
 */
export function tokenOrder(
  count: number,
  carried: readonly number[],
  order: readonly number[],
): number[] {
  const slots = Array.from({ length: count }, (_, slot) => slot);
  order.forEach((word, at) => {
    slots[carried[at]!] = carried[word]!;
  });
  return slots;
}

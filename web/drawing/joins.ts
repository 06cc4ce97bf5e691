/** Curves from each token of one list to the same token of another, drawn between two maps. */
import type { Palette } from "./colour.js";
import type { Mark } from "./scene.js";

export interface Joins {
  /** Right edge of the left list and left edge of the right one. */
  from: number;
  to: number | ((index: number) => number);
  y: number;
  cell: number;
  /** `order[i]`: index in the right list of token i of the left one. */
  order: readonly number[];
}

/**
 * Draws tokens that moved in the colour of positions, with an arrow head; the others as a hairline.
 */
export function joinMarks(joins: Joins, palette: Palette): Mark[] {
  return joins.order.flatMap((target, index): Mark[] => {
    const start = joins.y + (index + 0.5) * joins.cell;
    const end = joins.y + (target + 0.5) * joins.cell;
    const right = typeof joins.to === "number" ? joins.to : joins.to(target);
    const reach = (right - joins.from) * 0.45;
    const moved = target !== index;
    const stroke = moved ? palette.position : palette.hair;
    const curve: Mark = {
      kind: "path",
      d:
        `M${joins.from} ${start}` +
        `C${joins.from + reach} ${start} ${right - reach} ${end} ${right} ${end}`,
      stroke,
      width: moved ? 1.5 : 1,
    };
    const head: Mark = {
      kind: "path",
      d: `M${right - 5} ${end - 3.5}L${right} ${end}L${right - 5} ${end + 3.5}`,
      stroke,
      width: moved ? 1.5 : 1,
    };
    return [curve, head];
  });
}

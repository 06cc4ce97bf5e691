/** A bar for each cache, one of them in the colour of keys. */
import type { Draw } from "../../../controls/scene-view.js";
import {
  type NamedBar,
  namedBarGrid,
  namedBarMarks,
  namedBarPitch,
} from "../../../drawing/named-bars.js";
import { caption } from "./captions.js";

export interface CacheBar extends Omit<NamedBar, "colour"> {
  isMarked: boolean;
  /** Text about it under the pointer. */
  told: string;
}

const top = 24;

export const cachesHeight = (count: number): number => top + count * namedBarPitch;

export const drawCaches =
  (caches: readonly CacheBar[], { name: label, axis }: { name: string; axis: string }): Draw =>
  (width, palette, measure) => {
    const bars = caches.map(({ isMarked, ...bar }) => ({
      ...bar,
      colour: isMarked ? palette.key : palette.soft,
    }));
    const max = Math.max(...bars.map(({ value }) => value));
    const field = { x: 0, y: top, width, max, bars };
    const describe = (row: number) => caches[row]!.told;
    return {
      width,
      height: cachesHeight(bars.length),
      marks: [caption(palette, 0, 12, axis), ...namedBarMarks(field, palette, measure)],
      grids: [namedBarGrid(field, { id: "caches", label, describe })],
    };
  };

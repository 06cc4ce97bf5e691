/** A bar for each cache, as long as its bytes for one token. */
import type { Draw } from "../../../controls/scene-view.js";
import { namedBarGrid, namedBarMarks, namedBarPitch } from "../../../drawing/named-bars.js";
import { bytesText } from "../../../text/bytes.js";
import { caption } from "../../shared/pictures/captions.js";
import type { Cache } from "./caches.js";
import type { CacheBarWords } from "./words.js";

export interface CacheView {
  caches: readonly Cache[];
  /** Returns the bytes of a cache for one token in all layers. */
  bytesOf: (cache: Cache) => number;
  tokens: number;
}

/** Draws the bars; the smallest of several is highlighted. */
export const drawCaches =
  ({ caches, bytesOf, tokens }: CacheView, words: CacheBarWords): Draw =>
  (width, palette, measure) => {
    const least = Math.min(...caches.map(bytesOf));
    const field = {
      ...{ x: 0, y: 24, width },
      most: Math.max(...caches.map(bytesOf)),
      bars: caches.map((cache) => ({
        name: cache.name,
        value: bytesOf(cache),
        text: bytesText(bytesOf(cache)),
        how: words.numbers(cache.numbers, cache.layers),
        colour: bytesOf(cache) === least ? palette.key : palette.soft,
      })),
    };
    const grid = namedBarGrid(field, {
      id: "caches",
      label: words.name,
      describe: (row) => {
        const cache = caches[row]!;
        return words.cell(cache.name, bytesOf(cache), bytesOf(cache) * tokens);
      },
    });
    const marks = [caption(palette, 0, 12, words.axis), ...namedBarMarks(field, palette, measure)];
    return { width, height: 24 + caches.length * namedBarPitch, marks, grids: [grid] };
  };

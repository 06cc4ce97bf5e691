/** How much rotated pairs of channels explain of each layer's scores: layers down, pairs across. */
import type { Draw } from "../../../controls/scene-view.js";
import { weightColours } from "../../../drawing/colour.js";
import type { Mark } from "../../../drawing/scene.js";
import { plain } from "../../../text/numbers.js";
import { caption } from "./captions.js";
import type { DotsWords } from "./heads-words.js";

export interface PairsByLayer {
  layers: number;
  /** Of each pair, in tokens. */
  wavelengths: ArrayLike<number>;
  /** [layers, pairs]. */
  shares: readonly number[];
}

/** Means over the heads of each layer; a head without a share does not count. */
export function pairsByLayer(
  shares: Float32Array,
  { layers, heads }: { layers: number; heads: number },
  wavelengths: ArrayLike<number>,
): PairsByLayer {
  const pairs = wavelengths.length;
  const means = Array.from({ length: layers * pairs }, (_, at) => {
    const [layer, pair] = [Math.floor(at / pairs), at % pairs];
    const known = Array.from(
      { length: heads },
      (_, head) => shares[(layer * heads + head) * pairs + pair]!,
    ).filter((share) => !Number.isNaN(share));
    return known.reduce((sum, share) => sum + share, 0) / Math.max(1, known.length);
  });
  return { layers, wavelengths, shares: means };
}

const tallest = 18;
const above = 40;

export const drawPairs =
  ({ layers, wavelengths, shares }: PairsByLayer, words: DotsWords): Draw =>
  (width, palette, measure) => {
    const pairs = wavelengths.length;
    const left = measure(String(layers), 13) + 10;
    const across = (width - left) / pairs;
    const down = Math.min(tallest, Math.max(6, across));
    const colour = weightColours(palette, Math.max(...shares, 1e-6));
    const cells = shares.map((share, at): Mark => {
      const [row, column] = [Math.floor(at / pairs), at % pairs];
      return {
        kind: "rect",
        x: left + column * across,
        y: above + row * down,
        width: across - (across > 6 ? 1 : 0),
        height: down - (down > 6 ? 1 : 0),
        fill: colour(Math.max(0, share)),
      };
    });
    const every = Math.ceil(14 / down);
    const numbers = Array.from({ length: layers }, (_, layer): Mark[] =>
      layer % every
        ? []
        : [
            caption(
              palette,
              left - 7,
              above + (layer + 0.5) * down + 4,
              String(layer + 1),
              "right",
            ),
          ],
    ).flat();
    const step = Math.ceil(58 / across);
    const waves = Array.from({ length: pairs }, (_, pair): Mark[] =>
      pair % step
        ? []
        : [
            caption(
              palette,
              left + (pair + 0.5) * across,
              above + layers * down + 16,
              plain(wavelengths[pair]!),
              pair ? "center" : "left",
            ),
          ],
    ).flat();
    const below = above + layers * down;
    return {
      width,
      height: below + 42,
      marks: [
        caption(palette, 0, 12, words.pairs),
        ...cells,
        ...numbers,
        ...waves,
        caption(palette, left, below + 34, words.pairTicks),
      ],
      grids: [
        {
          id: "pairs",
          label: words.pairs,
          x: left,
          y: above,
          cellWidth: across,
          cellHeight: down,
          rows: layers,
          columns: pairs,
          describe: (row, column) =>
            words.pair(row + 1, column + 1, wavelengths[column]!, shares[row * pairs + column]!),
        },
      ],
    };
  };

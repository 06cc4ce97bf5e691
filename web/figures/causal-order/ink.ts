/**
 * Ink of the first word that flows up through two masked layers: every word starts as a dot, and in
 * each layer takes from the words that it sees as much as its weights say.
 */
import { mix, type Palette } from "../../drawing/colour.js";
import type { Grid, Mark } from "../../drawing/scene.js";
import { weight } from "../../text/numbers.js";
import { caption } from "../shared/pictures/captions.js";
import type { OrderWords } from "./words.js";

/** Ink of each token, by layer from 0, the words themselves. */
export type Ink = readonly (readonly number[])[];

/** `maps` are the weights of the first head [layers, n, n]; the ink is that of token `from`. */
export function inkOf(maps: ArrayLike<number>, tokens: number, from: number): Ink {
  const layers: number[][] = [Array.from({ length: tokens }, (_, at) => (at === from ? 1 : 0))];
  for (let layer = 0; layer * tokens * tokens < maps.length; layer++) {
    const below = layers.at(-1)!;
    const first = layer * tokens * tokens;
    layers.push(
      below.map((_, row) =>
        below.reduce((sum, ink, key) => sum + ink * maps[first + row * tokens + key]!, 0),
      ),
    );
  }
  return layers;
}

export interface InkColumn {
  tokens: readonly string[];
  maps: ArrayLike<number>;
  ink: Ink;
}

interface Box {
  x: number;
  y: number;
  width: number;
}

const rowHeight = 74;
const radius = 19;
/** Ink below this would be a hairline. */
const faintest = 0.02;

export const columnHeight = (layers: number): number => (layers - 1) * rowHeight + 2 * radius + 58;

/** Draws one sentence, from the words at the bottom to the last layer at the top. */
export function inkColumnMarks(
  { tokens, maps, ink }: InkColumn,
  { x, y, width }: Box,
  words: OrderWords,
  palette: Palette,
): Mark[] {
  const count = tokens.length;
  const names = 62;
  const columnX = (at: number) => x + names + ((at + 0.5) * (width - names)) / count;
  const rowY = (layer: number) => y + radius + (ink.length - 1 - layer) * rowHeight;
  const flows = ink.slice(1).flatMap((row, below) =>
    row.flatMap((_, to) =>
      tokens.flatMap((_, from): Mark[] => {
        const taken = maps[below * count * count + to * count + from]! * ink[below]![from]!;
        if (taken < faintest) return [];
        const d = `M${columnX(from)} ${rowY(below)}L${columnX(to)} ${rowY(below + 1)}`;
        return [{ kind: "path", d, stroke: palette.position, width: 12 * taken }];
      }),
    ),
  );
  const dots = ink.flatMap((row, layer) => [
    { ...caption(palette, x, rowY(layer) + 4, words.layer(layer)), size: 13 },
    ...row.flatMap((share, at): Mark[] => {
      const [cx, cy] = [columnX(at), rowY(layer)];
      const arc = `A${radius} ${radius} 0 1 1`;
      const d = `M${cx - radius} ${cy}${arc} ${cx + radius} ${cy}${arc} ${cx - radius} ${cy}Z`;
      const fill = mix(palette.paper, palette.position, share * 0.5);
      const text = caption(palette, cx, cy + 4, weight(share), "center");
      return [
        { kind: "path", d, stroke: palette.position, width: 1, fill: palette.paper },
        { kind: "path", d, stroke: palette.position, width: 1, fill },
        { ...text, size: 13, fill: palette.ink },
      ];
    }),
  ]);
  const labels = tokens.map(
    (token, at): Mark => ({
      ...caption(palette, columnX(at), rowY(0) + radius + 20, token, "center"),
      size: 14,
      fill: palette.ink,
    }),
  );
  return [...flows, ...dots, ...labels];
}

/** The dots of a sentence, from the last layer down, for keyboard and screen reader. */
export function inkGrid(
  id: string,
  { tokens, ink }: InkColumn,
  { x, y, width }: Box,
  words: OrderWords,
): Grid {
  const names = 62;
  return {
    id,
    label: words.ink(tokens.join(" ")),
    x: x + names,
    y,
    cellWidth: (width - names) / tokens.length,
    cellHeight: rowHeight,
    rows: ink.length,
    columns: tokens.length,
    describe: (row, column) => {
      const layer = ink.length - 1 - row;
      return words.inkIn(tokens[column]!, layer, weight(ink[layer]![column]!));
    },
  };
}

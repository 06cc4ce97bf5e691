/** The open scheme: its own picture, what head and text make of it, and one score as a sum. */
import type { Draw } from "../controls/scene-view.js";
import { barPitch, signed, sumBarMarks } from "../drawing/bars.js";
import type { Palette } from "../drawing/colour.js";
import { heatMapMarks } from "../drawing/heat-map.js";
import { columnLabelHeight, rowLabelWidth } from "../drawing/labels.js";
import type { Mark, Measure } from "../drawing/scene.js";
import type { PortraitAnswer } from "../engine/questions.js";
import type { Text } from "../text/index.js";
import { biasBlock, biasThumb } from "./bias-picture.js";
import { type Block, type Place, thumbHeight } from "./block.js";
import { encodingBlock, encodingThumb } from "./encoding-picture.js";
import { turnBlock, turnThumb } from "./turn-picture.js";

export interface Portrait {
  answer: PortraitAnswer;
  labels: string[];
  head: number;
  active: { row: number; column: number };
}

export interface TermValue {
  name: string;
  value: number;
}

/** Values of one head, [n,n]. */
const ofHead = (values: Float32Array, n: number, head: number): Float32Array =>
  values.subarray(head * n * n, (head + 1) * n * n);

/** The terms of the active cell's score, and the score. */
export function termsAt({ answer, labels, head, active }: Portrait): {
  terms: TermValue[];
  total: number;
} {
  const n = labels.length;
  const at = active.row * n + active.column;
  const terms = Object.entries(answer.reading.terms).map(([name, values]) => ({
    name,
    value: ofHead(values, n, head)[at]!,
  }));
  return { terms, total: ofHead(answer.reading.logits, n, head)[at]! };
}

/** The map of the chosen head. */
export const weightsOf = ({ answer, labels, head }: Portrait): Float32Array =>
  ofHead(answer.reading.weights, labels.length, head);

const title = (place: Place, text: string, palette: Palette): Mark => ({
  kind: "text",
  x: place.x,
  y: place.y + 14,
  text,
  fill: palette.ink,
  size: 14,
  weight: 600,
});

function mapBlock(
  portrait: Portrait,
  place: Place,
  words: Text,
  palette: Palette,
  measure: Measure,
): Block {
  const { labels, active } = portrait;
  const n = labels.length;
  let cell = Math.min(40, Math.floor(340 / n));
  while (cell > 6 && rowLabelWidth(labels, cell, measure) + n * cell > place.width) cell -= 1;
  const x = place.x + rowLabelWidth(labels, cell, measure);
  const y = place.y + 26 + columnLabelHeight(labels, cell, measure);
  const values = weightsOf(portrait);
  const map = { x, y, cell, rows: labels, columns: labels, values, limit: 1, isCausal: true };
  const marks = [
    title(place, words.gallery.mapTitle(portrait.head + 1), palette),
    ...heatMapMarks({ ...map, active }, palette, measure),
  ];
  const describe = (row: number, column: number) =>
    column > row
      ? words.cellMasked(row + 1, labels[row]!, labels[column]!)
      : words.cell(row + 1, labels[row]!, labels[column]!, values[row * n + column]!);
  const size = { cellWidth: cell, cellHeight: cell, rows: n, columns: n };
  const label = words.gallery.mapTitle(portrait.head + 1);
  return { marks, grids: [{ id: "map", label, x, y, ...size, describe }], bottom: y + n * cell };
}

function sumBlock(
  portrait: Portrait,
  place: Place,
  words: Text,
  palette: Palette,
  measure: Measure,
): Block {
  const { labels, active } = portrait;
  const { terms, total } = termsAt(portrait);
  const named = terms.map(({ name, value }) => ({
    name: words.terms.names[name] ?? name,
    value,
    colour: name === "content" ? palette.content : palette.position,
  }));
  const names = [...named.map(({ name }) => name), words.terms.total];
  const left = Math.max(...names.map((name) => measure(name, 13))) * 1.06 + 12;
  const field = Math.min(place.width, 520) - left - 58;
  let running = 0;
  const stops = [0, total, ...terms.map(({ value }) => (running += value))];
  const air = Math.max(0.05, (Math.max(...stops) - Math.min(...stops)) * 0.04);
  const low = Math.min(...stops) - (Math.min(...stops) < 0 ? air : 0);
  const high = Math.max(...stops) + (Math.max(...stops) > 0 ? air : 0);
  const y = place.y + 28;
  const heading = words.gallery.sumTitle(labels[active.row]!, labels[active.column]!);
  const sum = { name: words.terms.total, value: total };
  const x = place.x + left;
  const marks = [
    title(place, heading, palette),
    ...sumBarMarks({ x, y, width: field, low, high, terms: named, total: sum }, palette),
  ];
  const rows = [...named, sum];
  const describe = (row: number) => `${rows[row]!.name} ${signed(rows[row]!.value)}`;
  const bottom = y + rows.length * barPitch;
  const size = { cellWidth: place.width, cellHeight: barPitch, rows: rows.length, columns: 1 };
  return {
    marks,
    grids: [{ id: "sum", label: heading, x: place.x, y, ...size, describe }],
    bottom,
  };
}

/** The scheme's own picture under its title; undefined where the map is all there is. */
function ownBlock(
  { answer: { picture }, head }: Portrait,
  place: Place,
  words: Text,
  palette: Palette,
  measure: Measure,
): Block | undefined {
  if (picture.kind === "attention") return undefined;
  const inner = { ...place, y: place.y + 30 };
  const block =
    picture.kind === "encoding"
      ? encodingBlock(picture, inner, words, palette)
      : picture.kind === "turn"
        ? turnBlock(picture, inner, words, palette)
        : biasBlock(picture, head, inner, words, palette, measure);
  const heading = title(place, words.gallery.kinds[picture.kind], palette);
  return { ...block, marks: [heading, ...block.marks] };
}

/** Everything about the open scheme in one picture; an empty one while there is nothing yet. */
export function drawPortrait(portrait: Portrait | undefined, words: Text, _theme: string): Draw {
  return (width, palette, measure) => {
    if (!portrait) return { width, height: 420, marks: [], grids: [] };
    const gap = 40;
    const isWide = width >= 720;
    const own = (place: Place) => ownBlock(portrait, place, words, palette, measure);
    const map = (place: Place) => mapBlock(portrait, place, words, palette, measure);
    const sum = (place: Place) => sumBlock(portrait, place, words, palette, measure);
    const leftWidth = isWide ? Math.floor(width * 0.56) - gap / 2 : width;
    const first = own({ x: 0, y: 0, width: leftWidth });
    const under = (block: Block) => block.bottom + 30;
    const across = { x: leftWidth + gap, y: 0, width: width - leftWidth - gap };
    const blocks: Block[] = [];
    if (first && isWide) {
      blocks.push(first, map(across), sum({ x: 0, y: under(first), width: leftWidth }));
    } else if (isWide) {
      const half = Math.floor((width - gap) / 2);
      const beside = { x: half + gap, y: 0, width: width - half - gap };
      blocks.push(map({ x: 0, y: 0, width: half }), sum(beside));
    } else {
      if (first) blocks.push(first);
      const second = map({ x: 0, y: first ? under(first) : 0, width });
      blocks.push(second, sum({ x: 0, y: under(second), width }));
    }
    return {
      width,
      height: Math.max(...blocks.map(({ bottom }) => bottom)) + 4,
      marks: blocks.flatMap(({ marks }) => marks),
      grids: blocks.flatMap(({ grids }) => grids),
    };
  };
}

/** Two heads' maps, or the scheme's own picture, without words. */
export function drawThumb(answer: PortraitAnswer | undefined, labels: string[]): Draw {
  return (width, palette, measure) => {
    const height = thumbHeight + 2;
    if (!answer) {
      const outline = { x: 0.5, y: 0.5, width: Math.min(width, 192) - 1, height: height - 2 };
      const marks: Mark[] = [{ kind: "rect", ...outline, stroke: palette.hair }];
      return { width, height, marks, grids: [] };
    }
    const { picture } = answer;
    if (picture.kind === "encoding")
      return { width, height, marks: encodingThumb(picture, width, palette), grids: [] };
    if (picture.kind === "turn")
      return { width, height, marks: turnThumb(picture, width, palette), grids: [] };
    if (picture.kind === "bias")
      return { width, height, marks: biasThumb(picture, width, palette, measure), grids: [] };
    const n = labels.length;
    const cell = Math.min(thumbHeight / n, 16);
    const isTwo = width >= 2 * n * cell + 14;
    const blank = labels.map(() => "");
    const marks = (isTwo ? [0, 1] : [0]).flatMap((head) =>
      heatMapMarks(
        {
          x: 0.5 + head * (n * cell + 14),
          y: 0.5,
          cell,
          rows: blank,
          columns: blank,
          values: ofHead(answer.reading.weights, n, head),
          limit: 1,
          isCausal: true,
          labels: { rows: false, columns: false },
        },
        palette,
        measure,
      ),
    );
    return { width, height, marks, grids: [] };
  };
}

/** The open scheme: its own picture, a head's attention to the text, and one logit as a sum. */
import type { Draw } from "../../controls/scene-view.js";
import { barPitch, signed, sumBarMarks, sumExtent } from "../../drawing/bars.js";
import type { Palette } from "../../drawing/colour.js";
import { cellMarks, type HeatMap, labelMarks } from "../../drawing/heat-map.js";
import { columnLabelHeight, fittingCell, rowLabelWidth } from "../../drawing/labels.js";
import type { Cell, Mark, Measure } from "../../drawing/scene.js";
import type { PortraitAnswer, SchemePicture } from "../../engine/both/messages.js";
import { caption, heading } from "../shared/pictures/captions.js";
import { biasBlock } from "./bias-picture.js";
import { type Area, type Block, limitOf, signedLegend } from "./block.js";
import { encodingBlock } from "./encoding-picture.js";
import { gridBlock } from "./grid-picture.js";
import { rotationBlock } from "./rotation-picture.js";
import type { GalleryTexts } from "./words.js";

/** Input of the picture, without the marked cell. */
export interface Sight {
  answer: PortraitAnswer;
  head: number;
}

export interface Portrait extends Sight {
  active: Cell;
}

export interface TermValue {
  name: string;
  value: number;
}

/** Returns the kind of a picture; a grid's is that of its content: added rows, rotation or bias. */
export const kindOf = (picture: SchemePicture) =>
  picture.kind === "grid" ? picture.what : picture.kind;

/** Returns the values of one head, [n,n]. */
export const ofHead = (values: Float32Array, n: number, head: number): Float32Array =>
  values.subarray(head * n * n, (head + 1) * n * n);

/** Returns the terms of the active cell's logit, and the logit. */
export function termsAt({ answer, head, active }: Portrait): {
  terms: TermValue[];
  total: number;
} {
  const n = answer.labels.length;
  const at = active.row * n + active.column;
  const terms = Object.entries(answer.record.terms).map(([name, values]) => ({
    name,
    value: ofHead(values, n, head)[at]!,
  }));
  return { terms, total: ofHead(answer.record.logits, n, head)[at]! };
}

/** Returns the map of the chosen head. */
export const weightsOf = ({ answer, head }: Sight): Float32Array =>
  ofHead(answer.record.weights, answer.labels.length, head);

/** Whether a term does not depend on positions. */
const isContent = (name: string): boolean => name === "content" || name === "wordWord";

const title = (area: Area, text: string, palette: Palette): Mark =>
  heading(palette, area.x, area.y + 14, text);

/**
 * Returns the sum of all terms but content for every logit of one head, [n,n]; undefined without
 * such terms.
 */
export function addedOf(answer: PortraitAnswer, head: number): Float32Array | undefined {
  const others = Object.entries(answer.record.terms).filter(([name]) => !isContent(name));
  if (!others.length) return undefined;
  const n = answer.labels.length;
  const parts = others.map(([, values]) => ofHead(values, n, head));
  return parts[0]!.map((_, index) => parts.reduce((sum, part) => sum + part[index]!, 0));
}

/**
 * Draws a map of the text: shares of attention or, with `added`, the effect of position on the
 * logits.
 */
function mapBlock(
  sight: Sight,
  area: Area,
  words: GalleryTexts,
  palette: Palette,
  measure: Measure,
  added?: Float32Array,
): Block {
  const { answer, head } = sight;
  const { labels, isCausal } = answer;
  const n = labels.length;
  const needed = (cell: number) => rowLabelWidth(labels, cell, measure) + n * cell;
  const largest = Math.min(40, Math.floor((added ? 260 : 340) / n));
  const cell = fittingCell(largest, 6, area.width, needed);
  const x = area.x + rowLabelWidth(labels, cell, measure);
  const y = area.y + 26 + columnLabelHeight(labels, cell, measure);
  const values = added ?? weightsOf(sight);
  const isNothing = added?.every((value) => value === 0) ?? false;
  const limit = added ? limitOf(added) : 1;
  const shape = { x, y, cell, rows: labels, columns: labels, values, limit, isCausal };
  const map: HeatMap = { ...shape, signed: added !== undefined };
  const label = added
    ? words.gallery.addedTitle(isNothing)
    : isCausal
      ? words.gallery.mapTitle(head + 1)
      : words.gallery.mapTitleOfGrid(head + 1, Math.sqrt(n));
  const marks = [title(area, label, palette), ...cellMarks(map, palette)];
  const over = (active: Cell) => ({ marks: labelMarks({ ...map, active }, palette, measure) });
  const say = added ? words.gallery.addedCell : words.page.cell;
  const describe = (row: number, column: number) =>
    isCausal && column > row
      ? words.page.cellMasked(row + 1, labels[row]!, labels[column]!)
      : say(row + 1, labels[row]!, labels[column]!, values[row * n + column]!);
  const size = { cellWidth: cell, cellHeight: cell, rows: n, columns: n };
  const id = added ? "added" : "map";
  const bottom = y + n * cell;
  const grids = [{ id, label, x, y, ...size, describe }];
  if (!isCausal && !added) {
    marks.push(caption(palette, x, bottom + 17, words.gallery.gridLabels));
    return { marks, grids, over, bottom: bottom + 20 };
  }
  if (!added || isNothing) return { marks, grids, over, bottom };
  const legend = signedLegend("", limit, { x, y: bottom + 6, width: n * cell }, palette, measure);
  return { marks: [...marks, ...legend.marks], grids, over, bottom: legend.bottom };
}

/**
 * Draws the sum of the marked cell's logit. The number of rows is the same for every cell; the
 * scale is the cell's own.
 */
function sumBlock(
  sight: Sight,
  area: Area,
  words: GalleryTexts,
  palette: Palette,
  measure: Measure,
): Block {
  const { labels, record } = sight.answer;
  const nameOf = (name: string) => words.shared.terms.names[name] ?? name;
  const { total: totalName } = words.shared.terms;
  const names = [...Object.keys(record.terms).map(nameOf), totalName];
  const left = Math.max(...names.map((name) => measure(name, 13))) * 1.06 + 12;
  const width = Math.min(area.width, 520) - left - 58;
  const x = area.x + left;
  const y = area.y + 28;
  const size = { cellWidth: area.width, cellHeight: barPitch, rows: names.length, columns: 1 };
  const over = (active: Cell) => {
    const { terms, total } = termsAt({ ...sight, active });
    const [low, high] = sumExtent([{ terms, total }]);
    const named = terms.map(({ name, value }) => ({
      name: nameOf(name),
      value,
      colour: isContent(name) ? palette.content : palette.position,
    }));
    const sum = { name: totalName, value: total };
    const label = words.gallery.sumTitle(labels[active.row]!, labels[active.column]!);
    const rows = [...named, sum];
    const describe = (row: number) => `${rows[row]!.name} ${signed(rows[row]!.value)}`;
    return {
      marks: [
        title(area, label, palette),
        ...sumBarMarks({ x, y, width, low, high, terms: named, total: sum }, palette),
      ],
      grids: [{ id: "sum", label, x: area.x, y, ...size, describe }],
    };
  };
  return { marks: [], grids: [], over, bottom: y + names.length * barPitch };
}

/** Draws the scheme's own picture under its title; undefined if the map is the only picture. */
function schemeBlock(
  { answer: { picture }, head }: Sight,
  area: Area,
  words: GalleryTexts,
  palette: Palette,
  measure: Measure,
): Block | undefined {
  if (picture.kind === "attention") return undefined;
  const inner = { ...area, y: area.y + 30 };
  const block =
    picture.kind === "encoding"
      ? encodingBlock(picture, inner, words, palette, measure)
      : picture.kind === "rotation"
        ? rotationBlock(picture, inner, words, palette, measure)
        : picture.kind === "grid"
          ? gridBlock(picture, inner, words, palette, measure)
          : biasBlock(picture, head, inner, words, palette, measure);
  const heading = title(area, words.gallery.kinds[kindOf(picture)], palette);
  return { ...block, marks: [heading, ...block.marks] };
}

/** Draws everything about the open scheme as one picture; empty without an answer. */
export function drawPortrait(sight: Sight | undefined, words: GalleryTexts): Draw {
  return (width, palette, measure) => {
    // About the height of most pictures, in two columns or one.
    if (!sight) return { width, height: width > 600 ? 515 : 1030, marks: [], grids: [] };
    const gap = 40;
    const isWide = width >= 720;
    const ofScheme = (area: Area) => schemeBlock(sight, area, words, palette, measure);
    const map = (area: Area) => mapBlock(sight, area, words, palette, measure);
    const sum = (area: Area) => sumBlock(sight, area, words, palette, measure);
    // If the picture needs the text, so does the effect of position.
    const isOfText = sight.answer.picture.kind === "attention";
    const values = isOfText ? addedOf(sight.answer, sight.head) : undefined;
    const added = (area: Area) => values && mapBlock(sight, area, words, palette, measure, values);
    const leftWidth = isWide ? Math.floor(width * 0.56) - gap / 2 : width;
    const first = ofScheme({ x: 0, y: 0, width: leftWidth });
    const under = (block: Block) => block.bottom + 30;
    const across = { x: leftWidth + gap, y: 0, width: width - leftWidth - gap };
    const blocks: Block[] = [];
    if (first && isWide) {
      const second = map(across);
      // Below the shorter of the two columns.
      const below =
        first.bottom > second.bottom
          ? { ...across, y: under(second) }
          : { x: 0, y: under(first), width: leftWidth };
      blocks.push(first, second, sum(below));
    } else if (isWide) {
      const half = Math.floor((width - gap) / 2);
      const beside = { x: half + gap, y: 0, width: width - half - gap };
      const right = added(beside);
      const below = right ? { ...beside, y: under(right) } : beside;
      blocks.push(map({ x: 0, y: 0, width: half }), ...(right ? [right] : []), sum(below));
    } else {
      if (first) blocks.push(first);
      const second = map({ x: 0, y: first ? under(first) : 0, width });
      const third = added({ x: 0, y: under(second), width });
      blocks.push(second, ...(third ? [third] : []));
      blocks.push(sum({ x: 0, y: under(third ?? second), width }));
    }
    return {
      width,
      height: Math.max(...blocks.map(({ bottom }) => bottom)) + 4,
      marks: blocks.flatMap(({ marks }) => marks),
      grids: blocks.flatMap(({ grids }) => grids),
      over: (active) => {
        const over = active ? blocks.flatMap((block) => block.over?.(active) ?? []) : [];
        return {
          marks: over.flatMap(({ marks }) => marks),
          grids: over.flatMap(({ grids = [] }) => grids),
        };
      },
    };
  };
}

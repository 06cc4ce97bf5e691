/** Files and code of the first figure; loaded after its numbers. */
import { forgetLook, lookOf } from "../../controls/looks.js";
import { chaseModel } from "../../defaults.js";
import { type HeatMap, heatMapMarks } from "../../drawing/heat-map.js";
import { columnLabelHeight, rowLabelWidth } from "../../drawing/labels.js";
import { measureIn } from "../../drawing/paint.js";
import type { Takeaway } from "../shared/exports/takeaway.js";
import { swapCode } from "./code.js";
import "../shared/exports/takeaway.js";

/** The words in their current order, their ids, and their map with a scheme, row by row. */
export interface Sentence {
  words: readonly string[];
  ids: readonly number[];
  map: readonly number[];
  scheme: string;
}

const cell = 58;

/** Returns the map as a picture, in the colours in force on the figure. */
function sceneOf(figure: Element, { words, map: values }: Sentence) {
  forgetLook(figure);
  const { palette, faces } = lookOf(figure);
  const measure = measureIn(faces);
  const map: HeatMap = {
    x: Math.ceil(rowLabelWidth(words, cell, measure)),
    y: Math.ceil(columnLabelHeight(words, cell, measure)),
    cell,
    rows: words,
    columns: words,
    values,
    limit: Math.max(...values),
  };
  const side = words.length * cell;
  const marks = heatMapMarks(map, palette, measure);
  const picture = { width: map.x + side + 1, height: map.y + side + 1, marks, grids: [], faces };
  return { picture, palette };
}

export function swapTakeaway(figure: Element, title: string, sentence: Sentence): Takeaway {
  const { words, ids, map, scheme } = sentence;
  const table = () => [
    ["row", "query", "column", "key", "weight"],
    ...map.map((value, at): (string | number)[] => {
      const [row, column] = [Math.floor(at / words.length), at % words.length];
      return [row + 1, words[row]!, column + 1, words[column]!, value];
    }),
  ];
  return {
    at: "swap",
    title,
    code: swapCode(words, ids, chaseModel, scheme),
    table,
    scene: () => sceneOf(figure, sentence),
  };
}

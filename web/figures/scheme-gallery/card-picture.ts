/** A scheme's picture on its card, without words or numbers. */
import type { Draw } from "../../controls/scene-view.js";
import type { Palette } from "../../drawing/colour.js";
import { heatMapMarks } from "../../drawing/heat-map.js";
import type { Mark, Measure } from "../../drawing/scene.js";
import type { PortraitAnswer } from "../../engine/both/messages.js";
import { biasThumb } from "./bias-picture.js";
import { limitOf, thumbHeight } from "./block.js";
import { encodingThumb } from "./encoding-picture.js";
import { gridThumb } from "./grid-picture.js";
import { addedOf, ofHead } from "./portrait-picture.js";
import { rotationThumb } from "./rotation-picture.js";

/**
 * Draws the first head's attention and, beside it, the effect of position on its logits; else the
 * second head.
 */
function mapsThumb(
  answer: PortraitAnswer,
  width: number,
  palette: Palette,
  measure: Measure,
): Mark[] {
  const n = answer.labels.length;
  const cell = Math.min(thumbHeight / n, 16);
  const blank = Array.from({ length: n }, () => "");
  const found = addedOf(answer, 0);
  const added = found?.some((value) => value !== 0) ? found : undefined;
  const weights = (head: number) => ofHead(answer.record.weights, n, head);
  const maps = [
    { values: weights(0), limit: 1, signed: false },
    added
      ? { values: added, limit: limitOf(added), signed: true }
      : { values: weights(1), limit: 1, signed: false },
  ];
  const step = n * cell + 14;
  const fitting = width >= step + n * cell ? maps : maps.slice(0, 1);
  return fitting.flatMap((map, index) => {
    const layout = { x: 0.5 + index * step, y: 0.5, cell, rows: blank, columns: blank };
    const labels = { rows: false, columns: false };
    return heatMapMarks({ ...layout, ...map, isCausal: answer.isCausal, labels }, palette, measure);
  });
}

function marksOf(
  answer: PortraitAnswer,
  width: number,
  palette: Palette,
  measure: Measure,
): Mark[] {
  const { picture } = answer;
  switch (picture.kind) {
    case "encoding":
      return encodingThumb(picture, width, palette);
    case "rotation":
      return rotationThumb(picture, width, palette);
    case "bias":
      return biasThumb(picture, width, palette, measure);
    case "grid":
      return gridThumb(picture, width, palette);
    case "attention":
      return mapsThumb(answer, width, palette, measure);
  }
}

/** Draws the picture of a card; an outline while there is no answer. */
export function drawThumb(answer: PortraitAnswer | undefined): Draw {
  return (width, palette, measure) => {
    const height = thumbHeight + 2;
    const outline = { x: 0.5, y: 0.5, width: Math.min(width, 192) - 1, height: height - 2 };
    const marks: Mark[] = answer
      ? marksOf(answer, width, palette, measure)
      : [{ kind: "rect", ...outline, stroke: palette.hair }];
    return { width, height, marks, grids: [] };
  };
}

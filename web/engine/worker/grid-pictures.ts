/**
 * Pictures of schemes whose positions are the cells of a grid: one small map for each channel or
 * head.
 */
import type { Engine, Model, SchemeDescription } from "whereformer";
import { galleryModel, galleryView } from "../../defaults.js";
import type { GridPicture, PortraitQuestion } from "../both/messages.js";
import { cellsOf, ifOffered, largestThatFits, withScheme } from "./configured-scheme.js";
import { fixedBias } from "./fixed-bias.js";

/** Transposes [cells, channels] to one map per channel, [channels, side, side]. */
export function byChannel(values: Float32Array, side: number): GridPicture["values"] {
  const cells = side * side;
  const channels = values.length / cells;
  return Float32Array.from(
    values,
    (_, index) => values[(index % cells) * channels + Math.floor(index / cells)]!,
  );
}

/** Cells on a side of a picture. */
export const gridSide = Math.floor(Math.sqrt(galleryView.positions));

export function gridEncoding(wf: Engine, question: PortraitQuestion, seed: number): GridPicture {
  return withScheme(wf, question, galleryView.channels, (scheme) =>
    largestThatFits(gridSide, 1, (side) => {
      const { data } = scheme.embeddings(cellsOf(side), { seed });
      return { kind: "grid", what: "encoding", side, values: byChannel(data, side) };
    }),
  );
}

/** Whether the cells of some map of a picture differ. */
function differs({ values, side }: GridPicture): boolean {
  const cells = side * side;
  return values.some(
    (value, index) => Math.abs(value - values[index - (index % cells)]!) > 1e-6 * Math.abs(value),
  );
}

/** Returns a rotated vector of ones; undefined if it is the same in every cell. */
export function gridRotation(wf: Engine, question: PortraitQuestion): GridPicture | undefined {
  const { headDim } = galleryModel;
  const picture = withScheme(wf, question, galleryView.channels, (scheme) =>
    ifOffered(() =>
      largestThatFits(gridSide, 1, (side): GridPicture => {
        const shape = [1, side * side, headDim];
        const ones = { data: new Float32Array(side * side * headDim).fill(1), shape };
        const { data } = scheme.rotate(ones, cellsOf(side));
        return { kind: "grid", what: "rotation", side, values: byChannel(data, side) };
      }),
    ),
  );
  return picture && differs(picture) ? picture : undefined;
}

/** Returns the bias of the middle cell for every cell, one map per head. */
export function gridBias(model: Model, description: SchemeDescription): GridPicture | undefined {
  return largestThatFits(gridSide - 1, 2, (side) => {
    const middle = Math.floor((side * side) / 2);
    const values = fixedBias(model, description, side * side, [middle]);
    return values && { kind: "grid", what: "bias", side, values };
  });
}

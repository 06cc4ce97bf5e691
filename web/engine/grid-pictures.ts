/** Own pictures of schemes whose positions are the cells of a grid: one small map for each channel or head. */
import type { Engine, Model, SchemeDescription } from "whereformer";
import { galleryModel, galleryView } from "../defaults.js";
import { cellsOf, isRefusal, largestThatFits, withScheme } from "./configured.js";
import { ownBias } from "./own-bias.js";
import type { GridPicture, PortraitQuestion } from "./questions.js";

/** [cells, channels] as one map a channel, [channels, side, side]. */
function byChannel(values: Float32Array, side: number): GridPicture["values"] {
  const cells = side * side;
  const channels = values.length / cells;
  return Float32Array.from(
    values,
    (_, index) => values[(index % cells) * channels + Math.floor(index / cells)]!,
  );
}

const most = Math.floor(Math.sqrt(galleryView.positions));

export function gridEncoding(wf: Engine, question: PortraitQuestion, seed: number): GridPicture {
  return withScheme(wf, question, galleryView.channels, (scheme) =>
    largestThatFits(most, 1, (side) => {
      const { data } = scheme.embeddings(cellsOf(side), { seed });
      return { kind: "grid", what: "encoding", side, values: byChannel(data, side) };
    }),
  );
}

/** What becomes of a head's vector of ones. */
export function gridTurn(wf: Engine, question: PortraitQuestion): GridPicture | undefined {
  return withScheme(wf, question, galleryView.channels, (scheme) => {
    const { headDim } = galleryModel;
    try {
      return largestThatFits(most, 1, (side) => {
        const shape = [1, side * side, headDim];
        const ones = { data: new Float32Array(side * side * headDim).fill(1), shape };
        const { data } = scheme.rotate(ones, cellsOf(side));
        return { kind: "grid", what: "turn", side, values: byChannel(data, side) };
      });
    } catch (reason) {
      if (isRefusal(reason, "unsupported")) return undefined;
      throw reason;
    }
  });
}

/** What the cell in the middle adds to its scores for every cell, a map a head. */
export function gridBias(model: Model, description: SchemeDescription): GridPicture | undefined {
  return largestThatFits(most - 1, 2, (side) => {
    const middle = Math.floor((side * side) / 2);
    const values = ownBias(model, description, side * side, [middle]);
    return values && { kind: "grid", what: "bias", side, values };
  });
}

/**
 * Division of a picture into windows, as in Swin, and a head's table of offsets within a window.
 */
import type { Engine, Model } from "whereformer";
import { type GridWindow, gridView } from "../../defaults.js";
import type { WindowAnswer } from "../../figures/picture-positions/messages.js";
import { trainedParameters } from "./trained-scheme.js";

const { trainedSide } = gridView;

/**
 * First rows or columns of the windows. After the shift by half a window, the cells at both edges
 * share one window of the computation, but are masked from each other.
 */
const beginsOf: Record<GridWindow, readonly number[]> = {
  "4": [0, 4],
  shifted: [0, 2, 6],
  "8": [0],
};

/** Returns the first and last index of the window around one cell. */
function around(begins: readonly number[], index: number): readonly [number, number] {
  const next = begins.find((begin) => begin > index) ?? trainedSide;
  return [begins.findLast((begin) => begin <= index)!, next - 1];
}

export function windowAround(
  wf: Engine,
  model: Model,
  { window, head, row, column }: { window: GridWindow; head: number; row: number; column: number },
): WindowAnswer {
  const { numHeads, numLayers } = model.config;
  const { data } = trainedParameters(wf, model, numLayers - 1)["relative_position_bias_table"]!;
  const steps = data.length / numHeads;
  // The table's offsets go from the key to the query; this reverses them.
  const table = Float32Array.from({ length: steps }, (_, at) => {
    return data[(steps - 1 - at) * numHeads + head]!;
  });
  const begins = beginsOf[window];
  const tableSide = Math.sqrt(steps);
  const widest = window === "8" ? trainedSide : trainedSide / 2;
  return {
    begins,
    table,
    tableSide,
    usedSide: 2 * widest - 1,
    trained: (tableSide + 1) / 2,
    rows: around(begins, row),
    columns: around(begins, column),
  };
}

/** Returns the values inside a window; those of other cells become NaN. */
export const inWindow = (
  values: Float32Array,
  { rows, columns }: Pick<WindowAnswer, "rows" | "columns">,
): Float32Array =>
  values.map((value, cell) => {
    const [row, column] = [Math.floor(cell / trainedSide), cell % trainedSide];
    const isInside =
      row >= rows[0] && row <= rows[1] && column >= columns[0] && column <= columns[1];
    return isInside ? value : Number.NaN;
  });

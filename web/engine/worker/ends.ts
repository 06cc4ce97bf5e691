/** Whether a scheme has a largest position, as with a table or a window. */
import type { Engine, Positions, Scheme } from "whereformer";
import { galleryModel } from "../../defaults.js";
import type { PortraitQuestion } from "../both/messages.js";
import { ifOffered, isRefusal, withScheme } from "./configured-scheme.js";

/** Returns position 0 and a far position; on a grid, far along both axes. */
const apart = ({ description }: Scheme, position: number): Positions =>
  description.positionAxes === 2
    ? { data: [0, position, 0, position], shape: [2, 2] }
    : ([0, position] as readonly number[]);

/** Computes the logits of two tokens at this distance. */
function scoreApart(wf: Engine, scheme: Scheme, position: number): void {
  const { numHeads, headDim } = galleryModel;
  const shape = [numHeads, 2, headDim];
  const rows = { data: new Float32Array(2 * numHeads * headDim).fill(1), shape };
  const positions = apart(scheme, position);
  const attention = wf.attention({ scheme, numHeads, headDim });
  try {
    attention.run({ q: rows, k: rows, v: rows, positions, keyPositions: positions });
  } finally {
    attention.dispose();
  }
}

/** True if the engine rejects that position or that distance. */
export function endsSomewhere(
  wf: Engine,
  question: Pick<PortraitQuestion, "scheme" | "options">,
  position: number,
): boolean {
  const { hiddenSize } = galleryModel;
  return withScheme(wf, question, hiddenSize, (scheme) => {
    try {
      ifOffered(() => scheme.embeddings(apart(scheme, position)));
      // A scheme that needs a layer's own projections is not supported here; it clips distances and
      // has no end.
      ifOffered(() => scoreApart(wf, scheme, position));
      return false;
    } catch (reason) {
      if (!isRefusal(reason, "invalid_argument")) throw reason;
      return true;
    }
  });
}

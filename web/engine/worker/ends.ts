/** Whether a scheme stops being defined somewhere: a table of positions ends, a window too. */
import type { Engine, Positions, Scheme } from "whereformer";
import { galleryModel } from "../../defaults.js";
import type { PortraitQuestion } from "../both/messages.js";
import { ifOffered, isRefusal, withScheme } from "./configured-scheme.js";

/** The beginning and a far position; on a grid both axes go that far. */
const apart = ({ description }: Scheme, position: number): Positions =>
  description.positionAxes === 2
    ? { data: [0, position, 0, position], shape: [2, 2] }
    : ([0, position] as readonly number[]);

/** Scores of two tokens so far apart. */
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

/** True where the engine refuses that position, or so great a distance. */
export function endsSomewhere(
  wf: Engine,
  question: Pick<PortraitQuestion, "scheme" | "options">,
  position: number,
): boolean {
  const { hiddenSize } = galleryModel;
  return withScheme(wf, question, hiddenSize, (scheme) => {
    try {
      ifOffered(() => scheme.embeddings(apart(scheme, position)));
      // What needs a layer's own projections is refused as unsupported: it clips, and never ends.
      ifOffered(() => scoreApart(wf, scheme, position));
      return false;
    } catch (reason) {
      if (!isRefusal(reason, "invalid_argument")) throw reason;
      return true;
    }
  });
}

// Helpers for tests of refused arguments: valid arguments to change, and a check that the engine
// still works.

import { after, describe, test } from "node:test";
import { near, refused, scattered, wf } from "./golden.mjs";

export const sizes = { numHeads: 4, headDim: 8 };
export const rope = wf.scheme("rope", sizes);
export const alibi = wf.scheme("alibi", sizes);
export const attention = wf.attention({ scheme: rope, isCausal: true });
export const cache = attention.cache({ capacity: 6 });
export const input = {
  q: scattered([4, 5, 8]),
  k: scattered([4, 5, 8], 2),
  v: scattered([4, 5, 8], 3),
};
export const config = {
  vocabSize: 16,
  hiddenSize: 8,
  numLayers: 1,
  numHeads: 2,
  intermediateSize: 8,
  scheme: "rope",
};
export const model = await wf.model(config);
export const task = { id: "copy" };
export const invalid = "invalid_argument";

const expected = attention.run(input).output.data;
/** Checks that the engine still gives its first result. */
export const goesOn = () =>
  near(attention.run(input).output.data, expected, 0, "the engine afterwards");
after(goesOn);

/** Each row: an invalid call, the code, and a pattern for the message. */
export function refusals(title, lines) {
  describe(title, () => {
    for (const [action, code, message] of lines) {
      test(`${message}`, () => {
        refused(action, code, message);
        goesOn();
      });
    }
  });
}

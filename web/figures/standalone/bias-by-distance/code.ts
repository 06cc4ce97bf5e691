/** Code that reproduces the curves, or gives the element the reader's own curves. */
import type { BiasAnswer } from "../../../engine/both/element-messages.js";
import { schemeCode } from "../../shared/exports/scheme-code.js";

/** Prints each head's bias at the first and at the last distance. */
export const biasCode = (answer: BiasAnswer): string => {
  const { heads, length } = answer;
  return `${schemeCode(answer, { numHeads: heads, headDim: 16 })}
const keys = Array.from({ length: ${length} }, (_, i) => i);
const { data } = scheme.bias([${length - 1}], keys); // [heads, 1, keys]
for (let head = 0; head < ${heads}; head++)
  for (const distance of [0, ${length - 1}])
    console.log("head", head, "tokens back", distance, data[(head + 1) * ${length} - 1 - distance]);
`;
};

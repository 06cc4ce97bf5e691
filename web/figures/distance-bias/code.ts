/** Code that reproduces the numbers of "what if only distance counted?". */
import { distanceView } from "../../defaults.js";
import type { DistanceAnswer } from "../../engine/both/place-messages.js";
import { trainedTermsCode } from "../shared/taken/trained-terms-code.js";

/** A scheme that a formula defines: its bias, asked of the scheme. */
const defined = ({ scheme, knob, head, numHeads }: DistanceAnswer, option: string): string => {
  const more = option === "numHeads" ? "" : `, ${option}: ${knob}`;
  return `import { load } from "whereformer";

const wf = await load();
const scheme = wf.scheme("${scheme}", { numHeads: ${numHeads}, headDim: ${distanceView.headDim}${more} });
const keys = Array.from({ length: ${distanceView.distances} }, (_, i) => i);
const { data } = scheme.bias([keys.length - 1], keys); // [heads, 1, keys]
const row = data.slice(${head} * keys.length, ${head + 1} * keys.length).reverse();
for (const distance of [0, 1, 8, 64, 119]) console.log("tokens back", distance, row[distance]);
`;
};

export const distanceCode = (answer: DistanceAnswer, option: string, folder: string): string =>
  answer.isTrained ? trainedTermsCode(answer, folder) : defined(answer, option);

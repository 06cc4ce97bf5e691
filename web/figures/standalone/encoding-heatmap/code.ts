/** Code that reproduces the rows, or gives the element the reader's own rows. */
import { type EncodingAnswer, encodingSeed } from "../../../engine/both/element-messages.js";
import { schemeCode } from "../../shared/exports/scheme-code.js";

/** Prints the first and the last number of the first, a middle and the last row. */
export const encodingCode = (answer: EncodingAnswer): string => {
  const { length, channels, isInitial } = answer;
  const sizes = { numHeads: 1, headDim: channels, hiddenSize: channels };
  return `${schemeCode(answer, sizes)}
const positions = Array.from({ length: ${length} }, (_, i) => i);
const { data } = scheme.embeddings(positions${isInitial ? `, { seed: ${encodingSeed} }` : ""}); // [positions, ${channels}]
for (const position of [0, ${Math.floor(length / 2)}, ${length - 1}])
  for (const channel of [0, ${channels - 1}])
    console.log("position", position, "channel", channel, data[position * ${channels} + channel]);
`;
};

export const givenRowsCode = (): string => `import "whereformer/elements/encoding-heatmap";

const map = document.createElement("wf-encoding-heatmap");
map.values = [
  [0, 1, 0, 1],
  [0.84, 0.54, 0.01, 1],
  [0.91, -0.42, 0.02, 1],
]; // [positions, channels], or { data, shape }
document.body.append(map);
`;

/** Code that reproduces the numbers of "what if only distance counted?". */
import { distanceView } from "../../defaults.js";
import type { DistanceAnswer } from "../../engine/both/distance-messages.js";
import { numbersOf, optionsIn } from "../../engine/both/distance-numbers.js";
import { trainedTermsCode } from "../shared/exports/trained-terms-code.js";

/** Returns trained parameters and those that the reader changed, rounded to be readable. */
function parametersOf({ parameters }: DistanceAnswer): string {
  if (!parameters) return "";
  const entries = Object.entries(parameters).map(([name, { data, shape }]) => {
    const numbers = [...data].map((value) => Number(value.toPrecision(6))).join(", ");
    return `  "${name}": { data: [${numbers}], shape: [${shape.join(", ")}] },`;
  });
  return `const parameters = {\n${entries.join("\n")}\n};\n`;
}

/** Returns code for a scheme without a model: its bias with zero queries and keys. */
function ofNumbers(answer: DistanceAnswer, option: string): string {
  const { scheme, knob, numbers, values, head, numHeads } = answer;
  const given = {
    numHeads,
    headDim: 1,
    ...(option && option !== "numHeads" ? { [option]: knob } : {}),
    ...optionsIn(scheme, numbers),
  };
  const written = Object.entries(given).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const options = [...written, ...(answer.parameters ? ["parameters"] : [])].join(", ");
  const { distances } = distanceView;
  const query = values[numbersOf(scheme).findIndex(({ key }) => key === "query")] ?? distances - 1;
  return `import { load } from "whereformer";

const wf = await load();
${parametersOf(answer)}const scheme = wf.scheme("${scheme}", { ${options} });
const attention = wf.attention({ scheme, isCausal: true });
const zeros = (tokens) => ({ data: new Float32Array(${numHeads} * tokens), shape: [${numHeads}, tokens, 1] });
const keyPositions = Array.from({ length: ${distances} }, (_, i) => ${query - distances + 1} + i);
const { terms } = attention.run({
  q: zeros(1), k: zeros(${distances}), v: zeros(${distances}),
  positions: [${query}], keyPositions, queryOffset: ${distances - 1}, record: ["terms"],
});
const [, { data }] = Object.entries(terms).find(([name]) => name !== "content"); // [heads, 1, keys]
const row = data.slice(${head} * ${distances}, ${head + 1} * ${distances}).reverse();
for (const distance of [0, 1, 8, 64, 119]) console.log("tokens back", distance, row[distance]);
`;
}

/** Returns code for a scheme that a formula defines, which computes its bias. */
function defined({ scheme, knob, numbers, head, numHeads }: DistanceAnswer, option: string) {
  const given = {
    numHeads,
    headDim: distanceView.headDim,
    ...(option === "numHeads" ? {} : { [option]: knob }),
    ...optionsIn(scheme, numbers),
  };
  const written = Object.entries(given).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `import { load } from "whereformer";

const wf = await load();
const scheme = wf.scheme("${scheme}", { ${written.join(", ")} });
const keys = Array.from({ length: ${distanceView.distances} }, (_, i) => i);
const { data } = scheme.bias([keys.length - 1], keys); // [heads, 1, keys]
const row = data.slice(${head} * keys.length, ${head + 1} * keys.length).reverse();
for (const distance of [0, 1, 8, 64, 119]) console.log("tokens back", distance, row[distance]);
`;
}

/** `option` is the key of the first number. */
export function distanceCode(
  answer: DistanceAnswer,
  option: string,
  folder: string,
  isRotated: boolean,
): string {
  if (!answer.isTrained) return defined(answer, option);
  // A bias that depends on the words needs the model; the code then omits that its table was
  // shortened.
  return isRotated && answer.parameters
    ? ofNumbers(answer, option)
    : trainedTermsCode(answer, folder);
}

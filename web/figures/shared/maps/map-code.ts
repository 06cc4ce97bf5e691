/** Code that gives the numbers of zoomed maps, as text to copy. */

import type { SchemeSpec } from "whereformer";
import { formulaScheme } from "../../../defaults.js";
import type { OpenedMapAnswer } from "../../../engine/both/checkpoint-messages.js";
import { labModel } from "../../../engine/both/lab-sizes.js";
import type { MapPart, MapsAnswer } from "../../../engine/both/map-messages.js";
import { groupOfEach } from "../../../text/word-groups.js";
import { config } from "../exports/code.js";
import { type Sides, sidesOf, sidesShown } from "./by-word.js";

const recordOf: Record<MapPart, string> = {
  weights: "weights",
  sum: "logits",
  content: "terms",
  position: "terms",
};
const numbersAt: Record<MapPart, string> = {
  weights: "result.weights.data",
  sum: "result.logits.data",
  content: "result.terms.content.data",
  position: "result.logits.data.map((sum, at) => sum - result.terms.content.data[at])",
};

/** Expressions for the numbers after a term may have been removed from the logits. */
const leftAt: Record<MapPart, string> = {
  ...numbersAt,
  content: "left.terms.content?.data ?? new Float32Array(ids.length ** 2)",
  position: "left.logits.data.map((sum, at) => sum - (left.terms.content?.data[at] ?? 0))",
};

/** Weights by word, with the list of that name, which has the word of each token. */
const byWordAt = (result: string, words: string) => `byGroup(${result}.weights, ${words}).data`;

/** Writes the list of the word of each token; empty for a map by token. */
function wordsCode(name: string, sides: Sides | undefined): string {
  if (!sides) return "";
  return `const ${name} = [${groupOfEach(sides.rows).join(", ")}]; // the word of each token\n`;
}

/** Returns code for the map after surgery, and its last number. */
function operatedCode(
  { operated, part }: MapsAnswer,
  record: string,
  region: string,
  isByWord: boolean,
): string {
  if (!operated?.inForce || operated.failure) return "";
  const { surgery, positions, token, to } = operated.inForce;
  const changes = [
    ...(surgery ? [`surgery: ${JSON.stringify(surgery)}`] : []),
    ...(positions ? [`positions: ids.map((_, at) => (at === ${token} ? ${to} : at))`] : []),
  ];
  return `
const model = await wf.model(new URL("${operated.scheme}/", models));
const change = { ${changes.join(", ")} };
const left = model.run(ids, { record: [${record}], region: ${region}, ...change });
const map = ${isByWord ? byWordAt("left", "words") : leftAt[part].replaceAll("result.", "left.")};
console.log("${operated.scheme}", "after the operation", map.at(-1));
`;
}

/** The reader's own model and its answer, if it is shown. */
export interface OpenedRead {
  answer: OpenedMapAnswer;
  isEncoder: boolean;
}

/** Returns code for the map of the reader's own model, whose files have no address. */
function openedCode({ answer, isEncoder }: OpenedRead, record: string, isByWord: boolean): string {
  const { ids, tokens, part, layer, head } = answer;
  const n = ids.length;
  const region = `{ layers: [${layer}], heads: [${head}] }`;
  const words = wordsCode("ownWords", isByWord ? sidesShown(tokens) : undefined);
  const map = words ? byWordAt("read", "ownWords") : numbersAt[part].replaceAll("result.", "read.");
  return `
const files = []; // those of your checkpoint, as File objects
const own = await wf.model(files);
const ownIds = [${ids.join(", ")}]; // the text as its own tokenizer cuts it
const request = { record: [${record}], region: ${region} };
const read = own.${isEncoder ? "encode" : "run"}(ownIds, request);
${words}const ownMap = ${map}; // ${words ? "" : `[${n}, ${n}], `}row by row
console.log("your own", ownMap.at(-1));
`;
}

/** Returns code for the map of each scheme, and its last number. */
export function mapsCode(answer: MapsAnswer, isByWord = false, opened?: OpenedRead): string {
  const { reader, ids, part, numLayers, numHeads } = answer;
  const schemes = answer.schemes.map((id) =>
    id === formulaScheme && reader === "scheme" ? { id, options: answer.formula } : id,
  ) as SchemeSpec[];
  const hasFormula = schemes.some((one) => typeof one === "object");
  const [layer, head] = [
    Math.min(answer.layer, numLayers - 1),
    Math.min(answer.head, numHeads - 1),
  ];
  const words = wordsCode("words", isByWord ? sidesOf(answer.tokens) : undefined);
  const map = words ? byWordAt("result", "words") : numbersAt[part];
  const size = words ? "" : `[${ids.length}, ${ids.length}], `;
  const records = part === "position" ? `"terms", "logits"` : `"${recordOf[part]}"`;
  const model =
    reader === "model"
      ? `new URL(\`\${scheme}/\`, models)`
      : `{\n${config(labModel)
          .split("\n")
          .map((line) => `  ${line}`)
          .join("\n")}\n    scheme,\n  }`;
  const view =
    reader === "model"
      ? `const models = new URL("models/", location.href); // where you serve the model folders\n`
      : "";
  const region = `{ layers: [${layer}], heads: [${head}] }`;
  const openedPart = opened ? openedCode(opened, records, isByWord) : "";
  const needs = words || openedPart.includes("byGroup(") ? "byGroup, load" : "load";
  return `import { ${needs} } from "whereformer";

const wf = await load();
${view}const ids = [${ids.join(", ")}];
${words}for (const scheme of ${JSON.stringify(schemes)}) {
  const model = await wf.model(${model});
  const record = [${records}];
  const result = model.run(ids, { record, region: ${region} });
  const map = ${map}; // ${size}row by row
  console.log(scheme${hasFormula ? ".id ?? scheme" : ""}, map.at(-1));
}
${operatedCode(answer, records, region, words !== "")}${openedPart}`;
}

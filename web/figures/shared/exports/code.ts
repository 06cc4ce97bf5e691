/** Parts of the code that figures offer to copy, and that of the figures about one head. */
import { heldOutWindow, heldOutWindows, longestText } from "../../../defaults.js";

export const list = (ids: readonly number[]): string => `[${ids.join(", ")}]`;

/** Writes the entries of an object, one per line. */
export const config = (entries: Record<string, unknown>): string =>
  Object.entries(entries)
    .map(([key, value]) => `  ${key}: ${JSON.stringify(value)},`)
    .join("\n");

const modelsCodeWith = (names: string): string => `import { ${names} } from "whereformer";
import { Tokenizer } from "@huggingface/tokenizers";

const models = new URL("models/", location.href); // where you serve the model folders
const library = new Tokenizer(await (await fetch(new URL("tokenizer.json", models))).json(), {});
const encode = (text) => library.encode(text, { add_special_tokens: false }).ids;
const wf = await load();
`;

/** Code that loads the engine, and the trained models' tokenizer with the library of this page. */
export const modelsCode = modelsCodeWith("load");

/** Writes a text as the figures read it. */
export const textCode = (text: string): string =>
  `const ids = encode(${JSON.stringify(text)}).slice(0, ${longestText});
const n = ids.length;
`;

/**
 * Code for a model's loss on the beginning of the held-out texts: `bits(model, language, change)`.
 */
export const heldOutCode = `
// Bits a character on the beginning of a held-out text, in windows of ${heldOutWindow} tokens.
async function bits(model, language, change = () => ({})) {
  const text = await (await fetch(new URL(\`heldout/\${language}.txt\`, models))).text();
  const all = encode(text.slice(0, 8000));
  let [nats, characters] = [0, 0];
  for (let at = 0; at < ${heldOutWindows * heldOutWindow}; at += ${heldOutWindow}) {
    const window = all.slice(at, at + ${heldOutWindow + 1});
    nats += model.loss(window, change(window)).mean * ${heldOutWindow};
    for (const id of window.slice(1)) {
      const token = library.decode([id], { skip_special_tokens: false });
      characters += token.startsWith("<|") ? 1 : [...token].length; // unknown: one character
    }
  }
  return nats / Math.LN2 / characters;
}
`;

interface HeadChoice {
  text: string;
  schemes: readonly string[];
  layer: number;
  head: number;
}

/** Code in which the trained models read a text; `then` prints numbers of one head. */
function runCode(
  { text, schemes, layer, head }: HeadChoice,
  record: string,
  then: string,
  before = modelsCode,
) {
  return `${before}
${textCode(text)}for (const scheme of ${JSON.stringify(schemes)}) {
  const model = await wf.model(new URL(\`\${scheme}/\`, models));
  const region = { layers: [${layer}], heads: [${head}] };
  const { ${record} } = model.run(ids, { record: ${JSON.stringify(record.split(", "))}, region });
${then}
}
`;
}

/** Prints the head's map, row by row; `words` has the word of each token for a map by word. */
export const headCode = (choice: HeadChoice, words?: readonly number[]): string =>
  words
    ? runCode(
        choice,
        "weights",
        `  const { data, shape } = byGroup(weights, ${list(words)}); // the word of each token
  for (let row = 0, size = shape.at(-1); row < size; row++)
    console.log(scheme, "row", row + 1, ...data.slice(row * size, (row + 1) * size));`,
        modelsCodeWith("byGroup, load"),
      )
    : runCode(
        choice,
        "weights",
        `  for (let row = 0; row < n; row++)
    console.log(scheme, "row", row + 1, ...weights.data.slice(row * n, (row + 1) * n));`,
      );

/** Prints the terms of one logit, and the logit. */
export const scoreCode = (choice: HeadChoice, row: number, column: number): string =>
  runCode(
    choice,
    "terms, logits",
    `  const at = ${row} * n + ${column}; // from the query to the key
  for (const [name, { data }] of Object.entries(terms)) console.log(scheme, name, data[at]);
  console.log(scheme, "sum", logits.data[at]);`,
  );

/** Prints the mean weight at each distance below `distances`. */
export const reachCode = (choice: HeadChoice, distances: number): string =>
  runCode(
    choice,
    "weights",
    `  for (let back = 0; back < ${distances}; back++) {
    const first = Math.max(back, n > 1 ? 1 : 0); // row 0 sees only itself
    let sum = 0;
    for (let row = first; row < n; row++) sum += weights.data[row * n + row - back];
    console.log(scheme, "tokens back", back, sum / (n - first));
  }`,
  );

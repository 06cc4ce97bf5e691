/** Code that reproduces a figure's numbers, as text to copy. */
import {
  blindScheme,
  chaseModel,
  galleryModel,
  heldOutWindow,
  heldOutWindows,
  lengthRecipe,
  orderModel,
} from "../../defaults.js";
import type { OperateAnswer } from "../../engine/both/messages.js";
import { nested, type OptionValues } from "../../engine/both/scheme-options.js";
import { idsOf, type Pair } from "../../engine/both/sentences.js";
import { type Experiment, trainerOptions } from "../../engine/page/experiment.js";
import type { Portrait } from "../scheme-gallery/portrait-picture.js";

const list = (ids: readonly number[]): string => `[${ids.join(", ")}]`;

const config = (entries: Record<string, unknown>): string =>
  Object.entries(entries)
    .map(([key, value]) => `  ${key}: ${JSON.stringify(value)},`)
    .join("\n");

export function chaseCode(pair: Pair, scheme: string): string {
  return `import { load } from "whereformer";

const wf = await load();
const model = await wf.model({
${config({ ...chaseModel, scheme })}
});
const look = (ids) => model.run(ids, { record: ["weights"], region: { heads: [0] } }).weights.data;

const a = look(${list(idsOf(pair.tokensA, chaseModel.vocabSize))}); // ${pair.tokensA.join(" ")}
const b = look(${list(idsOf(pair.tokensB, chaseModel.vocabSize))}); // ${pair.tokensB.join(" ")}
const order = ${list(pair.order)}; // where A's tokens stand in B
const n = order.length;
let largest = 0;
for (let i = 0; i < n; i++)
  for (let j = 0; j < n; j++)
    largest = Math.max(largest, Math.abs(b[order[i] * n + order[j]] - a[i * n + j]));
console.log(largest);
`;
}

export function orderCode(
  tokens: readonly string[],
  swapped: readonly string[],
  seed: number,
): string {
  return `import { load } from "whereformer";

const wf = await load();
for (const [isCausal, numLayers] of [[false, 2], [true, 1], [true, 2]]) {
  const model = await wf.model({
${config({ ...orderModel, scheme: blindScheme, seed }).replace(/^/gm, "  ")}
    isCausal,
    numLayers,
  });
  const last = (ids) => model.run(ids, { record: ["hidden"] }).hidden.data.slice(-${orderModel.hiddenSize});
  const a = last(${list(idsOf(tokens, orderModel.vocabSize))}); // ${tokens.join(" ")}
  const b = last(${list(idsOf(swapped, orderModel.vocabSize))}); // ${swapped.join(" ")}
  console.log(isCausal, numLayers, Math.max(...a.map((value, i) => Math.abs(value - b[i]))));
}
`;
}

/** The gallery's model with one scheme: the terms of the marked score, and their sum. */
export function portraitCode({ answer, head, active }: Portrait, options: OptionValues): string {
  const { scheme, ids, labels, isCausal } = answer;
  const spec = JSON.stringify({ id: scheme, options: nested(options) });
  return `import { load } from "whereformer";

const wf = await load();
const model = await wf.model({
${config({ ...galleryModel, isCausal })}
  scheme: ${spec},
});
const ids = ${list(ids)}; // ${labels.join(" ")}
const { terms, logits } = model.run(ids, {
  record: ["terms", "logits"],
  region: { heads: [${head}], rows: [${active.row}], columns: [${active.column}] },
});
for (const [name, { data }] of Object.entries(terms)) console.log(name, data[0]);
console.log("sum", logits.data[0]);
`;
}

/** The trained models, read with any tokenizer library; here the one this page uses. */
export function headCode(
  text: string,
  schemes: readonly string[],
  layer: number,
  head: number,
): string {
  return `import { load } from "whereformer";
import { Tokenizer } from "@huggingface/tokenizers";

const models = new URL("models/", location.href); // where you serve the model folders
const library = new Tokenizer(await (await fetch(new URL("tokenizer.json", models))).json(), {});
const tokenizer = { encode: (text) => library.encode(text).ids, decode: (ids) => library.decode(ids) };

const wf = await load();
for (const scheme of ${JSON.stringify(schemes)}) {
  const model = await wf.model(new URL(\`\${scheme}/\`, models), { tokenizer });
  const { tokens, weights, terms } = model.run(${JSON.stringify(text)}, {
    record: ["weights", "terms"],
    region: { layers: [${layer}], heads: [${head}] },
  });
  console.log(scheme, tokens, weights, terms);
}
`;
}

/** The loss and the head's map with and without the operation. */
export function surgeryCode(text: string, answer: OperateAnswer): string {
  const { scheme, layer, head, surgery, positions, token, to } = answer;
  const moved = positions
    ? `const positions = (length) => Array.from({ length }, (_, at) => (at === ${token} ? ${to} : at));\n`
    : "";
  const extra = [
    ...(surgery ? [`surgery: ${JSON.stringify(surgery)}`] : []),
    ...(positions ? ["positions: positions(ids.length)"] : []),
  ].join(", ");
  return `import { load } from "whereformer";
import { Tokenizer } from "@huggingface/tokenizers";

const models = new URL("models/", location.href); // where you serve the model folders
const library = new Tokenizer(await (await fetch(new URL("tokenizer.json", models))).json(), {});
const wf = await load();
const model = await wf.model(new URL("${scheme}/", models));
const change = (ids) => ({ ${extra} });
${moved}
const text = library.encode(${JSON.stringify(text)}).ids;
const map = { record: ["weights"], region: { layers: [${layer}], heads: [${head}] } };
console.log(model.run(text, map).weights, model.run(text, { ...map, ...change(text) }).weights);

for (const language of ["en", "zh"]) {
  const heldOut = await (await fetch(new URL(\`heldout/\${language}.txt\`, models))).text();
  const all = library.encode(heldOut.slice(0, 4000)).ids;
  for (let at = 0; at < ${heldOutWindows * heldOutWindow}; at += ${heldOutWindow}) {
    const ids = all.slice(at, at + ${heldOutWindow + 1});
    console.log(language, at, model.loss(ids).mean, model.loss(ids, change(ids)).mean); // nats a token
  }
}
`;
}

/** Trains every chosen scheme with every seed and tests it at every length, one after another. */
export function lengthCode({ schemes, text }: Experiment, chosen: readonly string[]): string {
  const specs = chosen.map((id) => {
    const scheme = schemes.find((one) => one.id === id)!;
    return trainerOptions(scheme, 0, text).config.scheme;
  });
  const { model, length, batchSize, steps, learningRate, seeds, multiples, testCharacters } =
    lengthRecipe;
  return `import { load } from "whereformer";

const text = await (await fetch(${JSON.stringify(text.address)})).text();
const letters = [...new Set(text)].sort();
const all = Int32Array.from(text, (letter) => letters.indexOf(letter));
const end = all.length - ${testCharacters + 1};
const [ids, test] = [all.slice(0, end), all.slice(end)];

const wf = await load();
for (const scheme of ${JSON.stringify(specs)})
  for (const seed of ${JSON.stringify(seeds)}) {
    const trainer = wf.trainer({
      config: { ...${JSON.stringify(model)}, vocabSize: letters.length, scheme, seed },
      task: { id: "language_model", ids },
      seed, length: ${length}, batchSize: ${batchSize}, learningRate: ${learningRate}, totalSteps: ${steps},
    });
    trainer.step(${steps});
    const model = trainer.model();
    for (const length of ${JSON.stringify(multiples.map((multiple) => multiple * length))}) {
      let sum = 0;
      const windows = Math.floor(${testCharacters} / length);
      try {
        for (let at = 0; at < windows * length; at += length)
          sum += model.loss(test.slice(at, at + length + 1)).mean;
        console.log(scheme.id ?? scheme, seed, length, sum / windows / Math.LN2); // bits a letter
      } catch (error) {
        console.log(scheme.id ?? scheme, seed, length, error.code); // where a table has ended
      }
    }
    model.dispose();
    trainer.dispose();
  }
`;
}

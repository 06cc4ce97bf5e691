/**
 * Biases that do not depend on the words: of schemes that a formula defines, and of schemes with
 * trained parameters, some of which the reader can change.
 */
import type { Engine, Model, Scheme } from "whereformer";
import { type DistanceScheme, distanceView, heldOutWindow } from "../../defaults.js";
import type { DistanceAnswer, DistanceLine, DistanceQuestion } from "../both/distance-messages.js";
import { numbersIn, numbersOf, optionsIn } from "../both/distance-numbers.js";
import { count } from "./configured-scheme.js";
import { trainedParameters } from "./trained-scheme.js";

const { distances, side } = distanceView;

type Parameters = NonNullable<DistanceAnswer["parameters"]>;

/** Returns the logits of zero queries and keys, which are the bias, [heads, queries, keys]. */
function addedTo(wf: Engine, scheme: Scheme, heads: number, queries: number[], keys: number[]) {
  const attention = wf.attention({ scheme, isCausal: true });
  const zeros = (tokens: number) => ({
    data: new Float32Array(heads * tokens),
    shape: [heads, tokens, 1],
  });
  const silent = { q: zeros(queries.length), k: zeros(keys.length), v: zeros(keys.length) };
  const { terms } = attention.run({
    ...silent,
    positions: queries,
    keyPositions: keys,
    queryOffset: keys.length - queries.length,
    record: ["terms"],
  });
  attention.dispose();
  const [, bias] = Object.entries(terms).find(([name]) => name !== "content")!;
  return bias.data;
}

/** Returns every head's curve for the last query, and one head's map. */
function shapesOf(
  wf: Engine,
  scheme: Scheme,
  heads: number,
  { head, query }: { head: number; query: number },
) {
  const keys = count(distances).map((index) => query - distances + 1 + index);
  const curves = addedTo(wf, scheme, heads, [query], keys);
  const lines = count(heads).map((name): DistanceLine => {
    const values = curves.slice(name * distances, (name + 1) * distances).reverse();
    return { kind: "head", name, values };
  });
  const cells = addedTo(wf, scheme, heads, count(side), count(side));
  return { lines, side, map: cells.slice(head * side * side, (head + 1) * side * side) };
}

/** Returns the position of the query, if the bias depends on it. */
function queryIn(id: string, written: readonly number[]): number {
  const at = numbersOf(id).findIndex(({ key }) => key === "query");
  return numbersIn(id, written)[at] ?? distances - 1;
}

/** Returns the bias of a scheme that a formula defines. */
export function definedBias(
  wf: Engine,
  { id, knob }: DistanceScheme,
  question: DistanceQuestion,
): DistanceAnswer {
  const { layer, language, numbers } = question;
  const sizes = { numHeads: distanceView.numHeads, headDim: 1 };
  const chosen = { ...(knob ? { [knob]: question.knob } : {}), ...optionsIn(id, numbers) };
  const given = { ...sizes, ...chosen };
  const scheme = wf.scheme(id, given);
  try {
    const head = Math.min(question.head, given.numHeads - 1);
    return {
      ...shapesOf(wf, scheme, given.numHeads, { head, query: queryIn(id, numbers) }),
      scheme: id,
      knob: question.knob,
      numbers,
      layer,
      head,
      language,
      tokens: [],
      numLayers: 1,
      numHeads: given.numHeads,
      isTrained: false,
      isOfContent: false,
      values: numbersIn(id, numbers) as number[],
      scores: 1,
    };
  } finally {
    scheme.dispose();
  }
}

const bucketTable = "relative_attention_bias";

/** Returns the bucket of each distance in a text as long as the training window. */
function bucketsOf(wf: Engine, id: string, numBuckets: number): number[] {
  const table = { data: Float32Array.from(count(numBuckets)), shape: [numBuckets, 1] };
  const parameters = { [bucketTable]: table };
  const options = { numHeads: 1, headDim: 1, numBuckets, parameters };
  const scheme = wf.scheme(id, options);
  const found = [...scheme.bias([heldOutWindow - 1], count(heldOutWindow)).data].reverse();
  scheme.dispose();
  return found;
}

/**
 * Returns a table for fewer buckets: each gets the mean over the former buckets of its distances.
 */
function mergedBuckets(wf: Engine, model: Model, table: Float32Array, numBuckets: number) {
  const { numHeads, scheme } = model.config;
  const { id } = scheme[0]!;
  const before = bucketsOf(wf, id, table.length / numHeads);
  const after = bucketsOf(wf, id, numBuckets);
  const merged = new Float32Array(numBuckets * numHeads);
  for (const bucket of count(numBuckets)) {
    const members = before.filter((_, distance) => after[distance] === bucket);
    for (const head of count(numHeads)) {
      const values = members.map((old) => table[old * numHeads + head]!);
      merged[bucket * numHeads + head] = values.reduce((a, b) => a + b, 0) / values.length;
    }
  }
  return merged;
}

/**
 * Writes the reader's p and a of KERPLE to the chosen head; the power kernel gets a new p in all
 * heads.
 */
function bentKernel(found: Parameters, head: number, values: readonly (number | undefined)[]) {
  const [kernel, p, a] = values;
  const [exponents, rates] = [found["bias_p"]!.data, found["bias_a"]!.data];
  // The trained p belongs to the logarithm; 1 makes the power kernel a straight line.
  if (kernel === 2) exponents.fill(1);
  // The limit in the authors' code and in the engine's training.
  const max = kernel === 2 ? 2 : Infinity;
  if (p !== undefined) exponents[head] = Math.min(max, p / 100);
  if (a !== undefined) rates[head] = a / 100;
  return [kernel!, exponents[head]! * 100, rates[head]! * 100];
}

/** Returns the bias of a trained model's scheme, with the reader's changes. */
export function learntBias(
  wf: Engine,
  model: Model,
  { id, knob }: DistanceScheme,
  question: DistanceQuestion,
): DistanceAnswer {
  const { numLayers, numHeads } = model.config;
  const { numbers, language } = question;
  const layer = Math.min(question.layer, numLayers - 1);
  const head = Math.min(question.head, numHeads - 1);
  const parameters = trainedParameters(wf, model, layer);
  let values = numbersIn(id, numbers);
  const options: Record<string, unknown> = {
    ...(knob ? { [knob]: question.knob } : {}),
    ...optionsIn(id, numbers),
  };
  if (parameters["bias_p"]) values = bentKernel(parameters, head, values);
  const table = parameters[bucketTable];
  if (table && options["numBuckets"]) {
    const numBuckets = Number(options["numBuckets"]);
    const data = mergedBuckets(wf, model, table.data, numBuckets);
    parameters[bucketTable] = { data, shape: [numBuckets, numHeads] };
  }
  // The bias does not depend on the words, so one channel per head is enough.
  const given = {
    numHeads,
    headDim: 1,
    ...model.config.scheme[0]!.options,
    ...options,
    parameters,
  };
  const scheme = wf.scheme(id, given);
  try {
    return {
      ...shapesOf(wf, scheme, numHeads, { head, query: queryIn(id, numbers) }),
      scheme: id,
      knob: question.knob,
      numbers,
      language,
      layer,
      head,
      numLayers,
      numHeads,
      isTrained: true,
      isOfContent: false,
      parameters,
      values: values as number[],
      tokens: [],
      scores: 1,
    };
  } finally {
    scheme.dispose();
  }
}

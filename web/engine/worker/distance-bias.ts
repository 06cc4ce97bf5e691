/**
 * What a scheme adds to scores by distance: of a scheme without trained numbers as it is defined,
 * of the others as a trained model has it, on text that it was not trained on.
 */
import type { Engine, Model } from "whereformer";
import { asScheme, type DistanceScheme, distanceSchemes, distanceView } from "../../defaults.js";
import { largestDifference } from "../both/measures.js";
import type { DistanceAnswer, DistanceLine, DistanceQuestion } from "../both/place-messages.js";
import { count } from "./configured-scheme.js";
import type { Job } from "./job.js";
import type { ModelStore } from "./model-store.js";
import { withFewerRows } from "./saved-tensors.js";

const { distances, side } = distanceView;
const contentTerm = "content";

/** Bias of schemes that a formula defines. */
function definedBias(
  wf: Engine,
  known: DistanceScheme,
  question: DistanceQuestion,
): DistanceAnswer {
  const { id, knob } = known;
  const { layer, language } = question;
  const sizes = { numHeads: distanceView.numHeads, headDim: distanceView.headDim };
  const given = { ...sizes, ...(knob ? { [knob]: question.knob } : {}) };
  const scheme = wf.scheme(asScheme(id) as never, given as never);
  try {
    const curves = scheme.bias([distances - 1], count(distances)).data;
    const head = Math.min(question.head, given.numHeads - 1);
    const lines = count(given.numHeads).map((index): DistanceLine => {
      const values = curves.slice(index * distances, (index + 1) * distances).reverse();
      return { kind: "head", name: index, values };
    });
    const cells = scheme.bias(count(side), count(side)).data;
    return {
      ...{ scheme: id, knob: question.knob, layer, head, language, lines, side },
      ...{ numLayers: 1, numHeads: given.numHeads, isTrained: false, isOfContent: false },
      map: cells.slice(head * side * side, (head + 1) * side * side),
      tokens: [],
      scores: 1,
    };
  } finally {
    scheme.dispose();
  }
}

/** The model with another number for its scheme's option; tables keep the rows that are left. */
async function turnedModel(wf: Engine, model: Model, known: DistanceScheme, value: number) {
  const { id, options } = model.config.scheme[0]!;
  const turned = { ...options, [known.knob!]: value };
  const { numHeads, headDim, hiddenSize } = model.config;
  const like = wf.scheme(id as never, { numHeads, headDim, hiddenSize, ...turned } as never);
  const needed = Object.entries(like.parameters());
  like.dispose();
  const weights = withFewerRows(model.save(), (name, all) => {
    const found = needed.find(([ending]) => name.endsWith(`position.${id}.${ending}`));
    const rows = found?.[1].shape[0];
    if (rows === undefined || rows >= all) return undefined;
    return { first: known.keeps === "first" ? 0 : Math.floor((all - rows) / 2), rows };
  });
  const config = { ...model.config, scheme: { id, options: turned } } as never;
  return wf.model({ config, weights });
}

/** Terms of one head over one text, [n, n] each. */
function termsOf(model: Model, ids: readonly number[], layer: number, head: number) {
  const { terms } = model.run(ids, {
    record: ["terms"],
    region: { layers: [layer], heads: [head] },
  });
  return Object.entries(terms ?? {}).map(([name, { data }]) => ({ name, data }));
}

type Terms = ReturnType<typeof termsOf>;

/** The sum of all that positions add. */
function addedIn(terms: Terms): Float32Array {
  const [first, ...others] = terms.filter(({ name }) => name !== contentTerm);
  return first!.data.map((value, at) => others.reduce((sum, { data }) => sum + data[at]!, value));
}

/** All values at one distance in causal maps [n, n]. */
function atDistance(maps: readonly Float32Array[], n: number, distance: number): Float32Array {
  const rows = count(n - distance).map((row) => row + distance);
  return Float32Array.from(
    maps.flatMap((map) => rows.map((row) => map[row * n + row - distance]!)),
  );
}

const meanOf = (values: Float32Array): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const shareOf = (values: Float32Array, share: number): number =>
  values.sort()[Math.floor(share * (values.length - 1))]!;

/** The mean of each term at every distance; of a single one also what a tenth lies beyond. */
function linesOfContent(texts: readonly Terms[], n: number): DistanceLine[] {
  const line = (kind: DistanceLine["kind"], name: string, of: (at: Float32Array) => number) => {
    const maps = texts.map((terms) => terms.find((term) => term.name === name)!.data);
    const values = Float32Array.from(count(distances), (d) => of(atDistance(maps, n, d)));
    return { kind, name, values };
  };
  // A term that adds nothing anywhere is one that an option has turned off.
  const names = texts[0]!
    .filter(({ data }) => data.some((value) => value !== 0))
    .map(({ name }) => name);
  const added = names.filter((name) => name !== contentTerm);
  if (added.length !== 1) return names.map((name) => line("mean", name, meanOf));
  const [name] = added as [string];
  return [
    line("mean", name, meanOf),
    line("low", name, (at) => shareOf(at, 0.1)),
    line("high", name, (at) => shareOf(at, 0.9)),
  ];
}

/** The last row's bias of every head, by distance. */
function linesOfHeads(model: Model, ids: readonly number[], layer: number): DistanceLine[] {
  return count(model.config.numHeads).map((head): DistanceLine => {
    const n = ids.length;
    const last = addedIn(termsOf(model, ids, layer, head)).subarray((n - 1) * n);
    return { kind: "head", name: head, values: last.slice(n - distances).reverse() };
  });
}

function trainedBias(
  model: Model,
  windows: readonly number[][],
  question: DistanceQuestion,
): Omit<DistanceAnswer, "tokens"> {
  const { numLayers, numHeads } = model.config;
  const layer = Math.min(question.layer, numLayers - 1);
  const head = Math.min(question.head, numHeads - 1);
  const n = windows[0]!.length;
  const texts = windows.map((ids) => termsOf(model, ids, layer, head));
  const [first, other] = texts.map(addedIn) as [Float32Array, Float32Array];
  const size = first.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const isOfContent = largestDifference(first, other) > 1e-5 * size;
  const lines = isOfContent ? linesOfContent(texts, n) : linesOfHeads(model, windows[0]!, layer);
  const map = Float32Array.from({ length: side * side }, (_, cell) => {
    const [row, column] = [Math.floor(cell / side), cell % side];
    return column > row ? 0 : first[row * n + column]!;
  });
  const { scheme, knob, language } = question;
  return {
    ...{ scheme, knob, language, layer, head, numLayers, numHeads, lines, side, map },
    ...{ isTrained: true, isOfContent },
    scores: isOfContent ? texts.length * (n - distances + 1) : 1,
  };
}

export async function distanceBias(
  store: ModelStore,
  question: DistanceQuestion,
  job: Job,
): Promise<DistanceAnswer> {
  const wf = await store.engine();
  const { folder, scheme, knob, language } = question;
  const known = distanceSchemes.find(({ id }) => id === scheme)!;
  if (!known.isTrained) return definedBias(wf, known, question);
  const [model, heldOut, tokenizer] = await Promise.all([
    store.model(folder, scheme, job),
    store.heldOut(folder, job),
    store.tokenizer(folder, job),
  ]);
  const text = heldOut.find((each) => each.language === language)!;
  // Each window has the token that follows it, which is only predicted.
  const windows = text.windows.map((window) => window.slice(0, -1));
  const isOwn = !known.knob || knob === known.own;
  const used = isOwn ? model : await turnedModel(wf, model, known, knob);
  try {
    const answer = trainedBias(used, windows, question);
    const seen = answer.isOfContent ? windows[0]!.slice(0, side) : [];
    return { ...answer, tokens: seen.map((id) => tokenizer.decode([id])) };
  } finally {
    if (used !== model) used.dispose();
  }
}

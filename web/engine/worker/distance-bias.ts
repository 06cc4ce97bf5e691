/**
 * Bias by distance: from the scheme's numbers if it does not depend on the words, otherwise from a
 * trained model on held-out text.
 */
import type { Engine, Model } from "whereformer";
import type { Job } from "whereformer/requests";
import { type DistanceScheme, distanceSchemes, distanceView } from "../../defaults.js";
import type { DistanceAnswer, DistanceLine, DistanceQuestion } from "../both/distance-messages.js";
import { count } from "./configured-scheme.js";
import { definedBias, learntBias } from "./distance-formula.js";
import type { ModelStore } from "./model-store.js";
import { withFewerRows } from "./saved-tensors.js";
import { tokenTexts } from "./token-texts.js";

const { distances, side } = distanceView;
const contentTerm = "content";

/** Returns the model with another value of its scheme's option; a shorter table keeps some rows. */
async function rotatedModel(wf: Engine, model: Model, known: DistanceScheme, value: number) {
  const { id, options } = model.config.scheme[0]!;
  const changed = { ...options, [known.knob!]: value };
  const { numHeads, headDim, hiddenSize } = model.config;
  const like = wf.scheme(id, { numHeads, headDim, hiddenSize, ...changed });
  const needed = Object.entries(like.parameters());
  like.dispose();
  const weights = withFewerRows(model.save(), (name, all) => {
    const found = needed.find(([ending]) => name.endsWith(`position.${id}.${ending}`));
    const rows = found?.[1].shape[0];
    if (rows === undefined || rows >= all) return undefined;
    return { first: known.keeps === "first" ? 0 : Math.floor((all - rows) / 2), rows };
  });
  const config = { ...model.config, scheme: { id, options: changed } } as never;
  return wf.model({ config, weights });
}

/** Returns the terms of one head over one text, [n, n] each. */
function termsOf(model: Model, ids: readonly number[], layer: number, head: number) {
  const { terms } = model.run(ids, {
    record: ["terms"],
    region: { layers: [layer], heads: [head] },
  });
  return Object.entries(terms ?? {}).map(([name, { data }]) => ({ name, data }));
}

type Terms = ReturnType<typeof termsOf>;

/** Returns the sum of all terms that positions add. */
function addedIn(terms: Terms): Float32Array {
  const [first, ...others] = terms.filter(({ name }) => name !== contentTerm);
  return first!.data.map((value, at) => others.reduce((sum, { data }) => sum + data[at]!, value));
}

/** Returns all values at one distance in causal maps [n, n]. */
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

/**
 * Returns the mean of each term at every distance; for a single term also its lowest and highest
 * tenth.
 */
function linesOfContent(texts: readonly Terms[], n: number): DistanceLine[] {
  const line = (kind: DistanceLine["kind"], name: string, of: (at: Float32Array) => number) => {
    const maps = texts.map((terms) => terms.find((term) => term.name === name)!.data);
    const values = Float32Array.from(count(distances), (d) => of(atDistance(maps, n, d)));
    return { kind, name, values };
  };
  // A term that is zero everywhere belongs to an option that is switched off.
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
  const first = addedIn(texts[0]!);
  const lines = linesOfContent(texts, n);
  const map = Float32Array.from({ length: side * side }, (_, cell) => {
    const [row, column] = [Math.floor(cell / side), cell % side];
    return column > row ? 0 : first[row * n + column]!;
  });
  const { scheme, knob, numbers, language } = question;
  return {
    scheme,
    knob,
    numbers,
    language,
    layer,
    head,
    numLayers,
    numHeads,
    lines,
    side,
    map,
    isTrained: true,
    isOfContent: true,
    values: [],
    scores: texts.length * (n - distances + 1),
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
  if (!known.readsWords) {
    const model = await store.model(folder, scheme, job);
    return learntBias(wf, model, known, question);
  }
  const [model, heldOut, tokenizer] = await Promise.all([
    store.model(folder, scheme, job),
    store.heldOut(folder, job),
    store.tokenizer(folder, job),
  ]);
  const text = heldOut.find((each) => each.language === language)!;
  // Each window includes the token after it, which is predicted and not read.
  const windows = text.windows.map((window) => window.slice(0, -1));
  const isInitial = !known.knob || knob === known.initial;
  const used = isInitial ? model : await rotatedModel(wf, model, known, knob);
  try {
    const answer = trainedBias(used, windows, question);
    const tokens = tokenTexts(windows[0]!.slice(0, side), tokenizer.decode);
    return { ...answer, tokens };
  } finally {
    if (used !== model) used.dispose();
  }
}

/** Questions about any scheme: its picture, and its attention to one text or grid. */
import type { Engine, Model, Scheme, SchemeDescription } from "whereformer";
import { asScheme, galleryModel, galleryView } from "../../defaults.js";
import { largestDifference } from "../both/measures.js";
import type {
  BiasPicture,
  EncodingPicture,
  PortraitAnswer,
  PortraitQuestion,
  RotationPicture,
  SchemePicture,
  TextRecord,
} from "../both/messages.js";
import { idsOf } from "../both/sentences.js";
import { addedTerms } from "./added-terms.js";
import {
  cellsOf,
  count,
  ifOffered,
  largestThatFits,
  optionsOf,
  withScheme,
} from "./configured-scheme.js";
import { costOf } from "./counted-cost.js";
import { endsSomewhere } from "./ends.js";
import { fixedBias } from "./fixed-bias.js";
import { gridBias, gridEncoding, gridRotation } from "./grid-pictures.js";
import { withUntrained } from "./untrained-models.js";

/** Cells on a side of the grid that is shown in place of a text. */
const gridSide = 3;

const isOfGrid = (description: SchemeDescription): boolean => description.positionAxes === 2;

/** Returns the rows added to token vectors; a table that ends gives all of its rows. */
function encodingOf(wf: Engine, question: PortraitQuestion): EncodingPicture {
  const { channels } = galleryView;
  return withScheme(wf, question, channels, (scheme) =>
    largestThatFits(galleryView.positions, 1, (positions) => {
      const { data } = scheme.embeddings(count(positions), { seed: galleryModel.seed });
      return { kind: "encoding", positions, channels, values: data };
    }),
  );
}

/**
 * Returns the last query's logit for an equal key at each distance, as a share of that for itself.
 */
function whatIsLeft(wf: Engine, scheme: Scheme): Float32Array {
  const { positions } = galleryView;
  const { numHeads, headDim } = galleryModel;
  const ones = (rows: number) => ({
    data: new Float32Array(numHeads * rows * headDim).fill(1),
    shape: [numHeads, rows, headDim],
  });
  const attention = wf.attention({ scheme, numHeads, headDim });
  try {
    const { logits } = attention.run({
      q: ones(1),
      k: ones(positions),
      v: ones(positions),
      positions: [positions - 1],
      record: ["logits"],
      region: { heads: [0] },
    });
    const row = logits!.data.slice(0, positions).reverse();
    return row.map((value) => value / row[0]!);
  } finally {
    attention.dispose();
  }
}

/**
 * Returns the radians by which each pair of the first head turns in one step, read off a rotated
 * vector: the engine lists no frequencies that depend on a head or a parameter.
 */
function radiansPerStep(
  scheme: Scheme,
  pairing: "halves" | "interleaved" = "halves",
): Float32Array {
  const { numHeads, headDim } = galleryModel;
  const pairs = headDim / 2;
  const [step, apart] = pairing === "halves" ? [1, pairs] : [2, 1];
  const x = new Float32Array(numHeads * headDim);
  for (let pair = 0; pair < pairs; pair++) x[pair * step] = 1;
  const { data } = scheme.rotate({ data: x, shape: [numHeads, 1, headDim] }, [1]);
  return Float32Array.from({ length: pairs }, (_, pair) =>
    Math.atan2(data[pair * step + apart]!, data[pair * step]!),
  );
}

/** Returns the rotation of each pair of channels, if the scheme rotates pairs. */
function rotationOf(wf: Engine, question: PortraitQuestion): RotationPicture | undefined {
  return withScheme(wf, question, galleryModel.hiddenSize, (scheme) =>
    ifOffered(() => {
      const { frequency, pairing } = question.formula ?? {};
      const listed = ifOffered(() => scheme.frequencies(galleryView.positions).inverseFrequencies);
      const frequencies = listed ?? (frequency ? radiansPerStep(scheme, pairing) : undefined);
      return frequencies && { kind: "rotation", frequencies, left: whatIsLeft(wf, scheme) };
    }),
  );
}

/**
 * Returns the bias, if all that the scheme adds to a logit stays the same when the words change.
 */
export function biasOf(model: Model, description: SchemeDescription): BiasPicture | undefined {
  const { positions, mapPositions } = galleryView;
  const curves = fixedBias(model, description, positions, [positions - 1]);
  const maps = curves && fixedBias(model, description, mapPositions, count(mapPositions));
  return maps && { kind: "bias", positions, mapPositions, curves, maps };
}

/** Returns the scheme's picture, chosen by its hooks and its results, never by its name. */
function pictureOf(
  wf: Engine,
  model: Model,
  description: SchemeDescription,
  question: PortraitQuestion,
): SchemePicture {
  const { hooks } = description;
  const none: SchemePicture = { kind: "attention" };
  const isGrid = isOfGrid(description);
  // Hooks list all that a scheme may do; with some options it does not use them.
  const encoding = hooks.includes("embeddings")
    ? ifOffered(() =>
        isGrid ? gridEncoding(wf, question, galleryModel.seed) : encodingOf(wf, question),
      )
    : undefined;
  if (encoding) return encoding;
  const rotation = hooks.includes("transform")
    ? (isGrid ? gridRotation : rotationOf)(wf, question)
    : undefined;
  return rotation ?? (isGrid ? gridBias : biasOf)(model, description) ?? none;
}

/** Maps and terms of every head, [heads, n, n] each. */
function recordOf(model: Model, ids: number[]): TextRecord {
  const result = model.run(ids, { record: ["weights", "logits", "terms"] });
  const terms = Object.entries(result.terms ?? {}).map(([name, { data }]) => [name, data]);
  return {
    weights: result.weights!.data,
    logits: result.logits!.data,
    terms: Object.fromEntries(terms),
  };
}

/** Returns the answer with its content term split, if the scheme only adds to the token vectors. */
function splitRecord(
  wf: Engine,
  model: Model,
  question: PortraitQuestion,
  { ids, isCausal }: { ids: number[]; isCausal: boolean },
  record: TextRecord,
): TextRecord {
  const { hiddenSize, seed } = galleryModel;
  const positions = isCausal ? count(ids.length) : cellsOf(gridSide);
  const added = withScheme(wf, question, hiddenSize, (scheme) =>
    ifOffered(() => scheme.embeddings(positions, { seed }).data),
  );
  if (!added) return record;
  // Some schemes first multiply the token vectors by the square root of their width.
  for (const scale of [1, Math.sqrt(hiddenSize)]) {
    const terms = addedTerms(model, ids, added, scale);
    const sum = Float32Array.from(record.logits, (_, index) =>
      Object.values(terms).reduce((total, term) => total + term[index]!, 0),
    );
    if (largestDifference(sum, record.logits) < 1e-3) return { ...record, terms };
  }
  return record;
}

/** Returns the input: the typed words; or the cells of a small grid, without a causal mask. */
function subjectOf(description: SchemeDescription, tokens: readonly string[]) {
  if (!isOfGrid(description)) {
    return { labels: [...tokens], ids: idsOf(tokens, galleryModel.vocabSize), isCausal: true };
  }
  const ids = count(gridSide * gridSide);
  const labels = ids.map((cell) => `${Math.floor(cell / gridSide)},${cell % gridSide}`);
  return { labels, ids, isCausal: false };
}

export async function portrait(wf: Engine, question: PortraitQuestion): Promise<PortraitAnswer> {
  const { scheme, formula } = question;
  const { hiddenSize } = galleryModel;
  const description = formula
    ? withScheme(wf, question, hiddenSize, (made) => made.description)
    : wf.schemes.find(({ id }) => id === scheme);
  if (!description) {
    const message = `${scheme} is not registered`;
    throw Object.assign(new Error(message), { code: "unknown_scheme" });
  }
  const spec = { id: asScheme(scheme), options: optionsOf(question) };
  const isCausal = !isOfGrid(description);
  return withUntrained(wf, { ...galleryModel, isCausal, scheme: spec as never }, (model) =>
    portraitOf(wf, model, description, question),
  );
}

function portraitOf(
  wf: Engine,
  model: Model,
  description: SchemeDescription,
  question: PortraitQuestion,
): PortraitAnswer {
  const { scheme, tokens, isDetailed } = question;
  const whole = subjectOf(description, tokens);
  const { isCausal } = whole;
  // Cuts the text at the end of a table; a grid cannot be cut.
  const length = whole.ids.length;
  const [subject, record] = largestThatFits(length, isCausal ? 1 : length, (size) => {
    const labels = whole.labels.slice(0, size);
    const part = { labels, ids: whole.ids.slice(0, size), isCausal, isShortened: size < length };
    return [part, recordOf(model, part.ids)] as const;
  });
  const isSplit = isDetailed && description.hooks.includes("embeddings");
  return {
    scheme,
    numHeads: galleryModel.numHeads,
    ...subject,
    picture: pictureOf(wf, model, description, question),
    record: isSplit ? splitRecord(wf, model, question, subject, record) : record,
    ...(isDetailed
      ? { cost: costOf(wf, question), ends: endsSomewhere(wf, question, galleryView.farthest) }
      : {}),
  };
}

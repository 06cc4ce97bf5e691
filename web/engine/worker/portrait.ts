/** Questions about any scheme: its own picture, and one text (or grid) read with it. */
import type { Engine, Model, Scheme, SchemeDescription } from "whereformer";
import { asScheme, galleryModel, galleryView } from "../../defaults.js";
import { largestDifference } from "../both/measures.js";
import type {
  BiasPicture,
  EncodingPicture,
  PortraitAnswer,
  PortraitQuestion,
  SchemePicture,
  TextReading,
  TurnPicture,
} from "../both/messages.js";
import { nested } from "../both/scheme-options.js";
import { idsOf } from "../both/sentences.js";
import { addedTerms } from "./added-terms.js";
import { cellsOf, count, ifOffered, largestThatFits, withScheme } from "./configured-scheme.js";
import { costOf } from "./counted-cost.js";
import { endsSomewhere } from "./ends.js";
import { gridBias, gridEncoding, gridTurn } from "./grid-pictures.js";
import { ownBias } from "./own-bias.js";
import { withUntrained } from "./untrained-models.js";

/** Cells on a side of the grid that is read where there is no text to read. */
const gridSide = 3;

const isOfGrid = (description: SchemeDescription): boolean => description.positionAxes === 2;

/** What positions add to a token vector; a table that ends gives what it has. */
function encodingOf(wf: Engine, question: PortraitQuestion): EncodingPicture {
  const { channels } = galleryView;
  return withScheme(wf, question, channels, (scheme) =>
    largestThatFits(galleryView.positions, 1, (positions) => {
      const { data } = scheme.embeddings(count(positions), { seed: galleryModel.seed });
      return { kind: "encoding", positions, channels, values: data };
    }),
  );
}

/** The last query's score for a key like it at each distance, as a share of that for itself. */
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

/** How far each pair of channels turns, where the scheme turns pairs. */
function turnOf(wf: Engine, question: PortraitQuestion): TurnPicture | undefined {
  return withScheme(wf, question, galleryModel.hiddenSize, (scheme) =>
    ifOffered(() => {
      const { inverseFrequencies } = scheme.frequencies(galleryView.positions);
      return { kind: "turn", frequencies: inverseFrequencies, left: whatIsLeft(wf, scheme) };
    }),
  );
}

/** The bias, if all that the scheme adds to a logit stays as it is when the words change. */
export function biasOf(model: Model, description: SchemeDescription): BiasPicture | undefined {
  const { positions, mapPositions } = galleryView;
  const curves = ownBias(model, description, positions, [positions - 1]);
  const maps = curves && ownBias(model, description, mapPositions, count(mapPositions));
  return maps && { kind: "bias", positions, mapPositions, curves, maps };
}

/** Which picture is a scheme's own: asked of its hooks and of what it does, never of its name. */
function pictureOf(
  wf: Engine,
  model: Model,
  description: SchemeDescription,
  question: PortraitQuestion,
): SchemePicture {
  const { hooks } = description;
  const none: SchemePicture = { kind: "attention" };
  const isGrid = isOfGrid(description);
  // A hook says what a scheme may do; with some options it does something else.
  const encoding = hooks.includes("embeddings")
    ? ifOffered(() =>
        isGrid ? gridEncoding(wf, question, galleryModel.seed) : encodingOf(wf, question),
      )
    : undefined;
  if (encoding) return encoding;
  const turn = hooks.includes("transform") ? (isGrid ? gridTurn : turnOf)(wf, question) : undefined;
  return turn ?? (isGrid ? gridBias : biasOf)(model, description) ?? none;
}

/** Maps and terms of every head, [heads, n, n] each. */
function readingOf(model: Model, ids: number[]): TextReading {
  const result = model.run(ids, { record: ["weights", "logits", "terms"] });
  const terms = Object.entries(result.terms ?? {}).map(([name, { data }]) => [name, data]);
  return {
    weights: result.weights!.data,
    logits: result.logits!.data,
    terms: Object.fromEntries(terms),
  };
}

/**
 * The reading with its content split, where all that the scheme does is to add to the token
 * vectors.
 */
function splitReading(
  wf: Engine,
  model: Model,
  question: PortraitQuestion,
  { ids, isCausal }: { ids: number[]; isCausal: boolean },
  reading: TextReading,
): TextReading {
  const { hiddenSize, seed } = galleryModel;
  const positions = isCausal ? count(ids.length) : cellsOf(gridSide);
  const added = withScheme(wf, question, hiddenSize, (scheme) =>
    ifOffered(() => scheme.embeddings(positions, { seed }).data),
  );
  if (!added) return reading;
  // Some multiply the token vectors by the root of their width first.
  for (const scale of [1, Math.sqrt(hiddenSize)]) {
    const terms = addedTerms(model, ids, added, scale);
    const sum = Float32Array.from(reading.logits, (_, index) =>
      Object.values(terms).reduce((total, term) => total + term[index]!, 0),
    );
    if (largestDifference(sum, reading.logits) < 1e-3) return { ...reading, terms };
  }
  return reading;
}

/** What is read: the typed words; or the cells of a small grid, which see one another. */
function subjectOf(description: SchemeDescription, tokens: readonly string[]) {
  if (!isOfGrid(description)) {
    return { labels: [...tokens], ids: idsOf(tokens, galleryModel.vocabSize), isCausal: true };
  }
  const ids = count(gridSide * gridSide);
  const labels = ids.map((cell) => `${Math.floor(cell / gridSide)},${cell % gridSide}`);
  return { labels, ids, isCausal: false };
}

export async function portrait(wf: Engine, question: PortraitQuestion): Promise<PortraitAnswer> {
  const { scheme, options } = question;
  const description = wf.schemes.find(({ id }) => id === scheme);
  if (!description) {
    const message = `${scheme} is not registered`;
    throw Object.assign(new Error(message), { code: "unknown_scheme" });
  }
  const spec = { id: asScheme(scheme), options: nested(options) };
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
  // Past the end of a table there is nothing to read with; a grid has no beginning to keep.
  const length = whole.ids.length;
  const [subject, reading] = largestThatFits(length, isCausal ? 1 : length, (size) => {
    const labels = whole.labels.slice(0, size);
    const part = { labels, ids: whole.ids.slice(0, size), isCausal, isCut: size < length };
    return [part, readingOf(model, part.ids)] as const;
  });
  const isSplit = isDetailed && description.hooks.includes("embeddings");
  return {
    scheme,
    numHeads: galleryModel.numHeads,
    ...subject,
    picture: pictureOf(wf, model, description, question),
    reading: isSplit ? splitReading(wf, model, question, subject, reading) : reading,
    ...(isDetailed
      ? { cost: costOf(wf, question), ends: endsSomewhere(wf, question, galleryView.farthest) }
      : {}),
  };
}

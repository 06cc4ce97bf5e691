/** Questions about any scheme: its description, its own picture, and one text read with it. */
import type { Engine, Model, ModelResult, SchemeDescription } from "whereformer";
import { asScheme, galleryModel, galleryView } from "../defaults.js";
import { addedTerms } from "./added-terms.js";
import { freshModel } from "./fresh.js";
import { largestDifference } from "./measures.js";
import type {
  BiasPicture,
  EncodingPicture,
  PortraitAnswer,
  PortraitQuestion,
  SchemePicture,
  TextReading,
  TurnPicture,
} from "./questions.js";
import { nested } from "./scheme-options.js";

const count = (length: number): number[] => Array.from({ length }, (_, index) => index);

const isRefusal = (reason: unknown, code: string): boolean =>
  (reason as { code?: string }).code === code;

/** What positions add to a token vector; a table that ends gives what it has. */
function encodingOf(wf: Engine, question: PortraitQuestion): EncodingPicture {
  const { numHeads, headDim, seed } = galleryModel;
  const { channels } = galleryView;
  const shape = { numHeads, headDim, hiddenSize: channels };
  const scheme = wf.scheme(
    question.scheme as never,
    { ...shape, ...nested(question.options) } as never,
  );
  try {
    for (let positions = galleryView.positions; ; positions--) {
      try {
        const { data } = scheme.embeddings(count(positions), { seed });
        return { kind: "encoding", positions, channels, values: data };
      } catch (reason) {
        if (positions === 1 || !isRefusal(reason, "invalid_argument")) throw reason;
      }
    }
  } finally {
    scheme.dispose();
  }
}

/** How far each pair of channels turns, where the scheme turns pairs. */
function turnOf(wf: Engine, question: PortraitQuestion): TurnPicture | undefined {
  const { numHeads, headDim } = galleryModel;
  const scheme = wf.scheme(
    question.scheme as never,
    { numHeads, headDim, ...nested(question.options) } as never,
  );
  try {
    const { inverseFrequencies } = scheme.frequencies(galleryView.positions);
    return { kind: "turn", frequencies: inverseFrequencies };
  } catch (reason) {
    if (isRefusal(reason, "unsupported")) return undefined;
    throw reason;
  } finally {
    scheme.dispose();
  }
}

/** What the scheme adds to the logits of these ids, [heads, rows, n]; nothing where it adds none. */
function addedTo(model: Model, ids: number[], names: readonly string[], rows: number[]) {
  const { terms } = model.run(ids, { record: ["terms"], region: { rows } });
  const added = names.flatMap((name) => (terms?.[name] ? [terms[name].data] : []));
  if (!added.length) return undefined;
  return added.reduce((sum, term) => sum.map((value, index) => value + term[index]!));
}

/** The bias, if all that the scheme adds to a logit stays as it is when the words change. */
function biasOf(model: Model, description: SchemeDescription): BiasPicture | undefined {
  const { positions, mapPositions } = galleryView;
  const ids = count(positions);
  const other = ids.map((id) => galleryModel.vocabSize - 1 - id);
  const last = [positions - 1];
  const curves = addedTo(model, ids, description.terms, last);
  if (!curves) return undefined;
  const size = curves.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  // A learned bias that begins at zero shows nothing yet.
  if (size === 0) return undefined;
  const changed = addedTo(model, other, description.terms, last)!;
  if (largestDifference(curves, changed) > 1e-5 * size) return undefined;
  const few = ids.slice(0, mapPositions);
  return {
    kind: "bias",
    positions,
    mapPositions,
    curves,
    maps: addedTo(model, few, description.terms, few)!,
  };
}

/** Maps and terms of every head, [heads, n, n] each. */
function readingOf(model: Model, ids: number[]): TextReading {
  const result: ModelResult = model.run(ids, { record: ["weights", "logits", "terms"] });
  return {
    weights: result.weights!.data,
    logits: result.logits!.data,
    terms: Object.fromEntries(
      Object.entries(result.terms ?? {}).map(([name, { data }]) => [name, data]),
    ),
  };
}

/** The reading with its content split, where all that the scheme does is to add to the token vectors. */
function splitReading(
  wf: Engine,
  model: Model,
  question: PortraitQuestion,
  reading: TextReading,
): TextReading {
  const { numHeads, headDim, hiddenSize, seed } = galleryModel;
  const shape = { numHeads, headDim, hiddenSize };
  const scheme = wf.scheme(
    question.scheme as never,
    { ...shape, ...nested(question.options) } as never,
  );
  const added = scheme.embeddings(count(question.ids.length), { seed }).data;
  scheme.dispose();
  // Some multiply the token vectors by the root of their width first.
  for (const scale of [1, Math.sqrt(hiddenSize)]) {
    const terms = addedTerms(model, question.ids, added, scale);
    const sum = Float32Array.from(reading.logits, (_, index) =>
      Object.values(terms).reduce((total, term) => total + term[index]!, 0),
    );
    if (largestDifference(sum, reading.logits) < 1e-3) return { ...reading, terms };
  }
  return reading;
}

/** Which picture is a scheme's own: asked of its hooks and of what it does, never of its name. */
function pictureOf(
  wf: Engine,
  model: Model,
  description: SchemeDescription,
  question: PortraitQuestion,
): SchemePicture {
  if (description.hooks.includes("embeddings")) return encodingOf(wf, question);
  const turn = description.hooks.includes("transform") ? turnOf(wf, question) : undefined;
  return turn ?? biasOf(model, description) ?? { kind: "attention" };
}

export async function portrait(wf: Engine, question: PortraitQuestion): Promise<PortraitAnswer> {
  const description = wf.schemes.find(({ id }) => id === question.scheme);
  if (!description) {
    const message = `${question.scheme} is not registered`;
    throw Object.assign(new Error(message), { code: "unknown_scheme" });
  }
  const spec = { id: asScheme(question.scheme), options: nested(question.options) };
  const model = await freshModel(wf, { ...galleryModel, scheme: spec as never });
  const reading = readingOf(model, question.ids);
  const isSplit = question.isDetailed && description.hooks.includes("embeddings");
  return {
    scheme: question.scheme,
    numHeads: galleryModel.numHeads,
    picture: pictureOf(wf, model, description, question),
    reading: isSplit ? splitReading(wf, model, question, reading) : reading,
  };
}

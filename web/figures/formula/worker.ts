/** A formula of the reader, in attention among equal words. */
import type { Engine, FormulaOptions, Positions, Scheme, SchemeSpec } from "whereformer";
import { formulaScheme, formulaView } from "../../defaults.js";
import { EngineFailure, failureOf } from "../../engine/both/failure.js";
import { cellsOf, count } from "../../engine/worker/configured-scheme.js";
import type { Handlers } from "../../engine/worker/job.js";
import type { ModelStore } from "../../engine/worker/model-store.js";
import type { FormulaAnswer, FormulaQuestion } from "./messages.js";

const { numHeads, headDim, tokens, dials, side, dialSide } = formulaView;
const id = formulaScheme as SchemeSpec & "formula";
const sizes = { numHeads, headDim };

/** Tokens and their positions: those of a text, or the cells of a grid. */
interface Tokens {
  count: number;
  positions: Positions;
  dials: Positions;
  isCausal: boolean;
}
const ofText: Tokens = {
  count: tokens,
  positions: count(tokens),
  dials: count(dials),
  isCausal: true,
};
const ofGrid: Tokens = {
  count: side * side,
  positions: cellsOf(side),
  dials: cellsOf(dialSide),
  isCausal: false,
};

/** Returns what a function makes of a scheme, which is freed afterwards. */
function withFormula<T>(wf: Engine, options: FormulaOptions, use: (scheme: Scheme) => T): T {
  const scheme = wf.scheme(id, { ...sizes, ...options });
  try {
    return use(scheme);
  } finally {
    scheme.dispose();
  }
}

/** Returns a vector of ones for each token, with the rows that are added to it, as heads. */
function wordsWith(vectors: Float32Array | undefined, length: number) {
  const width = numHeads * headDim;
  const data = new Float32Array(width * length).fill(1);
  for (const at of vectors ? data.keys() : []) {
    const [head, token] = [Math.floor(at / (length * headDim)), Math.floor(at / headDim) % length];
    data[at]! += vectors![token * width + head * headDim + (at % headDim)]!;
  }
  return { data, shape: [numHeads, length, headDim] };
}

function attend(wf: Engine, scheme: Scheme, given: Tokens, vectors: Float32Array | undefined) {
  const { isCausal, positions } = given;
  const attention = wf.attention({ scheme, isCausal });
  try {
    const words = wordsWith(vectors, given.count);
    const { weights, logits, terms } = attention.run({
      q: words,
      k: words,
      v: words,
      positions,
      keyPositions: positions,
      record: ["weights", "logits", "terms"],
    });
    const named = Object.entries(terms!).map(([name, { data }]) => [name, data]);
    return {
      weights: weights!.data,
      logits: logits!.data,
      terms: Object.fromEntries(named) as Record<string, Float32Array>,
    };
  } finally {
    attention.dispose();
  }
}

/** Returns the angle of each pair at some positions: what becomes of its first unit vector. */
function anglesOf(scheme: Scheme, isInterleaved: boolean, positions: Positions): Float32Array {
  const pairs = headDim / 2;
  const [step, apart] = isInterleaved ? [2, 1] : [1, pairs];
  const x = new Float32Array(numHeads * dials * headDim);
  for (const at of x.keys()) x[at] = Number(count(pairs).some((k) => at % headDim === k * step));
  const { data } = scheme.rotate({ data: x, shape: [numHeads, dials, headDim] }, positions);
  return Float32Array.from({ length: numHeads * pairs * dials }, (_, at) => {
    const [head, pair, dial] = [
      Math.floor(at / (pairs * dials)),
      Math.floor(at / dials) % pairs,
      at % dials,
    ];
    const first = (head * dials + dial) * headDim + pair * step;
    return Math.atan2(data[first + apart]!, data[first]!);
  });
}

/** Returns the score of equal words without positions. */
function blindScore(wf: Engine, { logitScale }: FormulaOptions): number {
  const options = logitScale === undefined ? {} : { logitScale };
  return withFormula(wf, options, (scheme) => attend(wf, scheme, ofText, undefined).logits[0]!);
}

function shapeOf(wf: Engine, options: FormulaOptions): FormulaAnswer {
  const { frequency, angle, add, pairing } = options;
  const blind = blindScore(wf, options);
  return withFormula(wf, options, (scheme) => {
    const isGrid = scheme.description.positionAxes === 2;
    const given = isGrid ? ofGrid : ofText;
    const vectors = add === undefined ? undefined : scheme.embeddings(given.positions).data;
    const { weights, logits, terms } = attend(wf, scheme, given, vectors);
    const rotates = frequency !== undefined || angle !== undefined;
    return {
      numHeads,
      tokens: given.count,
      ...(isGrid ? { side } : {}),
      weights,
      added: logits.map((logit) => logit - blind),
      terms,
      ...(rotates ? { angles: anglesOf(scheme, pairing === "interleaved", given.dials) } : {}),
      ...(vectors ? { vectors } : {}),
    };
  });
}

const ofFormula: readonly string[] = ["invalid_argument", "unsupported", "unknown_option"];

/** Answers, or throws an error that says that the formula is refused, and where. */
function answer(wf: Engine, { options }: FormulaQuestion): FormulaAnswer {
  try {
    return shapeOf(wf, options);
  } catch (reason) {
    const failure = failureOf(reason);
    if (!ofFormula.includes(failure.code)) throw reason;
    throw new EngineFailure({ ...failure, code: "refused_formula" });
  }
}

export const answers = (store: ModelStore): Pick<Handlers, "formula"> => ({
  formula: async (question) => answer(await store.engine(), question),
});

/** A formula of the reader, in attention among equal words. */
import type { Engine, FormulaOptions, Scheme, SchemeSpec } from "whereformer";
import { formulaScheme, formulaView } from "../../defaults.js";
import { EngineFailure, failureOf } from "../../engine/both/failure.js";
import { count } from "../../engine/worker/configured-scheme.js";
import type { Handlers } from "../../engine/worker/job.js";
import type { ModelStore } from "../../engine/worker/model-store.js";
import type { FormulaAnswer, FormulaQuestion } from "./messages.js";

const { numHeads, headDim, tokens, dials } = formulaView;
const id = formulaScheme as SchemeSpec & "formula";
const sizes = { numHeads, headDim };
const positions = count(tokens);

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
function wordsWith(vectors: Float32Array | undefined) {
  const width = numHeads * headDim;
  const data = new Float32Array(width * tokens).fill(1);
  for (const at of vectors ? data.keys() : []) {
    const [head, token] = [Math.floor(at / (tokens * headDim)), Math.floor(at / headDim) % tokens];
    data[at]! += vectors![token * width + head * headDim + (at % headDim)]!;
  }
  return { data, shape: [numHeads, tokens, headDim] };
}

function attend(wf: Engine, scheme: Scheme, vectors: Float32Array | undefined) {
  const attention = wf.attention({ scheme, isCausal: true });
  try {
    const words = wordsWith(vectors);
    const record = ["weights", "logits", "terms"] as const;
    const { weights, logits, terms } = attention.run({
      ...{ q: words, k: words, v: words, record: [...record] },
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

/** Returns the angle of each pair at the first positions: what becomes of its first unit vector. */
function anglesOf(scheme: Scheme, isInterleaved: boolean): Float32Array {
  const pairs = headDim / 2;
  const [step, apart] = isInterleaved ? [2, 1] : [1, pairs];
  const x = new Float32Array(numHeads * dials * headDim);
  for (const at of x.keys()) x[at] = Number(count(pairs).some((k) => at % headDim === k * step));
  const { data } = scheme.rotate({ data: x, shape: [numHeads, dials, headDim] }, count(dials));
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

function shapeOf(wf: Engine, options: FormulaOptions): FormulaAnswer {
  const { logitScale, frequency, angle, add, pairing } = options;
  const blind = withFormula(wf, logitScale === undefined ? {} : { logitScale }, (scheme) =>
    attend(wf, scheme, undefined),
  );
  return withFormula(wf, options, (scheme) => {
    const vectors = add === undefined ? undefined : scheme.embeddings(positions).data;
    const { weights, logits, terms } = attend(wf, scheme, vectors);
    const rotates = frequency !== undefined || angle !== undefined;
    return {
      numHeads,
      tokens,
      weights,
      added: logits.map((logit, at) => logit - blind.logits[at]!),
      terms,
      ...(rotates ? { angles: anglesOf(scheme, pairing === "interleaved") } : {}),
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

/** The pairs of the head with the ghosts, as they contribute to its mean score by distance. */
import type { Engine } from "whereformer";
import type { Job } from "whereformer/requests";
import { distanceView, ghostSizes, sightedScheme, stretchHeads } from "../../defaults.js";
import { returningPair } from "../../engine/both/ghost-messages.js";
import { meanByPair } from "../../engine/worker/ghosts.js";
import type { Handlers } from "../../engine/worker/job.js";
import type { ModelStore } from "../../engine/worker/model-store.js";
import { heldOutText } from "../../engine/worker/read-maps.js";
import type { HeadPair, HeadScoreAnswer, HeadScoreQuestion } from "./messages.js";

const { tokens, sampled } = ghostSizes;
const { length: trained } = stretchHeads.small;

/**
 * Fits a rotation to a pair's mean contributions at distances 0, 1, 2 …: each of them is the real
 * part of (query · key*) e^(i · radians · distance), so the fit has a cosine and a sine, and no
 * constant.
 */
function pairOf(values: ArrayLike<number>, radians: number): HeadPair {
  let [cc, cs, ss, cv, sv] = [0, 0, 0, 0, 0];
  for (let at = 0; at < values.length; at++) {
    const [c, s] = [Math.cos(radians * at), Math.sin(radians * at)];
    cc += c * c;
    cs += c * s;
    ss += s * s;
    cv += c * values[at]!;
    sv += s * values[at]!;
  }
  const determinant = cc * ss - cs * cs;
  const [cosine, sine] = [(cv * ss - sv * cs) / determinant, (sv * cc - cv * cs) / determinant];
  const start = Math.atan2(sine, cosine) / (2 * Math.PI);
  return {
    period: (2 * Math.PI) / radians,
    strength: Math.hypot(cosine, sine),
    start: start < 0 ? start + 1 : start,
  };
}

/** Returns what ALiBi adds at each distance, by head: the logits of queries and keys of zeros. */
function biasesOf(wf: Engine, heads: number, headDim: number): Float32Array {
  const shape = { numHeads: heads, headDim };
  const scheme = wf.scheme(distanceView.first, shape);
  const attention = wf.attention({ ...shape, scheme, isCausal: true });
  const zeros = (rows: number) => ({
    data: new Float32Array(heads * rows * headDim),
    shape: [heads, rows, headDim],
  });
  const distances = tokens + 1;
  try {
    const keys = zeros(distances);
    const run = { q: zeros(1), k: keys, v: keys, positions: [tokens], record: ["logits" as const] };
    const { data } = attention.run(run).logits!;
    // The last key is the nearest.
    return data.map((_, at) => data[at + distances - 1 - 2 * (at % distances)]!);
  } finally {
    attention.dispose();
    scheme.dispose();
  }
}

async function headScore(
  store: ModelStore,
  { folder, language }: HeadScoreQuestion,
  job: Job,
): Promise<HeadScoreAnswer> {
  const wf = await store.engine();
  const tokenizer = await store.tokenizer(folder, job);
  const text = await heldOutText(folder, language, job.signal);
  const ids = tokenizer.encode(text).slice(0, sampled);
  const model = await store.model(folder, sightedScheme, job);
  const { headDim, numHeads } = model.config;
  const shape = { numHeads: 1, headDim, ...model.config.scheme[0]!.options };
  const scheme = wf.scheme(sightedScheme, shape as Parameters<Engine["scheme"]>[1]);
  const radians = Array.from(scheme.frequencies().inverseFrequencies);
  scheme.dispose();
  const means = meanByPair(model, ids, radians.length, undefined);
  const pairs = radians.map((rate, pair) => pairOf(means[pair]!, rate));
  const waves = pairs.map(({ period, strength }) => ({ period, amplitude: strength, crest: 0 }));
  return {
    language,
    trained,
    pairs,
    returning: returningPair(waves, trained, tokens)!,
    biases: biasesOf(wf, numHeads, headDim),
    heads: numHeads,
  };
}

export const answers = (store: ModelStore): Pick<Handlers, "headScore"> => ({
  headScore: (question, job) => headScore(store, question, job),
});

/** Rotary pairs of channels before and after stretching. */

import type { Engine } from "whereformer";
import { longropeFactor, sightedScheme, stretchHeads } from "../../defaults.js";
import { stretchedPairs } from "../../engine/both/stretched-pairs.js";
import type { Handlers } from "../../engine/worker/job.js";
import type { ModelStore } from "../../engine/worker/model-store.js";
import { phiLongFactor, scalingOf } from "../../engine/worker/rope-scaling.js";
import type { StretchAnswer, StretchQuestion } from "./messages.js";

function stretch(wf: Engine, question: StretchQuestion): StretchAnswer {
  const { method, factor, ramp } = question;
  const isSearched = method === "longrope";
  const head = isSearched ? "phi" : question.head;
  const { headDim, length, theta } = stretchHeads[head];
  const frequenciesOf = (options: object) => {
    const given = { numHeads: 1, headDim, ropeTheta: theta, ...options };
    const scheme = wf.scheme(sightedScheme, given);
    try {
      return scheme.frequencies(factor * length);
    } finally {
      scheme.dispose();
    }
  };
  const plain = frequenciesOf({}).inverseFrequencies;
  const { inverseFrequencies: stretched, attentionFactor } = frequenciesOf(
    scalingOf({ method, factor, length, ramp }),
  );
  // A searched list serves all texts beyond the training window, up to the length of its search.
  const whole = isSearched ? longropeFactor : factor;
  const pairs = stretchedPairs(plain, stretched, length, factor, whole);
  return {
    method,
    factor,
    head,
    ramp,
    headDim,
    length,
    theta,
    pairs,
    attentionFactor,
    ...(isSearched && { longFactor: phiLongFactor }),
  };
}

export const answers = (store: ModelStore): Pick<Handlers, "stretch"> => ({
  stretch: async (question) => stretch(await store.engine(), question),
});

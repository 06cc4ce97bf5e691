/** The pairs of a head: their frequencies, and what they add to a score at every distance. */
import type { Engine } from "whereformer";
import { clockHead, sightedScheme } from "../../defaults.js";
import { count } from "../../engine/worker/configured-scheme.js";
import type { Handlers } from "../../engine/worker/job.js";
import type { ModelStore } from "../../engine/worker/model-store.js";
import { upright } from "../../engine/worker/upright.js";
import type { ClockAnswer } from "./messages.js";

function clockOf(wf: Engine): ClockAnswer {
  const { headDim, farthestScore } = clockHead;
  const shape = { numHeads: 1, headDim };
  const scheme = wf.scheme(sightedScheme, { ...shape, interleaved: true });
  const attention = wf.attention({ ...shape, scheme, scale: 1 });
  const distances = count(farthestScore + 1);
  try {
    const { inverseFrequencies: frequencies } = scheme.frequencies();
    const { logits, pairs } = attention.run({
      q: upright(distances.length, headDim),
      k: upright(1, headDim),
      v: upright(1, headDim),
      positions: distances,
      keyPositions: [0],
      record: ["logits", "pairs"],
    });
    return { frequencies, scores: logits!.data.slice(), shares: pairs!.data.slice() };
  } finally {
    attention.dispose();
    scheme.dispose();
  }
}

export const answers = (store: ModelStore): Pick<Handlers, "clock"> => ({
  clock: async () => clockOf(await store.engine()),
});

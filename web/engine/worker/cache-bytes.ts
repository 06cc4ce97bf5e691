/** Numbers that a cache keeps for a token, from the engine's schemes. */
import type { Engine, SchemeShape } from "whereformer";
import { latentScheme, sightedScheme } from "../../defaults.js";
import type { CacheBytesAnswer, CacheQuestion } from "../both/cache-messages.js";

function cachedBy(wf: Engine, id: string, options: SchemeShape & Record<string, unknown>): number {
  const scheme = wf.scheme(id, options);
  try {
    return scheme.cost().cacheFloats;
  } finally {
    scheme.dispose();
  }
}

export function countCache(wf: Engine, question: CacheQuestion): CacheBytesAnswer {
  const { numHeads, groups, headDim, rank, slice } = question;
  const shared = (numKvHeads: number) =>
    cachedBy(wf, sightedScheme, { numHeads, headDim, numKvHeads });
  const latent = cachedBy(wf, latentScheme, {
    numHeads,
    headDim: headDim + slice,
    nopeHeadDim: headDim,
    ropeHeadDim: slice,
    kvLoraRank: rank,
  });
  return {
    ...question,
    numbers: { mha: shared(numHeads), gqa: shared(groups), mqa: shared(1), latent },
  };
}

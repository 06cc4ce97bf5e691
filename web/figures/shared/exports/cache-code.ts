/** Code that computes the size of a cache. */
import { latentScheme, sightedScheme } from "../../../defaults.js";
import type { CacheQuestion } from "../../../engine/both/cache-messages.js";

/** Prints the numbers for a token and layer: MHA, GQA, MQA, MLA. */
export function cacheCode({ numHeads, groups, headDim, rank, slice }: CacheQuestion): string {
  return `import { load } from "whereformer";

const wf = await load();
const shared = (numKvHeads) =>
  wf
    .scheme("${sightedScheme}", { numHeads: ${numHeads}, headDim: ${headDim}, numKvHeads })
    .cost().cacheFloats;
const latent = wf.scheme("${latentScheme}", {
  numHeads: ${numHeads}, headDim: ${headDim + slice}, // of content and of the slice that turns
  nopeHeadDim: ${headDim}, ropeHeadDim: ${slice}, kvLoraRank: ${rank},
});
console.log("MHA", shared(${numHeads}));
console.log("GQA", shared(${groups}));
console.log("MQA", shared(1));
console.log("MLA", latent.cost().cacheFloats);
`;
}

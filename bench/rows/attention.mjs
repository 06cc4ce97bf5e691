// Attention against the peers, with and without a bias in memory, and rotations.

import { uniform } from "../measure/inputs.mjs";
import { againstPeers } from "./against-peers.mjs";

/** Returns queries, keys and values of [heads, tokens, width]. */
export const projections = ({ heads, tokens, width }) => {
  const size = heads * tokens * width;
  return { q: uniform(size, 1), k: uniform(size, 2), v: uniform(size, 3) };
};

export const attention = againstPeers({
  work: "attention",
  inputs: (sizes) => ({
    ...projections(sizes),
    ...(sizes.bias ? { bias: uniform(sizes.heads * sizes.tokens ** 2, 4, 2) } : {}),
  }),
  operations: ({ heads, tokens, width }) => 4 * heads * tokens ** 2 * width,
  tolerance: 2e-5,
});

export const rotary = againstPeers({
  work: "rotary",
  inputs: ({ scheme, heads, tokens, width }, { ours }) => {
    const rotary = ours.engine.scheme(scheme, { numHeads: heads, headDim: width });
    const { inverseFrequencies } = rotary.frequencies(tokens);
    rotary.dispose();
    const angles = Array.from({ length: tokens }, (_, t) =>
      Array.from(inverseFrequencies, (frequency) => t * frequency),
    ).flat();
    return {
      x: uniform(heads * tokens * width, 1),
      cosine: Float32Array.from(angles, Math.cos),
      sine: Float32Array.from(angles, Math.sin),
    };
  },
  // The peers' tables have float32 angles, which are inexact after a few hundred rotations.
  tolerance: 1e-4,
});

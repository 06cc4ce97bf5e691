// Operations on rows of a matrix: softmax and layer normalisation.

import { uniform } from "../measure/inputs.mjs";
import { againstPeers } from "./against-peers.mjs";

export const softmax = againstPeers({
  work: "softmax",
  inputs: ({ rows, width }) => ({ x: uniform(rows * width, 1, 8) }),
  tolerance: 1e-5,
});

export const layerNorm = againstPeers({
  work: "layerNorm",
  inputs: ({ rows, width }) => ({
    x: uniform(rows * width, 1, 3),
    weight: uniform(width, 2),
    bias: uniform(width, 3),
  }),
  tolerance: 2e-5,
});

// Matrix products, a matrix with a vector among them.

import { uniform } from "../measure/inputs.mjs";
import { againstPeers } from "./against-peers.mjs";

export const matmul = againstPeers({
  work: "matmul",
  inputs: ({ m, k, n }) => ({ a: uniform(m * k, 1), b: uniform(k * n, 2) }),
  operations: ({ m, k, n }) => 2 * m * k * n,
  tolerance: 2e-5,
});

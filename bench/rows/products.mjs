// Matrix products, with matrices and with a vector.

import { uniform } from "../measure/inputs.mjs";
import { againstPeers } from "./against-peers.mjs";

export const matmul = againstPeers({
  work: "matmul",
  inputs: ({ m, k, n }) => ({ a: uniform(m * k, 1), b: uniform(k * n, 2) }),
  operations: ({ m, k, n }) => 2 * m * k * n,
  tolerance: 2e-5,
});

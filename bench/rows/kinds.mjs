// What kinds of rows table.json may name.

import { attention, rotary } from "./attention.mjs";
import { block } from "./block.mjs";
import { layerNorm, softmax } from "./normalisation.mjs";
import { matmul } from "./products.mjs";

/**
 * Each resolves, from a row's `parameters` and the process (`peers`, `host`), to what is to be timed:
 * `contenders`, of which ours is the first, `missing` peers with the reason, `tolerance`, `operations`;
 * rows that compare us with ourselves also to `figure(times)`, which makes a round's times a figure.
 * Rows that are no matter of rounds resolve to `{ result }`.
 */
export const kinds = { matmul, softmax, layerNorm, rotary, attention, block };

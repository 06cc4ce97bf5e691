// Kinds of rows that table.json may name.

import { attention, rotary } from "./attention.mjs";
import { block } from "./block.mjs";
import { download } from "./download.mjs";
import { layerNorm, softmax } from "./normalisation.mjs";
import { additions, compared, extraWork, threads } from "./ourselves.mjs";
import { matmul } from "./products.mjs";
import {
  bentLoss,
  besideAnother,
  laterAnswer,
  matrices,
  quantised,
  sampled,
  weightMemory,
  wholeMemory,
} from "./quantised.mjs";
import { decode, length, memory } from "./scale.mjs";
import { training } from "./training.mjs";
import { wllama } from "./wllama.mjs";

/**
 * Each resolves, from a row's `parameters` and the process (`peers`, `host`), to the work to be
 * timed: `contenders`, of which ours is the first, `missing` peers with the reason, `tolerance`,
 * `operations`; rows that compare the package with itself also to `figure(times)`, which computes
 * the figure from a round's times. Rows without rounds resolve to `{ result }`. With `isAlone` in
 * the process, two builds are compared, and contenders that cost much besides ours may be left out.
 */
export const kinds = {
  matmul,
  softmax,
  layerNorm,
  rotary,
  attention,
  block,
  training,
  additions,
  compared,
  extraWork,
  threads,
  quantised,
  sampled,
  laterAnswer,
  matrices,
  weightMemory,
  wholeMemory,
  bentLoss,
  besideAnother,
  wllama,
  memory,
  decode,
  length,
  download,
};

/** Kinds that are measured by starting browsers or the native program. */
export const outerKinds = ["firstResult", "firstBytes", "native"];

/** The matrix between the latents of a query and a key, with a rotation and without. */

import type { Engine } from "whereformer";
import { absorbedHead, latentScheme, sightedScheme } from "../../defaults.js";
import { count } from "../../engine/worker/configured-scheme.js";
import { normals } from "../../engine/worker/drawn-numbers.js";
import type { Handlers } from "../../engine/worker/job.js";
import type { ModelStore } from "../../engine/worker/model-store.js";
import type { AbsorbAnswer, AbsorbQuestion } from "./messages.js";

const { headDim, rank, slice, farthest, seed } = absorbedHead;

/** W_UQ and W_UK, [headDim,rank], of a head whose queries and keys are computed from latents. */
const upQuery = normals(seed, headDim * rank, 1 / Math.sqrt(rank));
const upKey = normals(seed + 1, headDim * rank, 1 / Math.sqrt(rank));

const transposed = (data: Float32Array, rows: number, columns: number): Float32Array =>
  Float32Array.from(data, (_, at) => data[(at % rows) * columns + Math.floor(at / rows)]!);

/**
 * Returns W_UQᵀ R W_UK, where R rotates by this distance: the columns of W_UK are rotated as keys.
 */
function between(wf: Engine, distance: number): Float32Array {
  const scheme = wf.scheme(sightedScheme, { numHeads: 1, headDim });
  try {
    const keys = { data: transposed(upKey, headDim, rank), shape: [1, rank, headDim] };
    // R depends on j − i, which is negative for a key before the query.
    const positions = Int32Array.from({ length: rank }, () => -distance);
    const rotated = scheme.rotate(keys, positions);
    const queries = { data: transposed(upQuery, headDim, rank), shape: [rank, headDim] };
    const right = { data: rotated.data, shape: [rank, headDim] };
    return wf.matmul(queries, right, { transposeB: true }).data.slice();
  } finally {
    scheme.dispose();
  }
}

/** Returns the two parts of the logit by distance, for one query after equal keys. */
function partsByDistance(wf: Engine): Pick<AbsorbAnswer, "content" | "position"> {
  const width = headDim + slice;
  const scheme = wf.scheme(latentScheme, {
    numHeads: 1,
    headDim: width,
    ropeHeadDim: slice,
    nopeHeadDim: headDim,
  });
  const attention = wf.attention({ numHeads: 1, headDim: width, scheme });
  try {
    // The query equals the key, so that both parts are positive at distance 0.
    const one = normals(seed + 2, width);
    const rows = count(farthest + 1).flatMap(() => [...one]);
    const k = { data: Float32Array.from(rows), shape: [1, farthest + 1, width] };
    const { terms } = attention.run({
      q: { data: one, shape: [1, 1, width] },
      k,
      v: k,
      positions: [farthest],
      record: ["terms"],
    });
    const byDistance = (name: string) => terms![name]!.data.slice().reverse();
    return { content: byDistance("content"), position: byDistance("position") };
  } finally {
    attention.dispose();
    scheme.dispose();
  }
}

function absorb(wf: Engine, { distance }: AbsorbQuestion): AbsorbAnswer {
  const rotated = between(wf, distance);
  // At distance 0 there is no rotation, which leaves W_UQᵀ W_UK.
  const plain = between(wf, 0);
  const change = Math.max(...rotated.map((value, at) => Math.abs(value - plain[at]!)));
  return { distance, rotated, plain, change, ...partsByDistance(wf) };
}

export const answers = (store: ModelStore): Pick<Handlers, "absorb"> => ({
  absorb: async (question) => absorb(await store.engine(), question),
});

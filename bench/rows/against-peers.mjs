// Rows that ask how much faster than the best peer: the same work, by each of them.

import { NotOffered } from "../peers/ours.mjs";

/**
 * A kind of row from its work's name, its inputs by sizes (which may be a promise and may use the
 * peers), how many operations it takes, and how far results may be from ours, in parts of the
 * largest. `sizes` may make of a row's parameters what the peers are told.
 */
export const againstPeers =
  ({ work, inputs, operations, tolerance, sizes: sizesOf = (sizes) => sizes }) =>
  async (sizes, { peers }) => {
    const given = await inputs(sizes, peers);
    const contenders = [];
    const missing = {};
    let notOffered;
    for (const [name, peer] of Object.entries(peers)) {
      try {
        if (peer.missing) throw new NotOffered(peer.missing);
        if (peer[work]) contenders.push(...(await peer[work](given, sizesOf(sizes))));
      } catch (error) {
        if (!(error instanceof NotOffered)) throw error;
        missing[name] = error.message;
        // The peers are timed all the same: their times are what is to be beaten.
        if (name === "ours") notOffered = error.message;
      }
    }
    return { contenders, missing, notOffered, tolerance, operations: operations?.(sizes) };
  };

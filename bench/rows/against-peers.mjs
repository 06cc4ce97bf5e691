// Rows with the speed relative to the best peer at the same work.

import { NotOffered } from "../peers/ours.mjs";

/**
 * Returns a kind of row from its work's name, its inputs by sizes (which may be a promise and may
 * use the peers), its number of operations, and the maximum deviation from our result, as a share
 * of its largest number. `sizes` may convert a row's parameters to arguments of the peers.
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
        // The peers are still timed: their times are the goal.
        if (name === "ours") notOffered = error.message;
      }
    }
    return { contenders, missing, notOffered, tolerance, operations: operations?.(sizes) };
  };

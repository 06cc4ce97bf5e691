// Rows that ask how much faster than the best peer: the same work, by each of them.

/**
 * A kind of row from its work's name, its inputs by sizes (which may be a promise and may use the
 * peers), how many operations it takes, and how far results may be from ours, in parts of the largest.
 */
export const againstPeers =
  ({ work, inputs, operations, tolerance, peers: only }) =>
  async (sizes, { peers }) => {
    const given = await inputs(sizes, peers);
    const contenders = [];
    const missing = {};
    for (const [name, peer] of Object.entries(peers)) {
      if (only && !only.includes(name)) continue;
      if (peer.missing) missing[name] = peer.missing;
      else if (peer[work]) contenders.push(...(await peer[work](given, sizes)));
    }
    return { contenders, missing, tolerance, operations: operations?.(sizes) };
  };

// Statistics of the times of interleaved rounds.

/**
 * Returns the median, the mean of the middle two for an even number of values; NaN without values.
 */
export function median(values) {
  if (values.length === 0) return Number.NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** Returns the median over rounds of a figure that is computed from each round's times. */
export const medianOfRounds = (rounds, figure) => median(rounds.map(figure));

/** Returns the median time of each contender: `{ name: ms }`. */
export function medianTimes(rounds) {
  const names = Object.keys(rounds[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, medianOfRounds(rounds, (r) => r[name])]));
}

/**
 * Returns the fastest peer, and the ratio of its time to ours. The ratio is computed within each
 * round, in which both had the same conditions; the result is its median.
 */
export function bestPeer(rounds, ours, peers) {
  const ratios = peers.map((name) => ({
    name,
    ratio: medianOfRounds(rounds, (round) => round[name] / round[ours]),
  }));
  return ratios.reduce((best, peer) => (peer.ratio < best.ratio ? peer : best));
}

/**
 * Returns the better of two figures: the larger one for "atLeast", the smaller one for "atMost".
 */
export const better = (direction, a, b) => (direction === "atLeast" ? a > b : a < b);

/**
 * Returns the best of several draws, each `{ figure }`; one without a figure only if none has one.
 */
export function bestDraw(draws, direction) {
  return draws.reduce((best, draw) => {
    if (!Number.isFinite(draw.figure)) return best;
    if (!Number.isFinite(best.figure)) return draw;
    return better(direction, draw.figure, best.figure) ? draw : best;
  });
}

/** Whether a figure reaches its bar; undefined without a bar or a figure. */
export function isMet(figure, bar, direction) {
  if (bar === undefined || !Number.isFinite(figure)) return undefined;
  return direction === "atLeast" ? figure >= bar : figure <= bar;
}

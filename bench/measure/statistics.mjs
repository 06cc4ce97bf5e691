// What is made of the times of interleaved rounds.

/** The middle of the values, or the mean of the two in the middle; NaN of none. */
export function median(values) {
  if (values.length === 0) return Number.NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** The median over rounds of a figure of each round's times. */
export const medianOfRounds = (rounds, figure) => median(rounds.map(figure));

/** The median time of each contender: `{ name: ms }`. */
export function medianTimes(rounds) {
  const names = Object.keys(rounds[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, medianOfRounds(rounds, (r) => r[name])]));
}

/**
 * The peer that is fastest beside ours, and how many times as long it takes: the ratio is formed
 * inside each round, where both saw the same machine, and only then the median is taken.
 */
export function bestPeer(rounds, ours, peers) {
  const ratios = peers.map((name) => ({
    name,
    ratio: medianOfRounds(rounds, (round) => round[name] / round[ours]),
  }));
  return ratios.reduce((best, peer) => (peer.ratio < best.ratio ? peer : best));
}

/** The better of two figures, where more is better ("atLeast") or less ("atMost"). */
export const better = (direction, a, b) => (direction === "atLeast" ? a > b : a < b);

/**
 * The best of several draws, each `{ figure }`; draws without a figure only where all are without.
 */
export function bestDraw(draws, direction) {
  return draws.reduce((best, draw) => {
    if (!Number.isFinite(draw.figure)) return best;
    if (!Number.isFinite(best.figure)) return draw;
    return better(direction, draw.figure, best.figure) ? draw : best;
  });
}

/** Whether a figure reaches its bar; undefined where there is no bar or no figure. */
export function isMet(figure, bar, direction) {
  if (bar === undefined || !Number.isFinite(figure)) return undefined;
  return direction === "atLeast" ? figure >= bar : figure <= bar;
}

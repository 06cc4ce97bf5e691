// How figures are written.

/** Milliseconds with three digits that count. */
export function milliseconds(value) {
  if (!Number.isFinite(value)) return "–";
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

export const figureText = (value) => (Number.isFinite(value) ? value.toFixed(2) : "–");

/** A bar with its direction, "≥ 1.3" or "≤ 0.6". */
export const barText = (value, direction) =>
  value === undefined ? "" : `${direction === "atLeast" ? "≥" : "≤"} ${value}`;

/** The time of ours in a line, the best other one and its name. */
export function timesOf({ times = {}, best }) {
  const [ours, ...others] = Object.keys(times);
  const name = best ?? others[0];
  return { ours: times[ours], other: times[name], name: name ?? "" };
}

export function verdict({ met, reached, figure, notOffered, error, must }) {
  if (error) return "ERROR";
  if (notOffered) return "not offered";
  if (!Number.isFinite(figure)) return "–";
  if (must === undefined) return reached ? "reported, aim reached" : "reported";
  if (!met) return "BELOW";
  return reached ? "met, aim reached" : "met";
}

// Formats of figures, and the cells of a line.

/** Formats milliseconds with three significant digits. */
export function milliseconds(value) {
  if (!Number.isFinite(value)) return "–";
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

export const figureText = (value, unit) =>
  Number.isFinite(value) ? `${value.toFixed(unit ? 1 : 2)}${unit ? ` ${unit}` : ""}` : "–";

/** Formats a bar with its direction, "≥ 1.3" or "≤ 0.6". */
export const barText = (value, direction) =>
  value === undefined ? "" : `${direction === "atLeast" ? "≥" : "≤"} ${value}`;

/** Returns whether the bar is met, or why that is unknown. */
export function verdict({ met, reached, figure, notOffered, error, must, aim }) {
  if (error) return "error";
  if (notOffered) return "not offered";
  if (!Number.isFinite(figure)) return "";
  if (must === undefined) return aim === undefined || !reached ? "reported" : "aim reached";
  if (!met) return "BELOW";
  return reached ? "aim reached" : "met";
}

/** Returns our time in a line, and the time and name of the best peer. */
function timesOf({ times = {}, best, notOffered }) {
  const names = Object.keys(times);
  const [ours, ...others] = notOffered ? [undefined, ...names] : names;
  const fastest = (a, b) => (times[b] < times[a] ? b : a);
  const name = best ?? (others.length > 0 ? others.reduce(fastest) : "");
  return { ours: times[ours], other: times[name], name };
}

export const columns = [
  { head: "work", text: true },
  { head: "where", text: true },
  { head: "threads" },
  { head: "ours ms" },
  { head: "GFLOP/s" },
  { head: "other ms" },
  { head: "other", text: true },
  { head: "figure" },
  { head: "must", text: true },
  { head: "aim", text: true },
  { head: "bar", text: true },
  { head: "from arrays" },
  { head: "plain" },
  { head: "FMA" },
  { head: "at FMA" },
];

/**
 * Returns the figure of a line against peers if our operations took no longer than at the probe's
 * rate.
 */
function figureAtLimit({ section, operations, gflops, threads }, other) {
  if (section !== "peers" || !operations || !gflops || !Number.isFinite(other)) return "";
  return ((other * gflops * threads * 1e6) / operations).toFixed(2);
}

/** Returns the cells of a line, one for each of `columns`. */
export function cellsOf(line) {
  const { ours, other, name } = timesOf(line);
  const rate = line.operations / ours / 1e6;
  return [
    line.limit ? `${line.work} (its bytes: ${milliseconds(line.limit)} ms)` : line.work,
    line.where,
    String(line.threads),
    milliseconds(ours),
    Number.isFinite(rate) ? rate.toFixed(0) : "",
    milliseconds(other),
    name,
    figureText(line.figure, line.unit),
    barText(line.must, line.direction),
    barText(line.aim, line.direction),
    verdict(line),
    Number.isFinite(line.fromArrays) ? line.fromArrays.toFixed(2) : "",
    Number.isFinite(line.plain) ? line.plain.toFixed(1) : "",
    line.gflops ? line.gflops.toFixed(0) : "",
    figureAtLimit(line, other),
  ];
}

export const columnNotes =
  "other: the best peer, or what ours is compared with; from arrays: the figure if operands " +
  "are copied in at each call, too; plain: plain JavaScript ÷ ours; FMA: GFLOP/s of fused " +
  "multiply-adds beside the row; at FMA: the figure if ours did its operations at that rate " +
  "and took no time for anything else (copies, calls, e^x)";

/** Returns cost against length as rows of cells: a row for each length, a column for each form. */
export function lengthCells(lines) {
  const lengths = [...new Set(lines.map(({ tokens }) => tokens))].sort((a, b) => a - b);
  const forms = [
    ...new Set(lines.flatMap(({ times, failures }) => Object.keys({ ...times, ...failures }))),
  ];
  const cell = (tokens, form) => {
    const ofLength = lines.filter((line) => line.tokens === tokens);
    const found = ofLength.find(({ times }) => times?.[form] !== undefined);
    if (found) return milliseconds(found.times[form]);
    return ofLength.some(({ failures }) => failures?.[form]) ? "cannot" : "–";
  };
  return [
    ["n", ...forms],
    ...lengths.map((tokens) => [String(tokens), ...forms.map((form) => cell(tokens, form))]),
  ];
}

/** Returns why forms failed, without the paths of the machines that built them. */
export const failuresOf = (lines) =>
  lines.flatMap(({ tokens, failures = {} }) =>
    Object.entries(failures).map(
      ([form, why]) => `${form}, n ${tokens}: ${why.replace(/(?:\/\w[^\s/]*)+\/(?=\w)/g, "")}`,
    ),
  );

// A plot of cost against length with two logarithmic axes.

import { milliseconds } from "./numbers.mjs";

const frame = { left: 64, right: 220, top: 28, bottom: 40, width: 720, height: 380 };
// Colours that colour-blind readers can distinguish (Okabe & Ito 2008), each with a dash of its
// own.
const strokes = [
  ["#0072b2", ""],
  ["#d55e00", "7 4"],
  ["#009e73", "2 3"],
  ["#cc79a7", "9 3 2 3"],
];
const escaped = (text) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Returns a function from values to coordinates on a logarithmic scale. */
function scale([from, to], [start, end]) {
  const span = Math.log(to / from) || 1;
  return (value) => start + ((end - start) * Math.log(value / from)) / span;
}

const extent = (values) => [Math.min(...values), Math.max(...values)];

function formsOf(lines) {
  const forms = new Map();
  for (const { tokens, times = {}, failures = {} } of lines) {
    for (const name of Object.keys({ ...times, ...failures })) {
      const form = forms.get(name) ?? { name, points: [], ends: [] };
      if (name in times) form.points.push([tokens, times[name]]);
      else form.ends.push(tokens);
      forms.set(name, form);
    }
  }
  const byLength = ([a], [b]) => a - b;
  return [...forms.values()].map((form) => ({ ...form, points: form.points.sort(byLength) }));
}

function formText({ points }, index, x, y) {
  const [colour, dash] = strokes[index % strokes.length];
  const path = points.map(([tokens, time]) => [x(tokens).toFixed(1), y(time).toFixed(1)]);
  return [
    `<polyline points="${path.join(" ")}" fill="none" stroke="${colour}" stroke-width="2" ` +
      `stroke-dasharray="${dash}"/>`,
    ...path.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3" fill="${colour}"/>`),
  ].join("\n");
}

/**
 * Draws an entry of the legend: a sample of the curve, its name, and the length at which it failed.
 */
function legendText({ name, ends }, index) {
  const [colour, dash] = strokes[index % strokes.length];
  const x = frame.width - frame.right + 14;
  const y = frame.top + 24 + index * 38;
  const cannot =
    ends.length > 0
      ? `<text class="axis" x="${x + 34}" y="${y + 19}">✕ cannot at ${Math.min(...ends)}</text>`
      : "";
  return [
    `<line x1="${x}" x2="${x + 26}" y1="${y}" y2="${y}" stroke="${colour}" stroke-width="2" ` +
      `stroke-dasharray="${dash}"/>`,
    `<text class="axis" x="${x + 34}" y="${y + 4}">${escaped(name)}</text>${cannot}`,
  ].join("\n");
}

/** Returns an SVG of the curves of one host, or undefined without measurements. */
export function lengthsSvg(lines, date) {
  const forms = formsOf(lines).filter(({ points }) => points.length > 0);
  if (forms.length === 0) return undefined;
  const { left, right, top, bottom, width, height } = frame;
  const tokens = [...new Set(lines.map((line) => line.tokens))].sort((a, b) => a - b);
  const times = extent(forms.flatMap(({ points }) => points.map(([, time]) => time)));
  const x = scale(extent(tokens), [left, width - right]);
  const y = scale(times, [height - bottom, top + 12]);
  const powers = Array.from({ length: 9 }, (_, i) => 10 ** (i - 2));
  const ticks = powers.filter((value) => value >= times[0] / 2 && value <= times[1]);
  const opening =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ` +
    'role="img" aria-label="Milliseconds of one call against the number of tokens">';
  return `${opening}
<style>
text { font: 12px system-ui, sans-serif } .axis { fill: #555 }
.grid { stroke: #888; stroke-opacity: .3 }
@media (prefers-color-scheme: dark) { .axis { fill: #bbb } }
</style>
<text class="axis" x="${left}" y="16">Milliseconds of one call against tokens (${date})</text>
${ticks
  .map(
    (value) =>
      `<line class="grid" x1="${left}" x2="${width - right}" y1="${y(value).toFixed(1)}" ` +
      `y2="${y(value).toFixed(1)}"/><text class="axis" x="${left - 8}" ` +
      `y="${(y(value) + 4).toFixed(1)}" ` +
      `text-anchor="end">${milliseconds(value).replace(/\.0+$/, "")}</text>`,
  )
  .join("\n")}
${tokens
  .map(
    (value) =>
      `<text class="axis" x="${x(value).toFixed(1)}" y="${height - bottom + 20}" ` +
      `text-anchor="middle">${value}</text>`,
  )
  .join("\n")}
${forms.map((form, index) => formText(form, index, x, y)).join("\n")}
${forms.map(legendText).join("\n")}
</svg>
`;
}

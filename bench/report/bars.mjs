// A bar chart of the rows against peers, for the docs.

const row = 22;
const left = 440;
const unit = 80; // a ratio of 1
const max = 8; // maximum ratio of a bar; longer ones are cut

const escaped = (text) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const style = `
text { font: 12px system-ui, sans-serif; fill: #222 }
.number { font-variant-numeric: tabular-nums }
.met { fill: #2a7f62 } .below { fill: #b5542f } .bar { stroke: #222; stroke-width: 2 }
.one { stroke: #888; stroke-dasharray: 2 3 }
@media (prefers-color-scheme: dark) {
  text { fill: #ddd } .met { fill: #5fbf9c } .below { fill: #e08a62 } .bar { stroke: #ddd }
}`;

function rowOf({ work, where, threads, figure, must, met }, index) {
  const y = 34 + index * row;
  const length = (value) => Math.min(value, max) * unit;
  const name = `${work} · ${where}${threads > 1 ? ` · ${threads} threads` : ""}`;
  const mark = left + length(must);
  return [
    `<text x="${left - 10}" y="${y + 12}" text-anchor="end">${escaped(name)}</text>`,
    `<rect class="${met ? "met" : "below"}" x="${left}" y="${y}" ` +
      `width="${length(figure).toFixed(1)}" height="15" rx="2"/>`,
    `<line class="bar" x1="${mark}" x2="${mark}" y1="${y - 2}" y2="${y + 17}"/>`,
    `<text class="number" x="${Math.max(left + length(figure), mark) + 8}" ` +
      `y="${y + 12}">${figure.toFixed(2)} ×</text>`,
  ].join("\n");
}

/** Returns an SVG of every line that is compared with peers and has a bar. */
export function barsSvg({ lines, date }) {
  const shown = lines.filter(
    ({ section, figure, must }) => section === "peers" && Number.isFinite(figure) && must,
  );
  const width = left + max * unit + 80;
  const height = 44 + shown.length * row;
  const one = left + unit;
  const opening =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ` +
    'role="img" aria-label="How many times as long the best peer takes">';
  return `${opening}
<style>${style}
</style>
<text x="${left}" y="16">Time of the best peer ÷ ours; the mark is the bar (${date})</text>
<line class="one" x1="${one}" x2="${one}" y1="24" y2="${height - 6}"/>
${shown.map(rowOf).join("\n")}
</svg>
`;
}

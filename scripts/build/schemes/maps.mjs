// Attention maps as SVG in the page: a path for each shade, whose colour the styles define, so that
// they follow the theme and print well.

import { escaped } from "./markup.mjs";

export const shades = 16;

const shadeOf = (share) => Math.min(shades, Math.round(share * shades));

/** The shades as styles: points on the page's colour ramps for weights and signed numbers. */
export function shadesCss() {
  const paper = "var(--wf-weight-0)";
  const signed = (name, colour) =>
    Array.from({ length: shades }, (_, index) => {
      const share = Math.round((100 * (index + 1)) / shades);
      return `.${name}${index + 1}{fill:color-mix(in srgb,var(--wf-${colour}) ${share}%,${paper})}`;
    });
  const weights = Array.from({ length: shades }, (_, index) => {
    const at = (5 * (index + 1)) / shades;
    const below = Math.min(4, Math.floor(at));
    const share = Math.round(100 * (at - below));
    const [min, max] = [below, below + 1].map((step) => `var(--wf-weight-${step})`);
    return `.s${index + 1}{fill:color-mix(in srgb,${max} ${share}%,${min})}`;
  });
  return [...weights, ...signed("m", "minus"), ...signed("p", "plus")].join("\n");
}

/** The cells of one causal map at (x, y), and the staircase around the visible keys. */
function cells(weights, n, x, y, cell) {
  const paths = new Map();
  for (let row = 0; row < n; row++)
    for (let column = 0; column <= row; column++) {
      const shade = shadeOf(weights[row * n + column]);
      if (!shade) continue;
      const at = `M${x + column * cell} ${y + row * cell}h${cell}v${cell}h-${cell}z`;
      paths.set(shade, (paths.get(shade) ?? "") + at);
    }
  const stair = Array.from({ length: n }, () => `h${cell}v${cell}`).join("");
  return [
    ...[...paths]
      .sort(([a], [b]) => a - b)
      .map(([shade, d]) => `<path class="s${shade}" d="${d}"/>`),
    `<path class="stair" d="M${x} ${y}${stair}H${x}z"/>`,
  ].join("");
}

export const svg = (name, width, height, label, inside) =>
  `<svg class="${name}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"` +
  ` role="img" aria-label="${escaped(label)}">${inside}</svg>`;

const mapOf = (weights, n, index) => weights.subarray(index * n * n, (index + 1) * n * n);

/** Every head of every layer, small. */
export function headsSvg({ tokens, weights }, { numLayers, numHeads }, label) {
  const n = tokens.length;
  const cell = Math.max(3, Math.floor(104 / n));
  const step = n * cell + 14;
  const left = 16;
  const top = 18;
  const parts = [];
  for (let head = 0; head < numHeads; head++)
    parts.push(`<text x="${left + head * step}" y="12">${head + 1}</text>`);
  for (let layer = 0; layer < numLayers; layer++) {
    const y = top + layer * step;
    parts.push(`<text x="0" y="${y + 10}">${layer + 1}</text>`);
    for (let head = 0; head < numHeads; head++) {
      const map = mapOf(weights, n, layer * numHeads + head);
      parts.push(cells(map, n, left + head * step, y, cell));
    }
  }
  const size = (count) => count * step - 14;
  return svg("heads", left + size(numHeads) + 1, top + size(numLayers) + 1, label, parts.join(""));
}

const isWide = (label) => /[\u3000-\u9fff\uff00-\uffef]/.test(label);
const widthOf = (label) => [...label].reduce((sum, sign) => sum + (isWide(sign) ? 12 : 6.6), 0);

/** One head, with its tokens at the rows and columns. */
export function headSvg(answer, labels, { layer, head }, { numHeads }, label) {
  const n = labels.length;
  const cell = Math.min(26, Math.max(15, Math.floor(390 / n)));
  const room = Math.ceil(Math.max(...labels.map(widthOf)));
  const top = labels.every((one) => widthOf(one) <= cell) ? 16 : room + 8;
  const left = room + 6;
  const rows = labels.map(
    (one, row) =>
      `<text class="query" x="${left - 5}" y="${top + (row + 0.5) * cell + 4}" ` +
      `text-anchor="end">${escaped(one)}</text>`,
  );
  const columns = labels.map((one, column) => {
    const x = left + (column + 0.5) * cell;
    return top === 16
      ? `<text class="key" x="${x}" y="11" text-anchor="middle">${escaped(one)}</text>`
      : `<text class="key" transform="translate(${x + 4} ${top - 4}) rotate(-90)">` +
          `${escaped(one)}</text>`;
  });
  const map = mapOf(answer.weights, n, layer * numHeads + head);
  const inside = rows.join("") + columns.join("") + cells(map, n, left, top, cell);
  return svg("head", left + n * cell + 1, top + n * cell + 1, label, inside);
}

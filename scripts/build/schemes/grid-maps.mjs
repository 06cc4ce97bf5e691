// Maps of a model trained on pictures, as SVG in the page (see maps.mjs): a square of cells each.

import { shades, svg } from "./maps.mjs";

const large = 23;
const small = 12;
const gap = 14;

const label = (x, y, text, name) =>
  `<text${name ? ` class="${name}"` : ""} x="${x}" y="${y}">${text}</text>`;

/** A square of cells by the class of their colour, with a frame around it and around some cells. */
function square(classOf, side, x, y, cell, framed) {
  const paths = new Map();
  for (let index = 0; index < side * side; index++) {
    const name = classOf(index);
    if (!name) continue;
    const at = `M${x + (index % side) * cell} ${y + Math.floor(index / side) * cell}`;
    paths.set(name, `${paths.get(name) ?? ""}${at}h${cell}v${cell}h-${cell}z`);
  }
  const edge = side * cell;
  const ground = `<rect class="stair" x="${x}" y="${y}" width="${edge}" height="${edge}"/>`;
  const frame =
    `<rect class="frame" x="${x + framed.column * cell}" y="${y + framed.row * cell}"` +
    ` width="${cell}" height="${cell}"/>`;
  const filled = [...paths].map(([name, d]) => `<path class="${name}" d="${d}"/>`);
  return filled.join("") + ground + frame;
}

/** The class of a colour on the signed scale from -1 to 1; none at its middle. */
function signedClass(share) {
  const shade = Math.round(Math.abs(share) * shades);
  return shade ? `${share < 0 ? "m" : "p"}${Math.min(shades, shade)}` : undefined;
}

const shadeClass = (share) => {
  const shade = Math.min(shades, Math.round(share * shades));
  return shade ? `s${shade}` : undefined;
};

/** The signed scale, labelled at its ends. */
function signedScale(x, y, limit, plain) {
  const steps = 2 * shades;
  const cells = Array.from({ length: steps + 1 }, (_, step) => {
    const name = signedClass((step - shades) / shades);
    return name ? `<path class="${name}" d="M${x + 40 + step * 3} ${y}h3v9h-3z"/>` : "";
  });
  const right = x + 40 + 3 * (steps + 1) + 6;
  return label(x, y + 9, plain(-limit)) + cells.join("") + label(right, y + 9, plain(limit));
}

/** The model's input, and beside it the logits from position alone for the framed cell. */
export function gridSvg(look, { plain, titles, name }) {
  const { side, picture, position, limit, cells } = look;
  const framed = cells[1];
  const signs = { s: "speck", t: "ink", "#": "ink" };
  const width = side * large;
  const right = width + 40;
  const top = 18;
  const asks = picture.indexOf("?");
  const mark = label(
    ((asks % side) + 0.5) * large - 3,
    top + Math.floor(asks / side) * large + 16,
    "?",
    "ink",
  );
  const inside = [
    label(0, 12, titles.picture),
    label(right, 12, titles.position),
    square((at) => signs[picture[at]], side, 1, top, large, framed),
    mark,
    square((at) => signedClass(position[at] / limit), side, right, top, large, framed),
    signedScale(right, top + width + 10, limit, plain),
  ];
  return svg("picture", right + width + 2, top + width + 24, name, inside.join(""));
}

/** The weights of each head from each of the cells; below each map its largest share. */
export function gridHeadsSvg({ side, weights, cells }, { percent, name }) {
  const width = side * small;
  const step = width + gap;
  const top = 18;
  const down = width + 30;
  const [heads] = weights;
  const parts = heads.map((_, head) => label(1 + head * step, 12, head + 1));
  weights.forEach((ofCell, row) => {
    const y = top + row * down;
    ofCell.forEach((map, head) => {
      const x = 1 + head * step;
      const max = Math.max(...map);
      parts.push(square((at) => shadeClass(map[at] / max), side, x, y, small, cells[row]));
      parts.push(label(x, y + width + 15, percent(max)));
    });
  });
  return svg(
    "picture-heads",
    heads.length * step - gap + 2,
    top + weights.length * down - 8,
    name,
    parts.join(""),
  );
}

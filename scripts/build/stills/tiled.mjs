// Joins several pictures in one file, side by side with titles.

const gap = 26;
const lineHeight = 18;
const narrowest = { map: 300, card: 150 };

const escaped = (text) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const titleText = ({ lines, x, y, ink, faces }) =>
  lines
    .map(
      (line, at) =>
        `<text x="${x}" y="${y + at * lineHeight + 13}" fill="${ink}" font-size="14" ` +
        `font-weight="600" font-family='${faces}'>${escaped(line)}</text>`,
    )
    .join("");

/** Pixels of each tile, and the number of tiles in a row. */
export function tileSizes(width, count, kind) {
  const across = Math.max(1, Math.min(count, Math.floor((width + gap) / (narrowest[kind] + gap))));
  return { across, tile: Math.floor((width - gap * (across - 1)) / across) };
}

/**
 * Joins `tiles`, each { lines, svg, width, height } with the lines of a title and a whole file, in
 * one file; returns it with its size.
 */
export function tiled(tiles, { across, tile, width, palette, faces }) {
  const body = [];
  let top = 0;
  for (let first = 0; first < tiles.length; first += across) {
    const row = tiles.slice(first, first + across);
    const above = lineHeight * Math.max(...row.map(({ lines }) => lines.length)) + 4;
    row.forEach(({ lines, svg }, at) => {
      const x = at * (tile + gap);
      body.push(titleText({ lines, x, y: top, ink: palette.ink, faces }));
      body.push(svg.trim().replace(/^<svg /, `<svg x="${x}" y="${top + above}" `));
    });
    top += above + Math.max(...row.map(({ height }) => height)) + gap;
  }
  const height = Math.ceil(top - gap);
  const [start] = /^<svg xmlns="[^"]+"/.exec(tiles[0].svg);
  const head = `${start} width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`;
  return { svg: `${head}${body.join("")}</svg>\n`, size: [width, height] };
}

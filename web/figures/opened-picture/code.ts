/** Code that reproduces the figure's numbers, as text to copy. */

interface Asked {
  token: number;
  layer: number;
  head: number;
  dtype: string;
}

/** Where model and picture come from: the address of the page's own, or the reader's files. */
export interface Sources {
  /** The folder of the page's model, if it is open. */
  model: string | undefined;
  /** pictures.json and the number of the page's picture, if it is in view. */
  picture: { address: string; at: number } | undefined;
}

const creaturePicture = ({ address, at }: { address: string; at: number }): string =>
  `// a drawn creature: 4 × 4 pixels for each tile
const { tileSide, tiles, pictures } = await (await fetch("${address}")).json();
const { rows } = pictures[${at}];
const [width, height] = [tileSide * rows[0].length, tileSide * rows.length];
const data = Uint8Array.from({ length: 3 * width * height }, (_, i) => {
  const [y, x] = [Math.floor(i / 3 / width), Math.floor(i / 3) % width];
  const tile = tiles[rows[Math.floor(y / tileSide)][Math.floor(x / tileSide)]];
  return tile[3 * ((y % tileSide) * tileSide + (x % tileSide)) + (i % 3)];
});
const picture = { data, width, height };`;

export function lookCode({ token, layer, head, dtype }: Asked, sources: Sources): string {
  const { model, picture } = sources;
  const source = model
    ? `"${model}"`
    : `[...document.querySelector("input.files").files], { dtype: "${dtype}" }`;
  return `import { load } from "whereformer";

${
  picture
    ? creaturePicture(picture)
    : `const [file] = document.querySelector("input.picture").files;
const picture = await createImageBitmap(file);`
}

const wf = await load();
const model = await wf.model(${source});
const { grid, weights } = model.look(picture, {
  record: ["weights"],
  region: { layers: [${layer}], heads: [${head}], rows: [${token}] },
});
const { special, columns } = grid;
for (const [token, share] of weights.data.entries()) {
  const patch = token - special.length;
  const where = special[token] ?? "row " + Math.floor(patch / columns) + " column " + (patch % columns);
  console.log(where, share);
}
`;
}

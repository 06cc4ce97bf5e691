// The tiles of which creatures are drawn, as pixels, and the pictures that the page shows. The
// trainer knows tiles by number only (models/trainer/creatures.h).

/** Pixels on a side of a tile, and cells on a side of a picture. */
export const tileSide = 4;
export const side = 12;

// Two colours and a pattern each: "x" has the second colour. Every pattern is another one, so that
// tiles differ by more than their mean colour.
const drawn = [
  ["hidden", "_", "#c9c9c9", "#a8a8a8", "x.x. .x.x x.x. .x.x"],
  ["night", "n", "#1f2a44", "#3b4a70", ".... .x.. .... ...x"],
  ["meadow", "m", "#a9c77d", "#8db35f", "x... ..x. .... .x.."],
  ["sand", "s", "#efe3c6", "#e0d0a8", ".x.. .... x.x. ...."],
  ["orange coat", "o", "#e08b3e", "#c8702a", ".x.. .x.. ..x. ..x."],
  ["grey coat", "g", "#8f98a6", "#747e8e", "..x. ..x. .x.. .x.."],
  ["brown coat", "b", "#80543a", "#66402b", "x..x .xx. .... x..x"],
  ["white coat", "w", "#f7f3ea", "#ddd6c8", ".... ..xx xx.. ...."],
  ["black coat", "k", "#2c2a2e", "#454148", "xx.. .... ..xx .x.."],
  ["green eyes", "e", "#5cb85c", "#14141c", ".... .xx. .xx. ...."],
  ["blue eyes", "u", "#4a8fe0", "#14141c", "..xx ..xx .... ...."],
  ["amber eyes", "a", "#f5b72e", "#14141c", ".x.. .xx. .xx. ..x."],
];

const bytesOf = (colour) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** The tiles in the order of their ids from 1: name, letter, and pixels, row by row. */
export const tiles = drawn.map(([name, letter, first, second, pattern]) => ({
  name,
  letter,
  pixels: [...pattern.replaceAll(" ", "")].map((at) => bytesOf(at === "x" ? second : first)),
}));

const mirrored = (rows) => rows.map((row) => row + [...row].reverse().join(""));

const cat = [
  "mommmm",
  "moommm",
  "mooooo",
  "moooow",
  "mooeow",
  "moooow",
  "mmooww",
  "mmmoow",
  "mmowww",
  "mmooww",
  "mooooo",
  "moomoo",
];

const owl = [
  "nngnnn",
  "nnggnn",
  "nggggg",
  "ngwwwg",
  "ngwawg",
  "ngwwwg",
  "nggggw",
  "ggggww",
  "gggwgw",
  "gggwww",
  "ngggww",
  "nnngnn",
];

const halfHidden = mirrored(cat).map((row) => row.slice(0, side / 2) + "_".repeat(side / 2));

/** The pictures that the page shows, each cell as its tile's letter. */
export const pictures = [
  { name: "cat", rows: mirrored(cat) },
  { name: "owl", rows: mirrored(owl) },
  { name: "half", rows: halfHidden },
];

const byLetter = new Map(tiles.map((tile, at) => [tile.letter, at + 1]));

/** The token ids of a picture: the one for the whole, then its cells. */
export const idsOf = ({ rows }) => [0, ...[...rows.join("")].map((letter) => byLetter.get(letter))];

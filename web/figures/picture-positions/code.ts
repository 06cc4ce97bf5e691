/** Code that reproduces the head's map of "what of pictures?". */
import { askedPicture } from "../../defaults.js";
import type { GridAnswer, WindowAnswer } from "./messages.js";

/** Returns code for the weights in a window, which are a softmax over its cells alone. */
const confined = ({ rows, columns }: WindowAnswer, pictureSide: number): string =>
  `const isSeen = (cell) =>
  Math.floor(cell / ${pictureSide}) >= ${rows[0]} && Math.floor(cell / ${pictureSide}) <= ${rows[1]} &&
  cell % ${pictureSide} >= ${columns[0]} && cell % ${pictureSide} <= ${columns[1]}; // its window
const seen = weights.data.map((share, cell) => (isSeen(cell) ? share : 0));
const whole = seen.reduce((sum, share) => sum + share, 0);
for (const [cell, share] of seen.entries()) weights.data[cell] = share / whole;
`;

export function gridCode(answer: GridAnswer, folder: string): string {
  const { scheme, row, column, head, pictureSide, windowed } = answer;
  const { asks, speck, ink, ground, rows } = askedPicture;
  return `import { load } from "whereformer";

const cells = "${rows.join("")}"; // ${pictureSide} × ${pictureSide}, row by row
const tokens = { "?": ${asks}, s: ${speck}, t: ${speck}, "#": ${ink}, ".": ${ground} };
const wf = await load();
const model = await wf.model("${folder}${scheme}/");
const { weights, terms } = model.run([...cells].map((cell) => tokens[cell]), {
  record: ["weights", "terms"],
  region: { layers: [model.config.numLayers - 1], heads: [${head}], rows: [${row * pictureSide + column}] },
});
${windowed ? confined(windowed, pictureSide) : ""}for (const [cell, share] of weights.data.entries())
  console.log("row", Math.floor(cell / ${pictureSide}), "column", cell % ${pictureSide}, share);
console.log(Object.keys(terms).join(), "largest share", Math.max(...weights.data));
`;
}

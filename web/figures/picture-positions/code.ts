/** Code that reproduces the head's map of "what of pictures?". */
import { askedPicture } from "../../defaults.js";
import type { GridAnswer } from "../../engine/both/picture-messages.js";

export function gridCode({ scheme, row, column, head, own }: GridAnswer, folder: string): string {
  const { asks, speck, ink, ground, rows } = askedPicture;
  return `import { load } from "whereformer";

const cells = "${rows.join("")}"; // ${own} × ${own}, row by row
const tokens = { "?": ${asks}, s: ${speck}, "#": ${ink}, ".": ${ground} };
const wf = await load();
const model = await wf.model("${folder}${scheme}/");
const { weights, terms } = model.run([...cells].map((cell) => tokens[cell]), {
  record: ["weights", "terms"],
  region: { layers: [model.config.numLayers - 1], heads: [${head}], rows: [${row * own + column}] },
});
for (const [cell, share] of weights.data.entries())
  console.log("row", Math.floor(cell / ${own}), "column", cell % ${own}, share);
console.log(Object.keys(terms).join(), "largest share", Math.max(...weights.data));
`;
}

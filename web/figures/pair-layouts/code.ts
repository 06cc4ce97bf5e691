/** Code for both matrices, their products with a vector, and the losses beside them. */
import { sightedScheme } from "../../defaults.js";
import { layoutHead } from "../../engine/both/rotated-heads.js";
import { heldOutCode, modelsCode } from "../shared/exports/code.js";

/** Prints the non-zero numbers of both matrices, then bits per character, read in three ways. */
export function layoutsCode(distance: number): string {
  const { size, vector } = layoutHead;
  return `${modelsCode}
const d = ${size};
const x = { data: Float32Array.of(${vector.join(", ")}), shape: [1, 1, d] };
for (const interleaved of [true, false]) {
  const scheme = wf.scheme("${sightedScheme}", { numHeads: 1, headDim: d, interleaved });
  const alone = Float32Array.from({ length: d * d }, (_, i) => (i % d === Math.floor(i / d) ? 1 : 0));
  const positions = new Array(d).fill(${distance});
  const { data } = scheme.rotate({ data: alone, shape: [1, d, d] }, positions);
  for (let row = 0; row < d; row++)
    for (let column = 0; column < d; column++)
      if (data[column * d + row] !== 0)
        console.log("interleaved", interleaved, row, column, data[column * d + row]);
  // The engine turns number by number; no matrix is made.
  scheme.rotate(x, [${distance}]).data.forEach((value, at) => console.log("turned", at, value));
}
${heldOutCode}
const model = await wf.model(new URL("${sightedScheme}/", models));
const { headDim, scheme: [{ id, options }] } = model.config;
const other = { id, options: { ...options, interleaved: true } };

// Rows t and t + headDim / 2 of each head of W_q and W_k become rows 2t and 2t + 1.
const bytes = model.save();
const start = 8 + Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, start)));
for (const [name, { shape, data_offsets }] of Object.entries(header)) {
  if (!/\\.[qk]_proj\\.weight$/.test(name)) continue;
  const [from, to] = data_offsets.map((at) => start + at);
  const old = bytes.slice(from, to);
  const width = (to - from) / shape[0]; // bytes of a row
  for (let row = 0; row < shape[0]; row++) {
    const t = row % headDim;
    const source = row - t + (t % 2) * (headDim / 2) + Math.floor(t / 2);
    bytes.set(old.subarray(source * width, (source + 1) * width), from + row * width);
  }
}
const again = await wf.model({ config: { ...model.config, scheme: other }, weights: bytes });

for (const language of ["en", "zh"]) {
  console.log(language, "as trained", await bits(model, language));
  console.log(language, "mixed", await bits(model, language, () => ({ surgery: { scheme: other } })));
  console.log(language, "rows in the other order too", await bits(again, language));
}
`;
}

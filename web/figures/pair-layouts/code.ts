/** Code that reproduces the two matrices, and what they make of a vector. */
import { sightedScheme } from "../../defaults.js";
import { layoutHead } from "../../engine/both/turned-heads.js";

export function layoutsCode(distance: number): string {
  const { size, vector } = layoutHead;
  return `import { load } from "whereformer";

const wf = await load();
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
`;
}

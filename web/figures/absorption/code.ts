/** Code that computes both matrices, from numbers drawn as in the figure. */
import { absorbedHead, sightedScheme } from "../../defaults.js";

/** Prints the largest change of an entry, then the row sums of the rotated matrix. */
export function absorbCode(distance: number): string {
  const { headDim, rank, seed } = absorbedHead;
  return `import { load } from "whereformer";

const [headDim, rank] = [${headDim}, ${rank}];
// Normal numbers from a seed (mulberry32, Box and Muller), row after row.
function normals(seed, count) {
  let state = seed;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
  return Float32Array.from({ length: count }, () =>
    Math.sqrt(-2 * Math.log(uniform()) / rank) * Math.cos(2 * Math.PI * uniform()));
}
const columns = (w) => w.map((_, at) => w[(at % headDim) * rank + Math.floor(at / headDim)]);
const upQuery = columns(normals(${seed}, headDim * rank));
const upKey = columns(normals(${seed + 1}, headDim * rank));

const wf = await load();
const rope = wf.scheme("${sightedScheme}", { numHeads: 1, headDim });
const between = (distance) => {
  const keys = { data: upKey, shape: [1, rank, headDim] };
  const turned = rope.rotate(keys, Array(rank).fill(-distance));
  const q = { data: upQuery, shape: [rank, headDim] };
  return wf.matmul(q, { data: turned.data, shape: q.shape }, { transposeB: true }).data;
};
const [turned, plain] = [between(${distance}), between(0)];
console.log("largest change", Math.max(...turned.map((value, at) => Math.abs(value - plain[at]))));
for (let row = 0; row < rank; row++)
  console.log("row", row + 1, turned.slice(row * rank, (row + 1) * rank).reduce((a, b) => a + b));
`;
}

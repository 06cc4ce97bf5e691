/** Code that decodes in the absorbed form and in the one that caches all keys, and times both. */
import { formsLayer, sightedScheme } from "../../defaults.js";

/**
 * Prints cached numbers per token, milliseconds per token of both forms, and their largest
 * difference.
 */
export function formsCode(tokens: number): string {
  const { numHeads, headDim, slice, rank } = formsLayer;
  return `import { load } from "whereformer";

const wf = await load();
const [H, d, r, c, n] = [${numHeads}, ${headDim}, ${slice}, ${rank}, ${tokens}]; // heads, content, slice, latent
const noise = (count, size = 1) => Float32Array.from({ length: count }, () => size * (2 * Math.random() - 1));
const join = (a, b, rows) => Float32Array.from({ length: a.length + b.length }, (_, i) => {
  const [wa, wb] = [a.length / rows, b.length / rows];
  const [row, at] = [Math.floor(i / (wa + wb)), i % (wa + wb)];
  return at < wa ? a[row * wa + at] : b[row * wb + at - wa];
});
const heads = [...Array(H).keys()];
const part = (list, head) => list.subarray(head * list.length / H, (head + 1) * list.length / H);
const flat = (lists) => Float32Array.from(lists.flatMap((list) => [...list]));

const latents = noise(n * c);
const rope = wf.scheme("${sightedScheme}", { numHeads: 1, headDim: r, interleaved: true });
const turnedKeys = rope.rotate({ data: noise(n * r), shape: [1, n, r] }, [...Array(n).keys()]).data;
const turnedQueries = rope.rotate({ data: noise(H * r), shape: [1, H, r] }, Array(H).fill(n - 1)).data;
const queries = noise(H * d);
const [WUK, WUV] = [0, 1].map(() => heads.map(() => ({ data: noise(d * c, c ** -0.5), shape: [d, c] })));
const up = (x, rows, w) => wf.matmul({ data: x, shape: [rows, c] }, w, { transposeB: true }).data;

const scale = 1 / Math.sqrt(d + r);
const byHead = wf.attention({ numHeads: H, headDim: d + r, valueDim: d, scale });
const k = wf.tensor({ data: flat(heads.map((h) => join(up(latents, n, WUK[h]), turnedKeys, n))), shape: [H, n, d + r] });
const v = wf.tensor({ data: flat(heads.map((h) => up(latents, n, WUV[h]))), shape: [H, n, d] });
const q = { data: join(queries, turnedQueries, H), shape: [H, 1, d + r] };
const expanded = () => byHead.run({ q, k, v }).output.data;

const shared = wf.attention({ numHeads: H, numKvHeads: 1, headDim: c + r, valueDim: c, scale });
const kAll = wf.tensor({ data: join(latents, turnedKeys, n), shape: [1, n, c + r] });
const vAll = wf.tensor({ data: latents, shape: [1, n, c] });
const absorb = WUK.map((w) => wf.matrix(w));
const expand = WUV.map((w) => wf.matrix(w, { transposeB: true }));
const absorbed = () => {
  const moved = heads.map((h) => wf.matmul({ data: part(queries, h), shape: [1, d] }, absorb[h]).data);
  const qAll = { data: join(flat(moved), turnedQueries, H), shape: [H, 1, c + r] };
  const seen = shared.run({ q: qAll, k: kAll, v: vAll }).output.data;
  return flat(heads.map((h) => wf.matmul({ data: part(seen, h), shape: [1, c] }, expand[h]).data));
};

const time = (run, calls = 20) => {
  run();
  const start = performance.now();
  for (let call = 0; call < calls; call++) run();
  return (performance.now() - start) / calls;
};
const [a, b] = [expanded(), absorbed()];
console.log("numbers kept, all keys and values", H * (d + r + d));
console.log("numbers kept, latents", c + r);
console.log("largest difference", Math.max(...a.map((value, i) => Math.abs(value - b[i]))));
console.log("milliseconds, all keys and values", time(expanded));
console.log("milliseconds, absorbed", time(absorbed));
`;
}

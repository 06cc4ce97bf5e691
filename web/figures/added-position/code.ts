/** Code that reproduces the products of "what is added to the word?". */
import { addedView } from "../../defaults.js";

const { queries } = addedView;

/** `folder` is the absolute address of the trained models. */
export function addedCode(folder: string, scheme: string, head: number): string {
  return `import { load } from "whereformer";

const wf = await load();
const model = await wf.model("${folder}${scheme}/");
const { numHeads, headDim, hiddenSize, scheme: [{ id, options }] } = model.config;

// The model's own numbers, out of its safetensors bytes.
const bytes = model.save();
const size = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + size)));
const tensor = (ending) => {
  const { shape, data_offsets } = header[Object.keys(header).find((name) => name.endsWith(ending))];
  const [from, to] = data_offsets.map((at) => 8 + size + at);
  return { data: new Float32Array(bytes.slice(from, to).buffer), shape };
};

const shape = { numHeads, headDim, hiddenSize };
const names = Object.keys(wf.scheme(id, { ...shape, ...options }).parameters());
const parameters = Object.fromEntries(names.map((name) => [name, tensor(\`position.\${id}.\${name}\`)]));
const scheme = wf.scheme(id, { ...shape, ...options, parameters });
const rows = scheme.embeddings(Array.from({ length: ${Math.max(...queries) + 1} }, (_, i) => i));

const row = ({ data, shape: [, width] }, i, from = 0, to = width) =>
  data.subarray(i * width + from, i * width + to);
const dot = (a, b) => a.reduce((sum, value, at) => sum + value * b[at], 0);

const gain = tensor("layers.0.input_layernorm.weight").data;
const gained = { ...rows, data: rows.data.map((value, at) => value * gain[at % hiddenSize]) };
const project = (name) =>
  wf.matmul(gained, tensor(\`layers.0.self_attn.\${name}.weight\`), { transposeB: true });
const [q, k] = [project("q_proj"), project("k_proj")];
const of = [${head} * headDim, ${head + 1} * headDim];
for (const query of ${JSON.stringify(queries)}) {
  for (const distance of [0, 1, 8, 63]) {
    const key = query - distance;
    console.log("as they are", query, distance, dot(row(rows, query), row(rows, key)));
    const projected = dot(row(q, query, ...of), row(k, key, ...of)) / Math.sqrt(headDim);
    console.log("with W_q and W_k", query, distance, projected);
  }
}
`;
}

// ONNX Runtime Web, the library that transformers.js computes with. Each work is in the forms that
// a user would find; the fastest of them counts.

import { exchangeAxes } from "../measure/inputs.mjs";
import { ortBlock } from "./ort-block.mjs";
import { ortForm } from "./ort-form.mjs";

const output = (...shape) => ({ y: { shape } });
const microsoft = { domain: "com.microsoft" };

async function attention(ort, { q, k, v, bias }, { heads, tokens, width }) {
  const shape = [heads, tokens, width];
  const dense = bias ? { bias: { data: bias, shape: [heads, tokens, tokens] } } : {};
  const scale = { data: Float32Array.of(1 / Math.sqrt(width)), shape: [] };
  const graph = {
    nodes: [
      ["Transpose", "k", "kt", { perm: [0, 2, 1] }],
      ["MatMul", ["q", "kt"], "products"],
      ["Mul", ["products", "scale"], bias ? "scaled" : "logits"],
      ...(bias ? [["Add", ["scaled", "bias"], "logits"]] : []),
      ["Softmax", "logits", "weights", { axis: -1 }],
      ["MatMul", ["weights", "v"], "y"],
    ],
    constants: { scale },
    outputs: output(...shape),
  };
  const tensors = { q: { data: q, shape }, k: { data: k, shape }, v: { data: v, shape }, ...dense };
  const byToken = (data) => ({
    data: exchangeAxes(data, heads, tokens, width),
    shape: [1, tokens, heads * width],
  });
  const fused = {
    nodes: [
      [
        "MultiHeadAttention",
        ["q", "k", "v", ...(bias ? ["", "", "bias"] : [])],
        "y",
        { ...microsoft, num_heads: heads },
      ],
    ],
    outputs: output(1, tokens, heads * width),
  };
  const batched = bias ? { bias: { data: bias, shape: [1, heads, tokens, tokens] } } : {};
  return [
    await ortForm(ort, "ORT", graph, tensors),
    await ortForm(
      ort,
      "ORT MultiHeadAttention",
      fused,
      { q: byToken(q), k: byToken(k), v: byToken(v), ...batched },
      (data) => exchangeAxes(data, tokens, heads, width),
    ),
  ];
}

async function rotary(ort, { x, cosine, sine }, { heads, tokens, width }) {
  const half = width / 2;
  const shape = [heads, tokens, width];
  const table = (data) => ({ data, shape: [tokens, half] });
  const graph = {
    nodes: [
      ["Split", ["x"], ["a", "b"], { axis: -1, num_outputs: 2 }],
      ["Mul", ["a", "cosine"], "ac"],
      ["Mul", ["b", "sine"], "bs"],
      ["Mul", ["b", "cosine"], "bc"],
      ["Mul", ["a", "sine"], "as"],
      ["Sub", ["ac", "bs"], "first"],
      ["Add", ["bc", "as"], "second"],
      ["Concat", ["first", "second"], "y", { axis: -1 }],
    ],
    constants: { cosine: table(cosine), sine: table(sine) },
    outputs: output(...shape),
  };
  const positions = BigInt64Array.from({ length: tokens }, (_, i) => BigInt(i));
  const fused = {
    nodes: [["RotaryEmbedding", ["x", "positions", "cosine", "sine"], "y", microsoft]],
    constants: {
      cosine: table(cosine),
      sine: table(sine),
      positions: { type: "int64", data: positions, shape: [1, tokens] },
    },
    outputs: output(1, ...shape),
  };
  return [
    await ortForm(ort, "ORT", graph, { x: { data: x, shape } }),
    await ortForm(ort, "ORT RotaryEmbedding", fused, { x: { data: x, shape: [1, ...shape] } }),
  ];
}

/** Returns the works of ONNX Runtime with this many threads. */
export async function open(host) {
  const ort = await host.importOrt();
  ort.env.wasm.numThreads = host.threads;
  const one = async (model, inputs) => [await ortForm(ort, "ORT", model, inputs)];
  return {
    matmul: ({ a, b }, { m, k, n }) => {
      const left = { a: { data: a, shape: [m, k] } };
      const right = { b: { data: b, shape: [k, n] } };
      const graph = { nodes: [["MatMul", ["a", "b"], "y"]], outputs: output(m, n) };
      // The matrix of a vector's product holds weights, which are constants of the graph.
      return m > 1 ? one(graph, { ...left, ...right }) : one({ ...graph, constants: right }, left);
    },
    softmax: ({ x }, { rows, width }) =>
      one(
        { nodes: [["Softmax", "x", "y", { axis: -1 }]], outputs: output(rows, width) },
        { x: { data: x, shape: [rows, width] } },
      ),
    layerNorm: ({ x, weight, bias }, { rows, width, epsilon }) =>
      one(
        {
          nodes: [
            [
              "LayerNormalization",
              ["x", "weight", "bias"],
              "y",
              { axis: -1, epsilon: { float: epsilon } },
            ],
          ],
          constants: {
            weight: { data: weight, shape: [width] },
            bias: { data: bias, shape: [width] },
          },
          outputs: output(rows, width),
        },
        { x: { data: x, shape: [rows, width] } },
      ),
    rotary: (inputs, sizes) => rotary(ort, inputs, sizes),
    attention: (inputs, sizes) => attention(ort, inputs, sizes),
    block: (inputs, sizes) => ortBlock(ort, inputs, sizes),
  };
}

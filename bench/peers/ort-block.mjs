// A pre-norm block (RMSNorm, attention, SwiGLU) as ONNX, with the fused operators that ONNX Runtime
// makes of such graphs, and with its weights as constants, which ONNX Runtime packs once.

import { columnsOf, joinedColumns } from "./block-weights.mjs";
import { ortForm } from "./ort-form.mjs";

const microsoft = { domain: "com.microsoft" };

/** Returns the graph: `{ nodes, constants, outputs }`; its only input is `ids` [T]. */
export function blockGraph({ tensors, bias }, { tokens, width, heads, epsilon }) {
  const weight = (name, ...names) => {
    const { data, rows, columns } = joinedColumns(names.map((each) => columnsOf(tensors, each)));
    return { [name]: { data, shape: [rows, columns] } };
  };
  const vector = (name, from) => ({ [name]: { data: tensors[from].data, shape: [width] } });
  const layer = "model.layers.0.";
  const norm = (input, factor, output) => [
    "SimplifiedLayerNormalization",
    [input, factor],
    output,
    { axis: -1, epsilon: { float: epsilon } },
  ];
  return {
    nodes: [
      ["Gather", ["embedding", "ids"], "x", { axis: 0 }],
      norm("x", "n1", "h1"),
      ["MatMul", ["h1", "wqkv"], "qkv"],
      ["Split", ["qkv"], ["q", "k", "v"], { axis: -1, num_outputs: 3 }],
      [
        "MultiHeadAttention",
        ["q", "k", "v", "", "", "bias"],
        "attended",
        { ...microsoft, num_heads: heads, unidirectional: 1 },
      ],
      ["MatMul", ["attended", "wo"], "o"],
      ["Add", ["x", "o"], "middle"],
      norm("middle", "n2", "h2"),
      ["MatMul", ["h2", "wgu"], "gu"],
      ["Split", ["gu"], ["gate", "up"], { axis: -1, num_outputs: 2 }],
      ["Sigmoid", "gate", "s"],
      ["Mul", ["gate", "s"], "silu"],
      ["Mul", ["silu", "up"], "hidden"],
      ["MatMul", ["hidden", "wd"], "d"],
      ["Add", ["middle", "d"], "out"],
      norm("out", "n3", "y"),
    ],
    constants: {
      embedding: {
        data: tensors["model.embed_tokens.weight"].data,
        shape: tensors["model.embed_tokens.weight"].shape,
      },
      ...vector("n1", `${layer}input_layernorm.weight`),
      ...vector("n2", `${layer}post_attention_layernorm.weight`),
      ...vector("n3", "model.norm.weight"),
      ...weight("wqkv", ...["q", "k", "v"].map((name) => `${layer}self_attn.${name}_proj.weight`)),
      ...weight("wo", `${layer}self_attn.o_proj.weight`),
      ...weight("wgu", ...["gate", "up"].map((name) => `${layer}mlp.${name}_proj.weight`)),
      ...weight("wd", `${layer}mlp.down_proj.weight`),
      bias: { data: bias, shape: [1, heads, tokens, tokens] },
    },
    outputs: { y: { shape: [1, tokens, width] } },
  };
}

export async function ortBlock(ort, inputs, sizes) {
  const ids = BigInt64Array.from(inputs.ids, BigInt);
  const graph = blockGraph(inputs, sizes);
  return [
    await ortForm(ort, "ORT", graph, {
      ids: { type: "int64", data: ids, shape: [1, sizes.tokens] },
    }),
  ];
}

// A pre-norm block (RMSNorm, attention, SwiGLU) in TensorFlow.js.

import { columnsOf, joinedColumns } from "./block-weights.mjs";
import { headAttention } from "./tfjs-attention.mjs";

/** Returns the weights of a layer as tensors; matrices with a common input are joined. */
export function layerWeights(tf, tensors, layer) {
  const at = `model.layers.${layer}.`;
  const matrix = (...names) => {
    const { data, rows, columns } = joinedColumns(
      names.map((name) => columnsOf(tensors, at + name)),
    );
    return tf.tensor2d(data, [rows, columns]);
  };
  return {
    n1: tf.tensor1d(tensors[`${at}input_layernorm.weight`].data),
    n2: tf.tensor1d(tensors[`${at}post_attention_layernorm.weight`].data),
    qkv: matrix(...["q", "k", "v"].map((name) => `self_attn.${name}_proj.weight`)),
    output: matrix("self_attn.o_proj.weight"),
    gateUp: matrix(...["gate", "up"].map((name) => `mlp.${name}_proj.weight`)),
    down: matrix("mlp.down_proj.weight"),
  };
}

/** Applies RMSNorm to rows. */
export function rmsNorm(tf, x, weight, epsilon) {
  const factor = tf.rsqrt(tf.add(tf.mean(tf.square(x), 1, true), epsilon));
  return tf.mul(tf.mul(x, factor), weight);
}

export function tfjsBlock(tf, { ids, tensors, bias }, { tokens, width, heads, epsilon }) {
  const embedding = tensors["model.embed_tokens.weight"];
  const table = tf.tensor2d(embedding.data, embedding.shape);
  const rows = tf.tensor1d(Int32Array.from(ids), "int32");
  const last = tf.tensor1d(tensors["model.norm.weight"].data);
  const weights = layerWeights(tf, tensors, 0);
  // The bias includes the causal mask.
  const masked = bias.map((value, index) => {
    const row = Math.floor(index / tokens) % tokens;
    return index % tokens > row ? -1e9 : value;
  });
  const biases = Array.from({ length: heads }, (_, h) =>
    tf.tensor2d(masked.subarray(h * tokens * tokens, (h + 1) * tokens * tokens), [tokens, tokens]),
  );
  const work = () => {
    const x = tf.gather(table, rows);
    const parts = tf.split(
      tf.matMul(rmsNorm(tf, x, weights.n1, epsilon), weights.qkv),
      3 * heads,
      1,
    );
    const attended = biases.map((one, h) => {
      const head = { q: parts[h], k: parts[heads + h], v: parts[2 * heads + h], bias: one };
      return headAttention(tf, head, width / heads);
    });
    const middle = tf.add(x, tf.matMul(tf.concat(attended, 1), weights.output));
    const both = tf.matMul(rmsNorm(tf, middle, weights.n2, epsilon), weights.gateUp);
    const [gate, up] = tf.split(both, 2, 1);
    const hidden = tf.mul(tf.mul(gate, tf.sigmoid(gate)), up);
    return rmsNorm(tf, tf.add(middle, tf.matMul(hidden, weights.down)), last, epsilon);
  };
  return [
    {
      name: "TensorFlow.js",
      isAsync: false,
      run: () => {
        const result = tf.tidy(work);
        const data = result.dataSync();
        result.dispose();
        return data;
      },
      dispose: () => {
        for (const tensor of [table, rows, last, ...biases, ...Object.values(weights)])
          tensor.dispose();
      },
    },
  ];
}

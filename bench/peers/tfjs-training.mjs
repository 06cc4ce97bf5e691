// A training step of a small transformer in TensorFlow.js: forward, gradients, clipping, AdamW. The
// fastest form that we know: gradients of products use matrices that are transposed first (the
// backend's products with a flag for that are slow), embeddings are products with one-hot rows (the
// backend cannot scatter), and AdamW runs over one vector that holds all parameters.

import { columnsOf, joinedColumns } from "./block-weights.mjs";

/** Returns a product whose gradient uses fast products. */
function makeProduct(tf) {
  return tf.customGrad((x, w, save) => {
    save([x, w]);
    return {
      value: tf.matMul(x, w),
      gradFunc: (dy, [left, right]) => [
        tf.matMul(dy, tf.transpose(right)),
        tf.matMul(tf.transpose(left), dy),
      ],
    };
  });
}

/** Returns the mean cross-entropy in nats; targets are one-hot rows. */
function makeCrossEntropy(tf, targets, rows) {
  return tf.customGrad((logits, save) => {
    const weights = tf.softmax(logits);
    save([weights]);
    return {
      value: tf.neg(tf.mean(tf.log(tf.sum(tf.mul(weights, targets), 1)))),
      gradFunc: (dy, [saved]) => tf.mul(tf.mul(tf.sub(saved, targets), 1 / rows), dy),
    };
  });
}

/** Returns parameters as [in,out] in the order of the vector, and whether they decay. */
function parametersOf(tensors, layers) {
  const matrix = (...names) => {
    const { data, rows, columns } = joinedColumns(names.map((name) => columnsOf(tensors, name)));
    return { data, shape: [rows, columns], decays: true };
  };
  const vector = (name) => ({
    data: tensors[name].data,
    shape: tensors[name].shape,
    decays: false,
  });
  const table = tensors["model.embed_tokens.weight"];
  const parameters = [{ data: table.data, shape: table.shape, decays: true }];
  for (let layer = 0; layer < layers; layer++) {
    const at = `model.layers.${layer}.`;
    parameters.push(
      vector(`${at}input_layernorm.weight`),
      matrix(...["q", "k", "v"].map((name) => `${at}self_attn.${name}_proj.weight`)),
      matrix(`${at}self_attn.o_proj.weight`),
      vector(`${at}post_attention_layernorm.weight`),
      matrix(...["gate", "up"].map((name) => `${at}mlp.${name}_proj.weight`)),
      matrix(`${at}mlp.down_proj.weight`),
    );
  }
  return [...parameters, vector("model.norm.weight")];
}
const perLayer = 6;

/** Computes attention of all sequences and heads as one batched product. */
function batchedAttention(tf, qkv, { batch, tokens, heads, width }, mask) {
  const size = width / heads;
  const parts = tf.transpose(tf.reshape(qkv, [batch, tokens, 3, heads, size]), [2, 0, 3, 1, 4]);
  const [q, k, v] = tf.unstack(tf.reshape(parts, [3, batch * heads, tokens, size]));
  const products = tf.matMul(tf.mul(q, 1 / Math.sqrt(size)), k, false, true);
  const attended = tf.matMul(tf.softmax(tf.add(products, mask)), v);
  const byToken = tf.transpose(tf.reshape(attended, [batch, heads, tokens, size]), [0, 2, 1, 3]);
  return tf.reshape(byToken, [batch * tokens, width]);
}

/** Computes attention as a product for each sequence and head. */
function separateAttention(tf, qkv, { batch, tokens, heads, width }, mask, product) {
  const size = width / heads;
  const sequences = tf.split(qkv, batch, 0).map((sequence) => {
    const parts = tf.split(sequence, 3 * heads, 1);
    const attended = Array.from({ length: heads }, (_, h) => {
      const q = tf.mul(parts[h], 1 / Math.sqrt(size));
      const products = product(q, tf.transpose(parts[heads + h]));
      return product(tf.softmax(tf.add(products, mask)), parts[2 * heads + h]);
    });
    return tf.concat(attended, 1);
  });
  return tf.reshape(tf.concat(sequences, 0), [batch * tokens, width]);
}

function makeLoss(tf, { ids, targets, vocabulary }, sizes, attention) {
  const { batch, tokens, layers, epsilon } = sizes;
  const rows = batch * tokens;
  const oneHot = (list) => tf.cast(tf.oneHot(tf.tensor1d(list, "int32"), vocabulary), "float32");
  const chosen = oneHot(ids);
  const wanted = oneHot(targets);
  const hidden = Float32Array.from({ length: tokens * tokens }, (_, index) =>
    index % tokens > Math.floor(index / tokens) ? -1e9 : 0,
  );
  const mask = tf.tensor2d(hidden, [tokens, tokens]);
  const product = makeProduct(tf);
  const crossEntropy = makeCrossEntropy(tf, wanted, rows);
  const norm = (x, weight) =>
    tf.mul(tf.mul(x, tf.rsqrt(tf.add(tf.mean(tf.square(x), 1, true), epsilon))), weight);
  return (...parameters) => {
    const table = parameters[0];
    let x = product(chosen, table);
    for (let layer = 0; layer < layers; layer++) {
      const [n1, qkv, output, n2, gateUp, down] = parameters.slice(1 + layer * perLayer);
      const attended = attention(tf, product(norm(x, n1), qkv), sizes, mask, product);
      x = tf.add(x, product(attended, output));
      const [gate, up] = tf.split(product(norm(x, n2), gateUp), 2, 1);
      x = tf.add(x, product(tf.mul(tf.mul(gate, tf.sigmoid(gate)), up), down));
    }
    return crossEntropy(product(norm(x, parameters.at(-1)), tf.transpose(table)));
  };
}

function makeStep(tf, inputs, sizes, attention) {
  const { rate, decay, clip, beta1, beta2, epsilon: tiny } = sizes.adamw;
  const parameters = parametersOf(inputs.tensors, sizes.layers);
  const counts = parameters.map(({ data }) => data.length);
  const gradients = tf.valueAndGrads(makeLoss(tf, inputs, sizes, attention));
  const flat = (list) => tf.concat(list.map((tensor) => tf.reshape(tensor, [-1])));
  let values = tf.tidy(() => flat(parameters.map(({ data }) => tf.tensor1d(data))));
  let first = tf.zerosLike(values);
  let second = tf.zerosLike(values);
  const keep = tf.tidy(() =>
    flat(parameters.map(({ decays }, i) => tf.fill([counts[i]], 1 - (decays ? rate * decay : 0)))),
  );
  let step = 0;
  return () => {
    step++;
    const [loss, ...state] = tf.tidy(() => {
      const pieces = tf
        .split(values, counts)
        .map((piece, i) => tf.reshape(piece, parameters[i].shape));
      const { value, grads } = gradients(pieces);
      const gradient = flat(grads);
      const length = tf.sqrt(tf.sum(tf.square(gradient)));
      const clipped = tf.mul(gradient, tf.minimum(1, tf.div(clip, length)));
      const m = tf.add(tf.mul(first, beta1), tf.mul(clipped, 1 - beta1));
      const v = tf.add(tf.mul(second, beta2), tf.mul(tf.square(clipped), 1 - beta2));
      const root = tf.mul(tf.sqrt(v), 1 / Math.sqrt(1 - beta2 ** step));
      const change = tf.mul(tf.div(m, tf.add(root, tiny)), rate / (1 - beta1 ** step));
      return [value, tf.sub(tf.mul(values, keep), change), m, v];
    });
    for (const old of [values, first, second]) old.dispose();
    [values, first, second] = state;
    const result = Float32Array.from(loss.dataSync());
    loss.dispose();
    return result;
  };
}

/** Returns both forms; a run is one step, and the losses of the first steps are compared. */
export function tfjsTraining(tf, inputs, sizes) {
  const forms = { batched: batchedAttention, "head by head": separateAttention };
  return Object.entries(forms).map(([name, attention]) => {
    const step = makeStep(tf, inputs, sizes, attention);
    return { name: `TensorFlow.js, ${name}`, isAsync: false, run: step, steps: 4 };
  });
}

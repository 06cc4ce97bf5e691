// The attention of one head in TensorFlow.js.

/** Computes softmax(q·kᵀ/√D + bias)·v on [T,D] of one head. */
export function headAttention(tf, { q, k, v, bias }, width) {
  // Scales the queries, since logits are larger, and transposes first, since products with a
  // transposed matrix are slow.
  const products = tf.matMul(tf.mul(q, 1 / Math.sqrt(width)), tf.transpose(k));
  return tf.matMul(tf.softmax(bias ? tf.add(products, bias) : products), v);
}

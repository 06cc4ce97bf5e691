// The attention of one head in TensorFlow.js.

/** [T,D] of one head: softmax(q·kᵀ/√D + bias)·v. */
export function headAttention(tf, { q, k, v, bias }, width) {
  // The queries are scaled, not the larger logits; and products with a transposed matrix are slow.
  const products = tf.matMul(tf.mul(q, 1 / Math.sqrt(width)), tf.transpose(k));
  return tf.matMul(tf.softmax(bias ? tf.add(products, bias) : products), v);
}

/**
 * The content term of a logit, split if positions were added to the words: x = e + p before the
 * first layer, and RMSNorm multiplies a row by one number, so that query and key are each a sum of
 * a part from the word and a part from the position, and their product is a sum of four products.
 * Exact in the first layer.
 */
import type { Model } from "whereformer";
import { tensorsOf } from "./saved-tensors.js";

interface Part {
  word: Float32Array;
  position: Float32Array;
}

/** Returns weight [rows, width] times x [width]. */
function times(weight: Float32Array, x: Float32Array): Float32Array {
  const width = x.length;
  return Float32Array.from({ length: weight.length / width }, (_, row) => {
    let sum = 0;
    for (let at = 0; at < width; at++) sum += weight[row * width + at]! * x[at]!;
    return sum;
  });
}

/** Returns the normed row of a token as two parts that sum to it. */
function normed(word: Float32Array, position: Float32Array, gain: Float32Array, epsilon: number) {
  let square = 0;
  for (let at = 0; at < word.length; at++) square += (word[at]! + position[at]!) ** 2;
  const scale = 1 / Math.sqrt(square / word.length + epsilon);
  const scaled = (x: Float32Array) => x.map((value, at) => value * scale * gain[at]!);
  return { word: scaled(word), position: scaled(position) };
}

/**
 * Returns four terms of every head's logits, [heads, n, n] each: query from word or position, key
 * from word or position. `added` [n, width] is added to words that were multiplied by `scale`. The
 * caller compares their sum with the logit: it differs for a scheme that does more than add.
 */
export function addedTerms(
  model: Model,
  ids: readonly number[],
  added: Float32Array,
  scale: number,
): Record<string, Float32Array> {
  const { hiddenSize, numHeads, headDim, rmsNormEps } = model.config;
  const tensor = tensorsOf(model.save());
  const table = tensor("embed_tokens.weight");
  const gain = tensor("layers.0.input_layernorm.weight");
  const rows = ids.map((id, at) =>
    normed(
      table.subarray(id * hiddenSize, (id + 1) * hiddenSize).map((value) => value * scale),
      added.subarray(at * hiddenSize, (at + 1) * hiddenSize),
      gain,
      rmsNormEps,
    ),
  );
  const project = (name: string): Part[] => {
    const weight = tensor(`layers.0.self_attn.${name}.weight`);
    return rows.map(({ word, position }) => ({
      word: times(weight, word),
      position: times(weight, position),
    }));
  };
  const queries = project("q_proj");
  const keys = project("k_proj");
  const n = ids.length;
  const term = (from: keyof Part, to: keyof Part) =>
    Float32Array.from({ length: numHeads * n * n }, (_, index) => {
      const head = Math.floor(index / (n * n));
      const q = queries[Math.floor(index / n) % n]![from];
      const k = keys[index % n]![to];
      let sum = 0;
      for (let at = head * headDim; at < (head + 1) * headDim; at++) sum += q[at]! * k[at]!;
      return sum / Math.sqrt(headDim);
    });
  return {
    wordWord: term("word", "word"),
    wordPosition: term("word", "position"),
    positionWord: term("position", "word"),
    positionPosition: term("position", "position"),
  };
}

// This repository's engine, compared with the vectors: attention with every mask, ALiBi's slopes,
// rotation and the frequencies of its scalings.
//
//   npm install whereformer && node examples/whereformer.mjs

import { load } from "whereformer";
import { check } from "../conformance.mjs";

const wf = await load();
const tensor = ({ shape, data }) => ({ shape, data: Float32Array.from(data) });

function attention({ q, k, v, allowed, bias }, { scale }) {
  const [numHeads, , headDim] = q.shape;
  const sizes = { numHeads, headDim, numKvHeads: k.shape[0], valueDim: v.shape[2] };
  const layer = wf.attention({ ...sizes, ...(scale && { scale }) });
  const mask = allowed
    ? { shape: allowed.shape, data: Uint8Array.from(allowed.data) }
    : bias && tensor(bias);
  const { output, weights } = layer.run({
    q: tensor(q), k: tensor(k), v: tensor(v),
    record: ["weights"],
    ...(mask && { mask }),
  });
  layer.dispose();
  return { output, weights };
}

function slopes({ heads }) {
  const scheme = wf.scheme("alibi", { numHeads: heads, headDim: 2 });
  const { data } = scheme.bias([1], [0]);
  scheme.dispose();
  return { slopes: data.map((bias) => -bias) };
}

function rotate({ x, positions, options, headDim }) {
  const scheme = wf.scheme("rope", { numHeads: 1, headDim, ...options });
  const { data } = scheme.rotate(tensor({ ...x, shape: [1, ...x.shape] }), positions);
  const { inverseFrequencies } = scheme.frequencies();
  scheme.dispose();
  return { rotated: { shape: x.shape, data }, inverseFrequencies };
}

const plain = [
  "full", "causal", "gqa_causal", "gqa_full_scale", "boolean_mask", "additive_mask",
  "key_length", "offset_between", "offset_last", "segments", "sliding_window", "top_left",
];
const named = Object.fromEntries(plain.map((name) => [`attention_${name}`, attention]));
process.exitCode = check({ ...named, alibi: slopes, rope: rotate });

// The matrices of a decoder as int8 products in ONNX Runtime: activations quantised at each call
// (DynamicQuantizeLinear), weights as constants with a scale for each matrix.

import { ortForm } from "./ort-form.mjs";

/**
 * Returns a contender named "base" that multiplies `rows` vectors with the seven matrices of each
 * layer, `calls` times. The input of each product is ready, and is quantised once for all products
 * that share it.
 */
export async function ortInt8Matrices(ort, threads, sizes) {
  const { rows, calls, layers, width, keys, intermediate, random } = sizes;
  ort.env.wasm.numThreads = threads;
  const nodes = [];
  const constants = { scale: { data: Float32Array.of(0.001), shape: [] } };
  const sums = {};
  for (const input of ["narrow", "wide"])
    nodes.push(["DynamicQuantizeLinear", [input], [`${input}_q`, `${input}_s`, `${input}_z`]]);
  const int8 = (count, seed) => Int8Array.from(random(count, seed), (x) => Math.round(127 * x));
  const product = (name, input, inner, outer, seed) => {
    constants[name] = { type: "int8", data: int8(inner * outer, seed), shape: [inner, outer] };
    nodes.push(
      ["MatMulInteger", [`${input}_q`, name, `${input}_z`], `${name}_i`],
      ["Cast", [`${name}_i`], `${name}_f`, { to: 1 }],
      ["Mul", [`${input}_s`, "scale"], `${name}_t`],
      ["Mul", [`${name}_f`, `${name}_t`], `${name}_y`],
    );
    // Sums need every product, and are small to copy out.
    const sum = sums[outer];
    if (sum) nodes.push(["Add", [sum, `${name}_y`], `${name}_sum`]);
    sums[outer] = sum ? `${name}_sum` : `${name}_y`;
  };
  for (let layer = 0; layer < layers; layer++) {
    const at = (name) => `${name}${layer}`;
    product(at("q"), "narrow", width, width, 7 * layer + 1);
    product(at("k"), "narrow", width, keys, 7 * layer + 2);
    product(at("v"), "narrow", width, keys, 7 * layer + 3);
    product(at("o"), "narrow", width, width, 7 * layer + 4);
    product(at("gate"), "narrow", width, intermediate, 7 * layer + 5);
    product(at("up"), "narrow", width, intermediate, 7 * layer + 6);
    product(at("down"), "wide", intermediate, width, 7 * layer + 7);
  }
  const ends = [width, keys, intermediate].map((size) => sums[size]);
  nodes.push(["Concat", ends, "y", { axis: 1 }]);
  const model = {
    nodes,
    constants,
    outputs: { y: { shape: [rows, width + keys + intermediate] } },
  };
  const contender = await ortForm(ort, "base", model, {
    narrow: { data: random(rows * width, 99), shape: [rows, width] },
    wide: { data: random(rows * intermediate, 98), shape: [rows, intermediate] },
  });
  return {
    ...contender,
    run: async () => {
      let last;
      for (let call = 0; call < calls; call++) last = await contender.run();
      return last;
    },
  };
}

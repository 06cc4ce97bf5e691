// Speed of the machine at this moment: fused multiply-adds, and reading memory.

import { assemble, code, types } from "./assemble.mjs";

const { i32, f32, v128 } = types;
const chains = 12; // as many as hide the latency of a multiply-add and leave two registers
const unrolled = 4;
const flops = chains * unrolled * 4 * 2;

function fmaModule(isRelaxed) {
  const factor = 1 + chains;
  const step = (chain) =>
    isRelaxed
      ? [code.get(chain), code.get(factor), code.get(factor + 1), code.relaxedMultiplyAdd]
      : [
          code.get(chain),
          code.get(factor),
          code.multiplyVectors,
          code.get(factor + 1),
          code.addVectors,
        ];
  const fill = (local, value) => [code.f32(value), code.splat, code.set(local)].flat();
  const once = Array.from({ length: chains }, (_, i) => [...step(1 + i), code.set(1 + i)].flat());
  const sum = Array.from({ length: chains - 1 }, (_, i) =>
    [code.get(2 + i), code.addVectors].flat(),
  );
  return assemble({
    parameters: [i32],
    result: f32,
    locals: Array(chains + 2).fill(v128),
    body: [
      ...Array.from({ length: chains }, (_, i) => fill(1 + i, i)),
      fill(factor, 0.999),
      fill(factor + 1, 0.001),
      code.loop(
        ...Array(unrolled).fill(once.flat()),
        code.get(0),
        code.i32(1),
        code.subtract,
        code.tee(0),
      ),
      code.get(1),
      ...sum,
      code.lane(0),
    ],
  });
}

function instance(bytes) {
  return new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
}

/**
 * Returns a function that runs independent chains of multiply-adds for about `ms` and returns
 * GFLOP/s.
 */
export function fmaProbe(ms = 4) {
  const relaxed = fmaModule(true);
  const { run } = instance(WebAssembly.validate(relaxed) ? relaxed : fmaModule(false));
  let count = 1 << 14;
  // Browsers compile a function that runs often again, with more optimisation.
  for (let i = 0; i < 100; i++) run(count >> 4);
  return () => {
    for (;;) {
      const begin = performance.now();
      run(count);
      const time = performance.now() - begin;
      if (time >= ms / 2) return (flops * count) / time / 1e6;
      count *= 2;
    }
  };
}

/** Returns a function that reads `bytes` once from beginning to end. */
export function readProbe(bytes) {
  const stride = 128;
  const sums = 4;
  const one = (i) => {
    const sum = 2 + (i % sums);
    return [code.get(sum), code.get(0), code.load(16 * i), code.xor, code.set(sum)].flat();
  };
  const { run, memory } = instance(
    assemble({
      parameters: [i32, i32],
      result: f32,
      locals: Array(sums).fill(v128),
      pages: Math.ceil(bytes / 65536) + 1,
      body: [
        code.loop(
          ...Array.from({ length: stride / 16 }, (_, i) => one(i)),
          code.get(0),
          code.i32(stride),
          code.add,
          code.set(0),
          code.get(1),
          code.i32(1),
          code.subtract,
          code.tee(1),
        ),
        code.get(2),
        code.get(3),
        code.xor,
        code.get(4),
        code.xor,
        code.get(5),
        code.xor,
        code.lane(0),
      ],
    }),
  );
  // Pages that were never written are all one page of zeros, which stays in the cache.
  new Uint8Array(memory.buffer).fill(1);
  const steps = Math.ceil(bytes / stride);
  return () => run(0, steps);
}

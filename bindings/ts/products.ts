/** The plain kernels: what attention and models are made of, for whoever needs one alone. */
import {
  boolean,
  checkOptions,
  nameNotFinite,
  number,
  refuse,
  scannedByEngine,
  tensor,
} from "./arguments.js";
import type { Answer, Core } from "./core.js";
import type { Tensor, TensorLike } from "./types.js";

export function matmul(
  core: Core,
  left: TensorLike,
  right: TensorLike,
  options: { transposeB?: boolean } = {},
): Tensor {
  checkOptions("options", options, ["transposeB"]);
  const transposeB =
    options.transposeB === undefined ? false : boolean("transposeB", options.transposeB);
  const a = tensor("a", left, ["M,K"], scannedByEngine);
  const b = tensor("b", right, [transposeB ? "N,K" : "K,N"], scannedByEngine);
  const [m, k] = a.shape as [number, number];
  const n = b.shape[transposeB ? 0 : 1]!;
  if (b.shape[transposeB ? 1 : 0] !== k)
    refuse("b.shape", b.shape, transposeB ? `[N,${k}]: a has ${k} columns` : `[${k},N]`);
  const read = (answer: Answer) => ({ data: answer.floats(), shape: [m, n] });
  return nameNotFinite({ a: left, b: right }, () =>
    core.call("matmul", 0, [m, n, k, transposeB, a.data, b.data], read),
  );
}

export function softmax(core: Core, value: TensorLike): Tensor {
  const { data, shape } = tensor("x", value, undefined, scannedByEngine);
  if (shape.length === 0) refuse("x.shape", shape, "at least one axis");
  const read = (answer: Answer) => ({ data: answer.floats(), shape });
  return nameNotFinite({ x: value }, () => core.call("softmax", 0, [shape.at(-1)!, data], read));
}

export function layerNorm(
  core: Core,
  value: TensorLike,
  options: { weight?: TensorLike; bias?: TensorLike; epsilon?: number } = {},
): Tensor {
  checkOptions("options", options, ["weight", "bias", "epsilon"]);
  const { data, shape } = tensor("x", value, undefined, scannedByEngine);
  if (shape.length === 0) refuse("x.shape", shape, "at least one axis");
  const width = shape.at(-1)!;
  const vector = (name: "weight" | "bias", absent: number): Float32Array => {
    if (options[name] === undefined) return new Float32Array(width).fill(absent);
    const given = tensor(name, options[name], ["E"]);
    return given.shape[0] === width
      ? given.data
      : refuse(`${name}.shape`, given.shape, `[${width}]`);
  };
  const weight = vector("weight", 1);
  const bias = vector("bias", 0);
  const epsilon = options.epsilon === undefined ? 1e-5 : number("epsilon", options.epsilon, 0, 1);
  const read = (answer: Answer) => ({ data: answer.floats(), shape });
  const items = [epsilon, data, weight, bias];
  return nameNotFinite({ x: value }, () => core.call("layerNorm", 0, items, read));
}

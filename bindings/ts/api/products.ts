/** The plain kernels: what attention and models are made of, for whoever needs one alone. */

import type { Engine, Matrix, Operand, Tensor } from "../types/index.js";
import { boolean, checkOptions, nameNotFinite, number, outOf, refuse } from "../wire/arguments.js";
import type { Answer, Core } from "../wire/core.js";
import { Handle } from "../wire/handle.js";
import { type OperandData, operand } from "./tensors.js";

const noFloats = new Float32Array(0);

interface RightOperand {
  data: OperandData;
  k: number;
  n: number;
  transposeB: boolean;
}

function rightOperand(core: Core, value: Operand, transpose: unknown): RightOperand {
  const transposeB = transpose === undefined ? false : boolean("transposeB", transpose);
  const { data, shape } = operand(core, "b", value, [transposeB ? "N,K" : "K,N"]);
  const [rows, columns] = shape as [number, number];
  return transposeB
    ? { data, k: columns, n: rows, transposeB }
    : { data, k: rows, n: columns, transposeB };
}

export class MatrixHandle extends Handle implements Matrix {
  readonly shape: readonly [k: number, n: number];

  constructor(core: Core, value: Operand, options: { transposeB?: boolean } = {}) {
    checkOptions("options", options, ["transposeB"]);
    const { data, k, n, transposeB } = rightOperand(core, value, options.transposeB);
    const make = () => core.make("makeMatrix", 0, [n, k, transposeB, data]);
    super(core, nameNotFinite({ b: value }, make), "matrix");
    this.shape = Object.freeze([k, n] as const);
  }
}

export function matmul(
  core: Core,
  left: Operand,
  right: Operand | Matrix,
  options: Parameters<Engine["matmul"]>[2] = {},
): Tensor {
  checkOptions("options", options, ["transposeB", "out"]);
  const a = operand(core, "a", left, ["M,K"]);
  const [m, columns] = a.shape as [number, number];
  let b: RightOperand = { data: noFloats, k: 0, n: 0, transposeB: false };
  let matrix = 0;
  if (right instanceof MatrixHandle) {
    if (!right.belongsTo(core)) refuse("b", right, "a matrix of the same engine");
    if (options.transposeB !== undefined)
      refuse("transposeB", options.transposeB, "undefined: wf.matrix was told");
    const [k, n] = right.shape;
    b = { ...b, k, n };
    matrix = right.address;
  } else b = rightOperand(core, right as Operand, options.transposeB);
  const { k, n, transposeB } = b;
  if (k !== columns)
    refuse(
      "b.shape",
      right.shape,
      `${transposeB ? `[N,${columns}]` : `[${columns},N]`}: a has ${columns} columns`,
    );
  const out = outOf(options.out, m * n);
  const items = [m, n, k, transposeB, a.data, b.data, matrix];
  const read = (answer: Answer) => ({ data: answer.floats(out), shape: [m, n] });
  return nameNotFinite({ a: left, b: right }, () => core.call("matmul", 0, items, read));
}

/** Floats of a piece that stays in the processor's own memory, where it is read several times. */
const pieceFloats = 1 << 15;

/**
 * What `change` makes of the rows of a tensor, a few at a time, in `out` or an array of its own. `beside`
 * are the other lists that it reads.
 */
export function changedRows(
  core: Core,
  value: { data: OperandData; shape: number[] },
  rowLength: number,
  given: Tensor | Float32Array | undefined,
  beside: readonly OperandData[],
  change: (rows: OperandData, first: number, out: Float32Array) => void,
): Tensor {
  const { data, shape } = value;
  const out = outOf(given, data.length) ?? core.floats(data.length);
  // A piece that is written must not be one that is read later.
  const isApart = (list: OperandData) => !("buffer" in list) || list.buffer !== out.buffer;
  const mayCut =
    (isApart(data) || (data as Float32Array).byteOffset === out.byteOffset) &&
    beside.every(isApart);
  const rows = mayCut ? Math.max(1, Math.floor(pieceFloats / rowLength)) : data.length / rowLength;
  const step = rows * rowLength;
  for (let first = 0; first < data.length; first += step) {
    const piece = data.subarray(first, first + step);
    change(piece, first / rowLength, out.subarray(first, first + step));
  }
  return { data: out, shape };
}

export function softmax(
  core: Core,
  value: Operand,
  options: Parameters<Engine["softmax"]>[1] = {},
): Tensor {
  checkOptions("options", options, ["out"]);
  const x = operand(core, "x", value);
  const width = x.shape.at(-1) ?? refuse("x.shape", x.shape, "at least one axis");
  return nameNotFinite({ x: value }, () =>
    changedRows(core, x, width, options.out, [], (rows, _, out) =>
      core.change("softmax", 0, [width, rows], out),
    ),
  );
}

export function layerNorm(
  core: Core,
  value: Operand,
  options: Parameters<Engine["layerNorm"]>[1] = {},
): Tensor {
  checkOptions("options", options, ["weight", "bias", "epsilon", "out"]);
  const x = operand(core, "x", value);
  const width = x.shape.at(-1) ?? refuse("x.shape", x.shape, "at least one axis");
  const vector = (name: "weight" | "bias", absent: number): OperandData => {
    const vectorGiven = options[name];
    if (vectorGiven === undefined) return new Float32Array(width).fill(absent);
    const { data, shape } = operand(core, name, vectorGiven, ["E"]);
    return shape[0] === width ? data : refuse(`${name}.shape`, shape, `[${width}]`);
  };
  const weight = vector("weight", 1);
  const bias = vector("bias", 0);
  const epsilon = options.epsilon === undefined ? 1e-5 : number("epsilon", options.epsilon, 0, 1);
  return nameNotFinite({ x: value, weight: options.weight, bias: options.bias }, () =>
    changedRows(core, x, width, options.out, [weight, bias], (rows, _, out) =>
      core.change("layerNorm", 0, [epsilon, weight, bias, rows], out),
    ),
  );
}

/** The plain kernels (products, norms, activations …), for callers that need one alone. */

import type { Matrix as RawMatrix } from "../generated/module.js";
import type {
  Engine,
  EngineTensor,
  Matrix,
  Operand,
  Out,
  Tensor,
  TensorLike,
} from "../types/index.js";
import { boolean, checkOptions, number, refuse } from "../wire/arguments.js";
import { type Core, countOf, space, spaceOfFloats } from "../wire/core.js";
import { keepFromProxies } from "../wire/error.js";
import { guard } from "../wire/guard.js";
import { EngineObject } from "../wire/handle.js";
import { nameNotFinite, outOf } from "../wire/lists.js";
import { changedRows } from "./rows.js";
import { type OperandData, operand, TensorHandle } from "./tensors.js";

interface RightOperand {
  data: OperandData;
  k: number;
  n: number;
  transposeB: boolean;
}

function rightOperand(core: Core, value: Operand, transpose: unknown): RightOperand {
  const transposeB = transpose === undefined ? false : boolean("transposeB", transpose);
  const { data, shape } = operand(core, "b", value, [transposeB ? "[N,K]" : "[K,N]"]);
  const [rows, columns] = shape as [number, number];
  return transposeB
    ? { data, k: columns, n: rows, transposeB }
    : { data, k: rows, n: columns, transposeB };
}

export class MatrixHandle extends EngineObject<RawMatrix> implements Matrix {
  readonly shape: readonly [k: number, n: number];

  constructor(core: Core, value: Operand, options: { transposeB?: boolean } = {}) {
    checkOptions("options", options, ["transposeB"]);
    const { data, k, n, transposeB } = rightOperand(core, value, options.transposeB);
    const made = nameNotFinite({ b: data }, () =>
      core.run(space(data), (raw) =>
        core.made(raw.Matrix.make(k, n, transposeB, core.put(data), countOf(data))),
      ),
    );
    super(core, made, "matrix");
    this.shape = Object.freeze([k, n] as const);
  }
}

/** Calls that need no object of the engine. */
export class PlainCalls {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  matmul(
    left: Operand,
    right: Operand | Matrix,
    options: Parameters<Engine["matmul"]>[2] = {},
  ): Tensor {
    checkOptions("options", options, ["transposeB", "out"]);
    const core = this.#core;
    const { transposeB } = options;
    const { data: a, shape } = operand(core, "a", left, ["[M,K]"]);
    const [m, columns] = shape as [number, number];
    const isMatrix = right instanceof MatrixHandle;
    if (isMatrix && !right.belongsTo(core)) refuse("b", right, "a matrix of the same engine");
    if (isMatrix && transposeB !== undefined)
      refuse("transposeB", transposeB, "undefined; set transposeB in wf.matrix instead");
    const b = isMatrix ? undefined : rightOperand(core, right as Operand, transposeB);
    const [k, n] = isMatrix ? right.shape : [b!.k, b!.n];
    if (k !== columns)
      refuse(
        "b.shape",
        isMatrix ? right.shape : b!.transposeB ? [n, k] : [k, n],
        `${b?.transposeB ? `[N,${columns}]` : `[${columns},N]`}, since a has ${columns} columns`,
      );
    const count = m * n;
    const out = outOf(options.out, count);
    const matrix = isMatrix ? right.raw : undefined;
    const bytes = space(a) + (b ? space(b.data) : 0) + spaceOfFloats(count);
    const data = nameNotFinite({ a, b: b?.data }, () =>
      core.run(bytes, (raw) => {
        const at = core.room(count);
        core.check(
          b
            ? raw.matmul(
                m,
                n,
                k,
                b.transposeB,
                core.put(a),
                countOf(a),
                core.put(b.data),
                countOf(b.data),
                at,
                count,
              )
            : matrix!.multiply(m, core.put(a), countOf(a), at, count),
        );
        return core.take(at, count, out);
      }),
    );
    return { data, shape: [m, n] };
  }

  matrix(b: Operand, options?: { transposeB?: boolean }): Matrix {
    return new MatrixHandle(this.#core, b, options);
  }

  tensor(value: TensorLike): EngineTensor {
    return new TensorHandle(this.#core, value);
  }

  softmax(value: Operand, options: { out?: Out } = {}): Tensor {
    checkOptions("options", options, ["out"]);
    const core = this.#core;
    const x = rowsOf(core, value);
    return nameNotFinite({ x: x.data }, () =>
      changedRows(core, "x", x, x.width, options.out, [], (raw, at, length) =>
        raw.softmax(x.width, at, length),
      ),
    );
  }

  layerNorm(value: Operand, options: Parameters<Engine["layerNorm"]>[1] = {}): Tensor {
    checkOptions("options", options, ["weight", "bias", "epsilon", "out"]);
    const core = this.#core;
    const x = rowsOf(core, value);
    const weight = vector(core, "weight", options.weight, x.width, 1);
    const bias = vector(core, "bias", options.bias, x.width, 0);
    const epsilon = epsilonOf(options.epsilon);
    return nameNotFinite({ x: x.data, weight, bias }, () =>
      changedRows(
        core,
        "x",
        x,
        x.width,
        options.out,
        [weight, bias],
        (raw, at, length, _, [w, b]) =>
          raw.layerNorm(epsilon, w!, countOf(weight), b!, countOf(bias), at, length),
      ),
    );
  }

  rmsNorm(
    value: Operand,
    factors?: Operand,
    options: Parameters<Engine["rmsNorm"]>[2] = {},
  ): Tensor {
    checkOptions("options", options, ["epsilon", "out"]);
    const core = this.#core;
    const x = rowsOf(core, value);
    const weight = vector(core, "weight", factors, x.width, 1);
    const epsilon = epsilonOf(options.epsilon);
    return nameNotFinite({ x: x.data, weight }, () =>
      changedRows(core, "x", x, x.width, options.out, [weight], (raw, at, length, _, [w]) =>
        raw.rmsNorm(epsilon, w!, countOf(weight), at, length),
      ),
    );
  }

  memory(): number {
    return this.#core.run(0, (raw) => raw.memoryBytes());
  }
}

keepFromProxies(PlainCalls);
guard(PlainCalls, {
  matmul: 3,
  matrix: 2,
  tensor: 1,
  softmax: 2,
  layerNorm: 2,
  rmsNorm: 3,
  memory: 0,
});

/** An operand as rows along its last axis, with their width. */
function rowsOf(core: Core, value: Operand) {
  const { data, shape } = operand(core, "x", value);
  const width = shape.at(-1) ?? refuse("x.shape", shape, "at least one axis");
  return { data, shape, width };
}

/** One number for each column; `absent` if none are given. */
function vector(
  core: Core,
  name: string,
  given: Operand | undefined,
  width: number,
  absent: number,
): OperandData {
  if (given === undefined) return new Float32Array(width).fill(absent);
  const { data, shape } = operand(core, name, given, ["E"]);
  return shape[0] === width ? data : refuse(`${name}.shape`, shape, `[${width}]`);
}

const epsilonOf = (given: number | undefined): number =>
  given === undefined ? 1e-5 : number("epsilon", given, 0, 1);

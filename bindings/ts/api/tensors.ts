/** Operands of the plain calls: arrays of the caller, or tensors that stay in the engine's memory. */

import type { EngineTensor, Operand, Out, Tensor, TensorLike } from "../types/index.js";
import {
  checkOptions,
  checkRank,
  nameNotFinite,
  outOf,
  refuse,
  scannedByEngine,
  tensor,
} from "../wire/arguments.js";
import { type Core, EngineFloats } from "../wire/core.js";
import { Handle } from "../wire/handle.js";

export type OperandData = Float32Array | EngineFloats;

export class TensorHandle extends Handle implements EngineTensor {
  readonly shape: readonly number[];
  readonly #floats: EngineFloats;
  /** @internal Holds -Infinity, as a mask may. */
  readonly hides: boolean;

  constructor(core: Core, value: TensorLike) {
    const { data, shape } = tensor("value", value, undefined, scannedByEngine);
    const [address, first, hides] = nameNotFinite({ value }, () =>
      core.call("makeTensor", 0, [data], (answer) => [
        answer.number(),
        answer.number(),
        answer.number(),
      ]),
    ) as [number, number, number];
    super(core, address, "tensor");
    this.#floats = new EngineFloats(first, data.length);
    this.hides = hides !== 0;
    this.shape = Object.freeze(shape);
  }

  /** @internal Errors: disposed. */
  get floats(): EngineFloats {
    void this.address;
    return this.#floats;
  }

  read(options: { out?: Out } = {}): Tensor {
    checkOptions("options", options, ["out"]);
    const { floats } = this;
    const out = outOf(options.out, floats.length) ?? this.core.floats(floats.length);
    this.core.read(floats, out);
    return { data: out, shape: [...this.shape] };
  }
}

/** Numbers of a tensor of the engine; those of a mask may be -Infinity. */
export function floatsIn(core: Core, argument: string, value: TensorHandle, mayHide = false) {
  if (!value.belongsTo(core)) refuse(argument, value, "a tensor of the same engine");
  if (value.hides && !mayHide) refuse(argument, value, "a tensor of finite numbers");
  return value.floats;
}

/** A dense tensor of finite numbers, whose rank is one of those allowed, wherever it lies. */
export function operand(
  core: Core,
  argument: string,
  value: Operand,
  allowed?: readonly string[],
): { data: OperandData; shape: number[] } {
  if (!(value instanceof TensorHandle)) return tensor(argument, value, allowed, scannedByEngine);
  const shape = [...value.shape];
  checkRank(argument, shape, allowed);
  return { data: floatsIn(core, argument, value), shape };
}

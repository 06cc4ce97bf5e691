/** Operands of the plain calls: the caller's arrays, or tensors in the engine's memory. */

import type { Tensor as RawTensor } from "../generated/module.js";
import type { EngineTensor, Operand, Out, Tensor, TensorLike } from "../types/index.js";
import { checkOptions, refuse } from "../wire/arguments.js";
import { lengthOf, part } from "../wire/arrays.js";
import { type Core, EngineFloats, space } from "../wire/core.js";
import { guard } from "../wire/guard.js";
import { EngineObject } from "../wire/handle.js";
import { checkRank, nameNotFinite, outOf, scannedByEngine, tensor } from "../wire/lists.js";

export type OperandData = Float32Array | EngineFloats;

/** A slice of an operand or a mask, as a view. */
export const partOf = <T extends OperandData | Uint8Array>(
  data: T,
  first: number,
  end: number,
): T => (data instanceof EngineFloats ? data.part(first, end) : part(data, first, end)) as T;

export class TensorHandle extends EngineObject<RawTensor> implements EngineTensor {
  readonly shape: readonly number[];
  readonly #floats: EngineFloats;
  /** @internal Whether it contains -Infinity, as a mask may. */
  readonly hides: boolean;

  constructor(core: Core, value: TensorLike) {
    const { data, shape } = tensor("value", value, undefined, scannedByEngine);
    const count = lengthOf(data);
    const made = nameNotFinite({ value: data }, () =>
      core.run(space(data), (raw) => core.made(raw.Tensor.make(core.put(data), count))),
    );
    super(core, made, "tensor");
    this.#floats = new EngineFloats(this, made.address(), count);
    this.hides = made.hides();
    this.shape = Object.freeze(shape);
  }

  /** @internal Errors: disposed. */
  get floats(): EngineFloats {
    void this.raw;
    return this.#floats;
  }

  read(options: { out?: Out } = {}): Tensor {
    checkOptions("options", options, ["out"]);
    const out = outOf(options.out, this.#floats.length);
    const { core, floats } = this;
    const data = core.run(0, () => core.take(floats.address, floats.length, out));
    return { data, shape: [...this.shape] };
  }
}

guard(TensorHandle, { read: 1 });

/** The numbers of a tensor of the engine; those of a mask may be -Infinity. */
export function floatsIn(core: Core, argument: string, value: TensorHandle, mayHide = false) {
  if (!value.belongsTo(core)) refuse(argument, value, "a tensor of the same engine");
  if (value.hides && !mayHide)
    refuse(argument, value, "a tensor of finite numbers; this one has -Infinity");
  return value.floats;
}

/** Checks a dense tensor of finite numbers whose rank is one of those allowed. */
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

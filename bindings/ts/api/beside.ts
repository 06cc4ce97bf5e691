/**
 * Side inputs of a model's run (states of another sequence, ablations) as objects of the engine.
 */

import type { Ablations, Memory, Model as RawModel } from "../generated/module.js";
import type { Tensor } from "../types/index.js";
import { type Core, space } from "../wire/core.js";
import type { LayerAblations } from "./surgery.js";

/** States of the other sequence, `[S,E]`. */
export interface States extends Tensor {
  /** 0 for hidden positions; empty if all are visible. */
  visible: Uint8Array;
}

/** Returns body's result for another sequence's states; the body gets null if there are none. */
export function withMemory<T>(
  core: Core,
  model: RawModel,
  states: States | undefined,
  body: (memory: Memory | null) => T,
): T {
  if (!states) return body(null);
  const { data, shape, visible } = states;
  const made = core.run(space(data) + space(visible), (raw) => {
    const [numbers, seen] = [core.put(data), core.put(visible)];
    const { length } = visible;
    return core.made(raw.Memory.make(model, numbers, data.length, shape[0]!, seen, length));
  });
  return core.using(made, body);
}

/**
 * Returns body's result for the ablations of a model's layers; the body gets null if there are
 * none.
 */
export function withAblations<T>(
  core: Core,
  model: RawModel,
  layers: LayerAblations,
  body: (ablations: Ablations | null) => T,
): T {
  if (!layers.length) return body(null);
  const made = core.run(0, (raw) => core.made(raw.Ablations.make(layers.length)));
  return core.using(made, (ablations) => {
    layers.forEach((list, layer) => {
      if (list.length)
        core.run(space(list), () =>
          core.check(ablations.setLayer(model, layer, core.put(list), list.length)),
        );
    });
    return body(ablations);
  });
}

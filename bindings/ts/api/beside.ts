/** What stands beside a text while a model reads it, as objects of the engine. */

import type { Cuts, Memory, Model as RawModel } from "../generated/module.js";
import type { Tensor } from "../types/index.js";
import { type Core, space } from "../wire/core.js";
import type { LayerCuts } from "./surgery.js";

/** Of another sequence `[S,E]`. */
export interface States extends Tensor {
  /** 0 for those that nobody reads, or none where all are read. */
  visible: Uint8Array;
}

/** What a body makes of another sequence's states: null where there are none. */
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

/** What a body makes of what is cut out of a model's layers: null where that is nothing. */
export function withCuts<T>(
  core: Core,
  model: RawModel,
  layers: LayerCuts,
  body: (cuts: Cuts | null) => T,
): T {
  if (!layers.length) return body(null);
  const made = core.run(0, (raw) => core.made(raw.Cuts.make(layers.length)));
  return core.using(made, (cuts) => {
    layers.forEach((list, layer) => {
      if (list.length)
        core.run(space(list), () =>
          core.check(cuts.setLayer(model, layer, core.put(list), list.length)),
        );
    });
    return body(cuts);
  });
}

/** What stands beside a text while a model reads it, as objects of the engine. */

import type { Cuts, Memory, Model as RawModel } from "../generated/module.js";
import type { Tensor } from "../types/index.js";
import { type Core, space } from "../wire/core.js";
import type { LayerCuts } from "./surgery.js";

/** What a body makes of another sequence's states `[S,E]`: null where there are none. */
export function withMemory<T>(
  core: Core,
  model: RawModel,
  states: Tensor | undefined,
  body: (memory: Memory | null) => T,
): T {
  if (!states) return body(null);
  const { data, shape } = states;
  const made = core.run(space(data), (raw) =>
    core.made(raw.Memory.make(model, core.put(data), data.length, shape[0]!)),
  );
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

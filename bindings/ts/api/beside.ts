/**
 * Side inputs of a model's run (states of another sequence, surgery) as objects of the engine.
 */

import type { Ablations, Memory, Model as RawModel } from "../generated/module.js";
import type { Tensor } from "../types/index.js";
import { type Core, space } from "../wire/core.js";
import type { Changes } from "./states.js";

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

/** Returns body's result for changes of a model; the body gets null if there are none. */
export function withChanges<T>(
  core: Core,
  model: RawModel,
  { numLayers, ablations, states: { heads, patches } }: Changes,
  body: (changes: Ablations | null) => T,
): T {
  if (!ablations.length && !heads.length && !patches.length) return body(null);
  const made = core.run(0, (raw) => core.made(raw.Ablations.make(numLayers, patches.length)));
  return core.using(made, (changes) => {
    ablations.forEach((list, layer) => {
      if (list.length)
        core.run(space(list), () =>
          core.check(changes.setLayer(model, layer, core.put(list), list.length)),
        );
    });
    if (heads.length)
      core.run(space(heads), () => core.check(changes.setHeads(model, core.list(heads))));
    for (const { layer, head, rows, values } of patches)
      core.run(space(rows) + space(values), () =>
        core.check(changes.addPatch(model, layer, head, core.list(rows), core.list(values))),
      );
    return body(changes);
  });
}

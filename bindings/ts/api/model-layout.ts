/** A model's sizes and layers as an object of the engine. */

import type { ModelArguments } from "../config/model-config.js";
import type { ModelLayout } from "../generated/module.js";
import { type Core, space } from "../wire/core.js";
import { withChoice } from "./scheme-choice.js";

/** Returns body's result for a layout, which is freed afterwards. */
export function withLayout<T>(
  core: Core,
  sizes: ModelArguments,
  body: (layout: ModelLayout) => T,
): T {
  const made = core.run(0, (raw) => core.made(raw.ModelLayout.make(sizes)));
  return core.using(made, (layout) => {
    const cutoffs = Int32Array.from(sizes.architecture.cutoffs);
    if (cutoffs.length)
      core.run(space(cutoffs), () =>
        core.check(layout.setCutoffs(core.put(cutoffs), cutoffs.length)),
      );
    for (const layerType of sizes.types) {
      core.run(0, () => core.check(layout.addLayerType(layerType)));
      for (const { choice } of layerType.schemes)
        withChoice(core, choice, (chosen) =>
          core.run(0, () => core.check(layout.addScheme(chosen))),
        );
    }
    const indices = Uint8Array.from(sizes.typeOfLayer);
    core.run(space(indices), () =>
      core.check(layout.setLayerTypes(core.put(indices), indices.length)),
    );
    return body(layout);
  });
}

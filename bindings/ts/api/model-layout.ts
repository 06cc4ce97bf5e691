/** A model's sizes and layers as an object of the engine. */

import type { ArchitectureArguments } from "../config/architecture.js";
import { engineValues, type Values } from "../config/fields.js";
import type { SchemeChoice } from "../config/scheme-options.js";
import { architectureFields, layerTypeFields, modelFields } from "../generated/fields.js";
import type { ModelLayout } from "../generated/module.js";
import { type Core, space } from "../wire/core.js";
import { withChoice } from "./scheme-choice.js";

/** The part of a config that the engine reads. */
export interface LayoutArguments extends Values<typeof modelFields> {
  architecture: ArchitectureArguments;
  types: readonly (Values<typeof layerTypeFields> & {
    schemes: readonly { choice: SchemeChoice }[];
  })[];
  typeOfLayer: readonly number[];
}

/** Returns body's result for a layout, which is freed afterwards. */
export function withLayout<T>(
  core: Core,
  sizes: LayoutArguments,
  body: (layout: ModelLayout) => T,
): T {
  const engineSizes = {
    ...engineValues(modelFields, sizes),
    architecture: engineValues(architectureFields, sizes.architecture),
  };
  const made = core.run(0, (raw) => core.made(raw.ModelLayout.make(engineSizes)));
  return core.using(made, (layout) => {
    const cutoffs = Int32Array.from(sizes.architecture.cutoffs);
    if (cutoffs.length)
      core.run(space(cutoffs), () =>
        core.check(layout.setCutoffs(core.put(cutoffs), cutoffs.length)),
      );
    for (const layerType of sizes.types) {
      const engineType = engineValues(layerTypeFields, layerType);
      core.run(0, () => core.check(layout.addLayerType(engineType)));
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

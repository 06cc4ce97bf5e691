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
    const { architecture } = sizes;
    if (architecture) {
      core.run(0, () => core.check(layout.setArchitecture(architecture)));
      const cutoffs = Int32Array.from(architecture.cutoffs);
      if (cutoffs.length)
        core.run(space(cutoffs), () =>
          core.check(layout.setCutoffs(core.put(cutoffs), cutoffs.length)),
        );
    }
    for (const { schemes, slidingWindow, chunkSize, queryKeyNorm } of sizes.stacks) {
      core.run(0, () => core.check(layout.addStack(slidingWindow, chunkSize, queryKeyNorm)));
      for (const { choice } of schemes)
        withChoice(core, choice, (chosen) =>
          core.run(0, () => core.check(layout.addScheme(chosen))),
        );
    }
    const kinds = Uint8Array.from(sizes.stackOf);
    core.run(space(kinds), () => core.check(layout.setStackOf(core.put(kinds), kinds.length)));
    return body(layout);
  });
}

/** What a config says a model is, without the model's weights. */

import { withChoice } from "../api/scheme-choice.js";
import { completedConfig, type ModelArguments } from "../config/model-config.js";
import type { Scheme } from "../generated/module.js";
import type { Model } from "../types/index.js";
import type { Core } from "../wire/core.js";

/** Completes a config with the default of every option, which the schemes themselves know. */
export function configOfSizes(core: Core, sizes: ModelArguments): Model["config"] {
  const { numHeads, numKvHeads, headDim, hiddenSize: width } = sizes;
  const shape = { numHeads, numKvHeads, headDim, valueDim: 0, width };
  const made: Scheme[][] = [];
  try {
    for (const { schemes } of sizes.types) {
      const ofType: Scheme[] = [];
      made.push(ofType);
      for (const { choice } of schemes)
        ofType.push(
          withChoice(core, choice, (chosen) =>
            core.run(0, (raw) => core.made(raw.Scheme.make(chosen, shape))),
          ),
        );
    }
    return core.run(0, () =>
      completedConfig(sizes, (type, scheme, option) =>
        core.takeDoubles(made[type]![scheme]!.option(option)),
      ),
    );
  } finally {
    for (const scheme of made.flat()) core.free(scheme);
  }
}

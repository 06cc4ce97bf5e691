/** A scheme and its options as an object of the engine. */

import type { SchemeChoice } from "../config/scheme-options.js";
import type { ChosenScheme } from "../generated/module.js";
import { type Core, space } from "../wire/core.js";

/** Returns body's result for a chosen scheme, which is freed afterwards. */
export function withChoice<T>(
  core: Core,
  { scheme, options }: SchemeChoice,
  body: (chosen: ChosenScheme) => T,
): T {
  const made = core.run(0, (raw) => core.made(raw.ChosenScheme.make(scheme)));
  return core.using(made, (chosen) => {
    for (const { index, numbers } of options)
      core.run(space(numbers), () =>
        core.check(chosen.setOption(index, core.put(numbers), numbers.length)),
      );
    return body(chosen);
  });
}

/** Code that reproduces the frequencies of a config.json. */
import type { PairsAnswer } from "../../../engine/both/element-messages.js";

/** Prints the rotation of every pair per position, in radians. */
export const pairsCode = ({
  config,
  length,
}: PairsAnswer): string => `import { load } from "whereformer";

const wf = await load();
const config = ${JSON.stringify(config, null, 2)};
const scheme = wf.schemeFromConfig(config);
const { inverseFrequencies } = scheme.frequencies(${length});
for (const [pair, radians] of inverseFrequencies.entries())
  console.log("pair", pair + 1, "tokens a turn", (2 * Math.PI) / radians, "radians", radians);
`;

/** Code that reproduces the frequencies of the figure. */
import { longropeFactor, ropeTypeOf, sightedScheme } from "../../defaults.js";
import type { StretchAnswer } from "./messages.js";

function scalingText({ method, factor, length, ramp, longFactor }: StretchAnswer): string {
  if (method === "none") return "";
  const searched = longFactor
    ? `\n    shortFactor: [${longFactor.map(() => 1).join(", ")}],\n    longFactor: [${longFactor.join(", ")}],`
    : "";
  // The list was searched for one factor, whatever the text's length.
  const whole = longFactor ? longropeFactor : factor;
  return `
  maxPositionEmbeddings: ${longFactor ? whole * length : length},
  ropeScaling: {
    ropeType: "${ropeTypeOf(method)}", factor: ${whole}, originalMaxPositionEmbeddings: ${length},
    betaFast: ${ramp[0]}, betaSlow: ${ramp[1]},${searched}
  },`;
}

export function stretchCode(answer: StretchAnswer): string {
  const { headDim, theta, factor, length } = answer;
  return `import { load } from "whereformer";

const wf = await load();
const shape = { numHeads: 1, headDim: ${headDim}, ropeTheta: ${theta} };
const trained = wf.scheme("${sightedScheme}", shape).frequencies();
const stretched = wf.scheme("${sightedScheme}", { ...shape,${scalingText(answer)}
}).frequencies(${factor * length});
for (const [pair, radians] of stretched.inverseFrequencies.entries())
  console.log("pair", pair + 1, "a turn in", (2 * Math.PI) / radians, "tokens, divided by",
    trained.inverseFrequencies[pair] / radians);
console.log("scores times", stretched.attentionFactor ** 2);
`;
}

/** Code that reproduces the strengths of a head's pairs. */
import { ghostSizes, type Language, sightedScheme } from "../../defaults.js";
import { modelsCode } from "../shared/exports/code.js";

const { layer, head, sampled, sampledRows } = ghostSizes;

/** Prints tokens a turn, strength, and the turn after which it is highest, of each pair. */
export function headScoreCode(language: Language): string {
  return `${modelsCode}
const text = await (await fetch(new URL("heldout/${language}.txt", models))).text();
const ids = encode(text.slice(0, 20000)).slice(0, ${sampled});
const model = await wf.model(new URL("${sightedScheme}/", models));
const rows = Array.from({ length: ${sampledRows} }, (_, i) => ${sampled - sampledRows} + i);
const region = { layers: [${layer}], heads: [${head}], rows };
const { data } = model.run(ids, { record: ["pairs"], region }).pairs;
const { numHeads, headDim } = model.config;
const { inverseFrequencies } = wf.scheme("${sightedScheme}", { numHeads, headDim }).frequencies();
const count = inverseFrequencies.length;
for (const [pair, radians] of inverseFrequencies.entries()) {
  let [cc, cs, ss, cv, sv] = [0, 0, 0, 0, 0];
  for (let distance = 0; distance <= ${sampled - sampledRows}; distance++) {
    let mean = 0;
    for (const [at, row] of rows.entries())
      mean += data[(at * ${sampled} + row - distance) * count + pair] / rows.length;
    const [c, s] = [Math.cos(radians * distance), Math.sin(radians * distance)];
    cc += c * c; cs += c * s; ss += s * s; cv += c * mean; sv += s * mean;
  }
  const [a, b] = [(cv * ss - sv * cs), (sv * cc - cv * cs)].map((x) => x / (cc * ss - cs * cs));
  const start = (Math.atan2(b, a) / (2 * Math.PI) + 1) % 1;
  console.log((2 * Math.PI) / radians, Math.hypot(a, b), start);
}
`;
}

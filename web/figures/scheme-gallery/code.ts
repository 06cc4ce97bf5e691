/** Code that reproduces the open scheme's numbers, as text to copy. */
import { galleryModel } from "../../defaults.js";
import { nested, type OptionValues } from "../../engine/both/scheme-options.js";
import { config, list } from "../shared/exports/code.js";
import type { Portrait } from "./portrait-picture.js";

/**
 * Returns code for the gallery's model with one scheme: the terms of the marked logit, and their
 * sum.
 */
export function portraitCode({ answer, head, active }: Portrait, options: OptionValues): string {
  const { scheme, ids, labels, isCausal } = answer;
  const spec = JSON.stringify({ id: scheme, options: nested(options) });
  return `import { load } from "whereformer";

const wf = await load();
const model = await wf.model({
${config({ ...galleryModel, isCausal })}
  scheme: ${spec},
});
const ids = ${list(ids)}; // ${labels.join(" ")}
const { terms, logits } = model.run(ids, {
  record: ["terms", "logits"],
  region: { heads: [${head}], rows: [${active.row}], columns: [${active.column}] },
});
for (const [name, { data }] of Object.entries(terms)) console.log(name, data[0]);
console.log("sum", logits.data[0]);
`;
}

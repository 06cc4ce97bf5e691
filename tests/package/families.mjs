// How far an engine is from the models of families that Transformers made (tests/golden/families).

import { readFileSync } from "node:fs";
import { safetensors } from "./safetensors.mjs";

const folder = new URL("../golden/families/", import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8"));

export const manifest = () => read("manifest");
export const names = Object.keys(manifest());

/** A file of `families`, with weights as numbers. */
export function familyFile(name) {
  const file = read(name);
  const weights = Object.fromEntries(
    Object.entries(file.weights).map(([tensor, { shape, data }]) => {
      const bytes = Buffer.from(data, "base64");
      const steps = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
      return [tensor, { shape, data: Float32Array.from(steps, (step) => step / file.unit) }];
    }),
  );
  return { ...file, weights };
}

export const modelOf = (wf, { config, weights }) =>
  wf.model({ config, weights: safetensors(weights) });

/** NaN counts as farthest. */
function farthest(actual, expected) {
  if (actual.length !== expected.length) return Number.POSITIVE_INFINITY;
  return expected.reduce((most, value, i) => {
    const distance = Math.abs(actual[i] - value);
    return Math.max(distance, most);
  }, 0);
}

/** The largest deviation of each quantity that a file has. */
export async function deviations(wf, name) {
  const file = familyFile(name);
  const model = await modelOf(wf, file);
  const isHidden = file.output === "hidden";
  const record = isHidden ? "hidden" : "vocabularyLogits";
  const result = model.run(file.ids, { record: [record, "weights"] });
  const found = {
    output: farthest(result[record].data, file.result.data),
    attention: farthest(result.weights.data, file.attention.data),
  };
  if (file.loss !== undefined) found.loss = Math.abs(model.loss(file.ids).mean - file.loss);
  model.dispose();
  return found;
}

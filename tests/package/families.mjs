// Measures deviations from models of families that Transformers computed (tests/golden/families).

import { readFileSync } from "node:fs";
import { weightsIn } from "./made-weights.mjs";
import { safetensors } from "./safetensors.mjs";

const folder = new URL("../golden/families/", import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8"));

export const manifest = () => read("manifest");
export const names = Object.keys(manifest());

/** Reads a file of `families`, with weights as numbers. */
export function familyFile(name) {
  const file = read(name);
  return { ...file, weights: weightsIn(file) };
}

/** Opens a family's model; `stored` is the type of numbers in the file that it is read from. */
export const modelOf = (wf, { config, weights }, options = {}, stored = "F32") =>
  wf.model({ config, weights: safetensors(weights, stored) }, options);

/**
 * Returns the decoder's text of an encoder-decoder model as options of run and loss; nothing for
 * other models.
 */
export const textOfDecoder = ({ config, labels }) =>
  labels
    ? {
        decoderTokens: { decoderTokens: [config.decoder_start_token_id, ...labels.slice(0, -1)] },
        labels: { labels },
      }
    : {};

/** NaN counts as an infinite deviation. */
function farthest(actual, expected) {
  if (actual.length !== expected.length) return Number.POSITIVE_INFINITY;
  return expected.reduce((most, value, i) => {
    const distance = Math.abs(actual[i] - value);
    return Math.max(distance, most);
  }, 0);
}

/** Returns the largest deviation of each quantity in a file; arguments as for modelOf. */
export async function deviations(wf, name, options, stored) {
  const file = familyFile(name);
  const model = await modelOf(wf, file, options, stored);
  const { decoderTokens, labels } = textOfDecoder(file);
  const isHidden = file.output === "hidden";
  const record = isHidden ? "hidden" : "vocabularyLogits";
  const result = model.run(file.ids, { record: [record, "weights"], ...decoderTokens });
  const found = {
    output: farthest(result[record].data, file.result.data),
    attention: farthest(result.weights.data, file.attention.data),
  };
  if (file.loss !== undefined) found.loss = Math.abs(model.loss(file.ids, labels).mean - file.loss);
  if (file.cross) {
    const encoded = model.encode(file.ids, { record: ["hidden", "weights"] });
    found.cross = farthest(result.cross.weights.data, file.cross.data);
    found.encoderHidden = farthest(encoded.hidden.data, file.encoderHidden.data);
    found.encoderAttention = farthest(encoded.weights.data, file.encoderAttention.data);
  }
  model.dispose();
  return found;
}

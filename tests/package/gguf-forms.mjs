// Computes with tiny models in both forms: config.json with safetensors, and GGUF.

import { ggufBytes } from "./gguf-bytes.mjs";
import { wf } from "./golden.mjs";
import { safetensors } from "./safetensors.mjs";

const recordOf = (arch) => (arch === "bert" ? "hidden" : "vocabularyLogits");

export function numbersOf(model, arch, ids) {
  const record = recordOf(arch);
  const { data } = model.run(ids, { record: [record] })[record];
  model.dispose();
  return data;
}

export const opened = (form) => wf.model(new Blob([ggufBytes(form)]));
export const fromFile = async (arch, form) => numbersOf(await opened(form), arch, form.ids);
export const fromConfig = async (arch, { config, weights, ids }) =>
  numbersOf(await wf.model({ config, weights: safetensors(weights) }), arch, ids);

/** Returns the form with other keys; undefined removes one. */
export function withKeys(form, arch, changes) {
  const keys = { ...form.keys };
  for (const [key, value] of Object.entries(changes)) {
    const name = /^(?:general|tokenizer|adapter|split|\w+\.\.)/.test(key)
      ? key.replace("..", ".")
      : `${arch}.${key}`;
    if (value === undefined) delete keys[name];
    else keys[name] = value;
  }
  return { ...form, keys };
}

export const u32 = (value) => ({ type: "u32", value });
export const f32 = (value) => ({ type: "f32", value });
export const flag = (value) => ({ type: "bool", value });
export const text = (value) => ({ type: "text", value });

/** YaRN with factor 4, from a context of 16. */
export const yarnKeys = (more = {}) => ({
  "rope.scaling.type": text("yarn"),
  "rope.scaling.factor": f32(4),
  "rope.scaling.original_context_length": u32(16),
  ...more,
});

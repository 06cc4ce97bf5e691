// Measures deviations from models of pictures that Transformers computed (tests/golden/pictures).

import { readFileSync } from "node:fs";
import { weightsIn } from "./made-weights.mjs";
import { safetensors } from "./safetensors.mjs";

const folder = new URL("../golden/pictures/", import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8"));

export const pictureManifest = () => read("manifest");
export const pictureNames = Object.keys(pictureManifest());

export const pictureOf = ({ height, width, data }) => ({
  data: new Uint8Array(Buffer.from(data, "base64")),
  height,
  width,
});

/** Cases of preprocessing: options of a processor, a picture and its pixels. */
export const processingCases = () =>
  read("processing").cases.map((one) => ({ ...one, picture: pictureOf(one.picture) }));

/** Reads a file of `pictures`, with weights and the picture as numbers. */
export function pictureFile(name) {
  const file = read(name);
  return { ...file, weights: weightsIn(file), picture: pictureOf(file.picture) };
}

/** The files of a folder; `stored` is the type of the weights' numbers. */
export function filesOf({ config, processor, weights }, stored = "F32") {
  const json = (name, value) => new File([JSON.stringify(value)], name);
  return [
    json("config.json", config),
    ...(processor ? [json("preprocessor_config.json", processor)] : []),
    new File([safetensors(weights, stored)], "model.safetensors"),
  ];
}

function farthest(actual, expected) {
  if (actual.length !== expected.length) return Number.POSITIVE_INFINITY;
  return expected.reduce((most, value, i) => Math.max(Math.abs(actual[i] - value), most), 0);
}

/** Returns the largest deviation of each quantity in a file, over its runs. */
export async function pictureDeviations(wf, name, options, stored) {
  const file = pictureFile(name);
  const model = await wf.model(filesOf(file, stored), options);
  const found = { pixels: 0, output: 0, attention: 0 };
  const add = (quantity, actual, expected) => {
    found[quantity] = Math.max(found[quantity], farthest(actual.data, expected.data));
  };
  for (const { size, pixels, result, attention } of file.runs) {
    const record = ["hidden", "weights"];
    const seen = model.look(file.picture, { record, pixels: true, ...(size && { size }) });
    add("pixels", seen.pixels, pixels);
    add("output", seen.hidden, result);
    add("attention", seen.weights, attention);
  }
  model.dispose();
  return found;
}

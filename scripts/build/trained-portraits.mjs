// Writes the learned parameters of schemes, as the gallery's cards show them, beside the models:
//   node scripts/build/trained-portraits.mjs FOLDER
// FOLDER/portraits.json has a portrait (web/engine/both/messages.ts) for each scheme with trained
// parameters in a trained model, with lists in place of arrays.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Tokenizer } from "@huggingface/tokenizers";
import { root } from "../setup/ensure.mjs";
import { openSources } from "./page-sources.mjs";

const at = (...parts) => join(root, ...parts);
const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

/** More digits than a shade shows, fewer than a float32 has. */
const digits = 3;
const written = (_, value) =>
  value instanceof Float32Array
    ? Array.from(value, (number) => Number(number.toPrecision(digits)))
    : value;

/** Folder of the scheme's model, of texts or of pictures. */
const folderOf = (id) =>
  [at("models", id), at("models/image", id)].find((folder) =>
    existsSync(join(folder, "model.safetensors")),
  );

/** Names of the tensors in a file. */
function tensorNames(bytes) {
  const length = Number(bytes.readBigUInt64LE(0));
  return Object.keys(JSON.parse(bytes.subarray(8, 8 + length).toString("utf8")));
}

async function portraitOf(wf, description, ids, { trainedPortrait }) {
  const { id } = description;
  const folder = folderOf(id);
  const weights = folder && readFileSync(join(folder, "model.safetensors"));
  if (!weights || !tensorNames(weights).some((name) => name.includes(`position.${id}.`))) return [];
  const config = readJson(join(folder, "config.json"));
  const model = await wf.model({ config, weights });
  const portrait = trainedPortrait(wf, model, description, ids);
  model.dispose();
  return [[id, portrait]];
}

const alias = [{ find: /^whereformer$/, replacement: at("dist/index.js") }];
const sources = await openSources({ alias });
const [portraits, { cardWords }] = await Promise.all(
  ["/engine/worker/trained-portrait.ts", "/figures/scheme-gallery/card-words.ts"].map(sources.load),
);
const { load } = await import(pathToFileURL(at("dist/index.js")).href);
const wf = await load({ wasm: readFileSync(at("dist/simd.wasm")), variant: "simd" });
const tokenizer = new Tokenizer(readJson(at("models/tokenizer.json")), {});
const { ids } = tokenizer.encode(cardWords.en.sentence, { add_special_tokens: false });
const found = [];
for (const description of wf.schemes)
  found.push(...(await portraitOf(wf, description, [...ids], portraits)));
await sources.close();
const [folder] = process.argv.slice(2);
writeFileSync(join(folder, "portraits.json"), JSON.stringify(Object.fromEntries(found), written));

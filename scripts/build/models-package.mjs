// Writes the second package, dist-models/: the trained models, a module for each, and their
// tokenizer:
//   node scripts/build/models-package.mjs

import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../setup/ensure.mjs";
import { runMain } from "../setup/process.mjs";
import { say } from "../setup/progress.mjs";

const kinds = [
  { kind: "decoder", folder: "" },
  { kind: "encoder", folder: "masked/" },
  { kind: "image", folder: "image/" },
];
const tokenizerFiles = ["tokenizer.json", "tokenizer_config.json"];
const read = (path) => JSON.parse(readFileSync(path, "utf8"));
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/**
 * Counts the numbers in a safetensors file: its JSON header follows eight bytes with its length.
 */
function parametersOf(bytes) {
  const length = Number(bytes.readBigUInt64LE(0));
  const { __metadata__, ...tensors } = JSON.parse(bytes.toString("utf8", 8, 8 + length));
  const sizeOf = ({ shape }) => shape.reduce((product, size) => product * size, 1);
  return Object.values(tensors).reduce((sum, tensor) => sum + sizeOf(tensor), 0);
}

/** Bits per character of held-out text, by language; undefined if a model reads no text. */
function heldOutOf(folder) {
  const record = join(folder, "training.json");
  if (!existsSync(record)) return undefined;
  const languages = Object.entries(read(record).heldOut);
  return Object.fromEntries(
    languages.map(([name, { bitsPerCharacter }]) => [name, bitsPerCharacter]),
  );
}

function entryOf(models, { kind, folder }, scheme) {
  const source = join(models, folder, scheme);
  const weights = readFileSync(join(source, "model.safetensors"));
  return {
    name: `${folder}${scheme}`,
    kind,
    scheme,
    parameters: parametersOf(weights),
    bytes: weights.length,
    sha256: createHash("sha256").update(weights).digest("hex"),
    heldOut: heldOutOf(source),
  };
}

/** The trained models, sorted by name. */
export function listModels(models = join(root, "models")) {
  return kinds.flatMap((each) =>
    readdirSync(join(models, each.folder))
      .filter((name) => existsSync(join(models, each.folder, name, "model.safetensors")))
      .sort()
      .map((name) => entryOf(models, each, name)),
  );
}

const moduleOf = (entry, config) => {
  const up = entry.name.includes("/") ? "../../" : "../";
  const tokenizer =
    entry.kind === "image" ? "undefined" : `new URL("${up}tokenizer.json", import.meta.url)`;
  return `export const model = ${JSON.stringify(entry)};
export const { bytes, sha256 } = model;
export const source = {
  config: ${JSON.stringify(config)},
  weights: new URL("./model.safetensors", import.meta.url),
};
export const tokenizer = ${tokenizer};
`;
};

const typesOf = ({ name, kind }) => `import type { PublishedModel } from "${
  name.includes("/") ? "../../" : "../"
}index.js";
export declare const model: PublishedModel;
export declare const bytes: number;
export declare const sha256: string;
/** What \`wf.model\` takes. */
export declare const source: { config: Record<string, unknown>; weights: URL };
export declare const tokenizer: ${kind === "image" ? "undefined" : "URL"};
`;

// A namespace import, which Vite accepts if the optional package is missing: the program then
// reports that, instead of a bundler's error about missing exports.
const tokenizerModule = (description) => `import * as peer from "@huggingface/tokenizers";

const library = new peer.Tokenizer(${JSON.stringify(description)}, {});
export const tokenizer = {
  encode: (text) => [...library.encode(text, { add_special_tokens: false }).ids],
  decode: (ids) =>
    library.decode([...ids], { skip_special_tokens: true, clean_up_tokenization_spaces: false }),
};
export const endId = library.token_to_id("<|end|>");
`;

const tokenizerTypes = `/**
 * The decoders' and encoders' tokenizer, run by \`@huggingface/tokenizers\`, which has to be
 * installed.
 */
export declare const tokenizer: {
  encode(text: string): number[];
  decode(ids: readonly number[]): string;
};
/** Between documents: where a model writes it, the text is at its end. */
export declare const endId: number;
`;

const indexTypes = `/** One trained model. */
export interface PublishedModel {
  /** Behind \`whereformer-models/\`: "rope", "masked/rope", "image/rope_2d". */
  name: string;
  kind: "decoder" | "encoder" | "image";
  /** Its positional encoding, as whereformer names it. */
  scheme: string;
  parameters: number;
  /** Of model.safetensors. */
  bytes: number;
  sha256: string;
  /** Bits per character of text that it was not trained on. */
  heldOut?: { en: number; zh: number };
}
/** All of them, as data: nothing of their weights is imported. */
export declare const models: readonly PublishedModel[];
`;

function exportsOf(entries) {
  const entry = (path) => ({ types: `${path}.d.ts`, default: `${path}.js` });
  const lines = [
    [".", entry("./index")],
    ["./tokenizer", entry("./tokenizer")],
    ...entries.map(({ name }) => [`./${name}`, entry(`./${name}/index`)]),
    ...entries.flatMap(({ name }) =>
      ["model.safetensors", "config.json"].map((file) => [
        `./${name}/${file}`,
        `./${name}/${file}`,
      ]),
    ),
    ...["manifest.json", ...tokenizerFiles, "package.json"].map((file) => [
      `./${file}`,
      `./${file}`,
    ]),
  ];
  return Object.fromEntries(lines);
}

/** Writes the package into `folder`; returns the list of its models. */
export function writeModelsPackage(folder = join(root, "dist-models")) {
  const models = join(root, "models");
  const template = join(root, "packages/whereformer-models");
  const entries = listModels(models);
  rmSync(folder, { recursive: true, force: true });
  const write = (name, text) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const { version, repository, homepage, bugs } = read(join(root, "package.json"));
  const described = read(join(template, "package.json"));
  const manifest = {
    ...described,
    version,
    repository,
    homepage,
    bugs,
    exports: exportsOf(entries),
  };
  write("package.json", json(manifest));
  write("manifest.json", json(entries));
  write("index.js", `export const models = ${JSON.stringify(entries, null, 2)};\n`);
  write("index.d.ts", indexTypes);
  write("tokenizer.js", tokenizerModule(read(join(models, "tokenizer.json"))));
  write("tokenizer.d.ts", tokenizerTypes);
  for (const entry of entries) {
    const from = join(models, entry.name);
    write(`${entry.name}/index.js`, moduleOf(entry, read(join(from, "config.json"))));
    write(`${entry.name}/index.d.ts`, typesOf(entry));
    for (const file of ["model.safetensors", "config.json"])
      copyFileSync(join(from, file), join(folder, entry.name, file));
  }
  for (const file of tokenizerFiles) copyFileSync(join(models, file), join(folder, file));
  copyFileSync(join(template, "README.md"), join(folder, "README.md"));
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  return entries;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    const entries = writeModelsPackage();
    const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
    say(`dist-models: ${entries.length} models, ${(bytes / 1e6).toFixed(1)} MB of weights`);
  });
}

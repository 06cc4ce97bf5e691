// Folders as sentence-transformers saves them: a family's model, and the modules in
// tests/golden/sentences.

import { readFileSync } from "node:fs";
import { familyFile } from "./families.mjs";
import { safetensors } from "./safetensors.mjs";

const read = (name) =>
  JSON.parse(readFileSync(new URL(`../golden/sentences/${name}.json`, import.meta.url), "utf8"));

export const vectors = read("vectors");
export const texts = read("texts");

/** The token ids of a case's text. */
export const idsOf = ({ model }) => familyFile(model).ids;

/** Unpacks tensors stored in steps of 1/16 for `safetensors`. */
const unpacked = (named) =>
  Object.fromEntries(
    Object.entries(named).map(([name, { shape, data }]) => {
      const bytes = Buffer.from(data, "base64");
      const steps = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
      return [name, { shape, data: Float32Array.from(steps, (step) => step / vectors.unit) }];
    }),
  );

/** Returns the bytes of all files of a folder, by path; `place` is the transformer's subfolder. */
export function folderOf({ model, files, tensors }, place = "", type = "F32") {
  const { config, weights } = familyFile(model);
  const json = (value) => Buffer.from(JSON.stringify(value));
  const own = {
    [`${place}config.json`]: json(config),
    [`${place}model.safetensors`]: Buffer.from(safetensors(weights)),
  };
  const others = Object.entries(files).map(([path, content]) => [path, json(content)]);
  const layers = Object.entries(tensors).map(([path, named]) => [
    path,
    Buffer.from(safetensors(unpacked(named), type)),
  ]);
  return { ...Object.fromEntries([...others, ...layers]), ...own };
}

/** Returns the files as in the list of a chosen folder. */
export const chosen = (folder, name = "mini") =>
  Object.entries(folder).map(([path, bytes]) => {
    const file = new File([bytes], path.split("/").at(-1));
    return Object.defineProperty(file, "webkitRelativePath", { value: `${name}/${path}` });
  });

/** Returns the files as a directory's handle. */
export function handleOf(folder) {
  const names = [...new Set(Object.keys(folder).map((path) => path.split("/")[0]))];
  const entry = (name) => {
    if (folder[name])
      return { kind: "file", name, getFile: async () => new File([folder[name]], name) };
    const within = Object.entries(folder).filter(([path]) => path.startsWith(`${name}/`));
    return {
      name,
      ...handleOf(Object.fromEntries(within.map(([path, x]) => [path.slice(name.length + 1), x]))),
    };
  };
  return {
    [Symbol.toStringTag]: "FileSystemDirectoryHandle",
    kind: "directory",
    async *values() {
      yield* names.map(entry);
    },
    async getDirectoryHandle(name) {
      const found = names.includes(name) && !folder[name] && entry(name);
      if (!found) throw new DOMException("not there", "NotFoundError");
      return found;
    },
  };
}

/** Returns the files as an entry of dropped items. */
export function entryOf(folder, name = "mini") {
  const names = [...new Set(Object.keys(folder).map((path) => path.split("/")[0]))];
  const within = (first) =>
    Object.fromEntries(
      Object.entries(folder)
        .filter(([path]) => path.startsWith(`${first}/`))
        .map(([path, bytes]) => [path.slice(first.length + 1), bytes]),
    );
  const children = () =>
    names.map((first) =>
      folder[first] ? fileEntry(first, folder[first]) : entryOf(within(first), first),
    );
  return {
    isFile: false,
    isDirectory: true,
    name,
    createReader() {
      const batches = [children(), []];
      return { readEntries: (resolve) => resolve(batches.shift()) };
    },
    getDirectory(path, _options, found, failed) {
      const inside = within(path);
      if (Object.keys(inside).length) found(entryOf(inside, path.split("/").at(-1)));
      else failed(new DOMException("not there", "NotFoundError"));
    },
  };
}

export const fileEntry = (name, bytes) => ({
  isFile: true,
  isDirectory: false,
  name,
  file: (resolve) => resolve(new File([bytes], name)),
});

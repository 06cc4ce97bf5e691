/** A GGUF model in one file, or in the parts of a split one. */

import { refuse } from "../wire/arguments.js";
import { WhereformerError } from "../wire/error.js";
import type { GgufFile } from "./gguf-file.js";
import type { GgufKeys } from "./gguf-keys.js";

interface Part {
  file: GgufFile;
  /** From 1. */
  number: number;
  /** Total number of parts. */
  count: number;
}

const wrong = (message: string) => new WhereformerError("malformed_file", message);

/** A model's name, part number and total, as llama.cpp writes them. */
const partName = /([^/]*)-(\d{5})-of-(\d{5})\.gguf(?:[?#].*)?$/;

function partOfName(file: GgufFile): Part | undefined {
  const [, , number, count] = partName.exec(file.name) ?? [];
  return count === undefined ? undefined : { file, number: Number(number), count: Number(count) };
}

/**
 * The part that a file is; undefined for a whole model. Files joined from parts have a count of 0.
 */
function partOf(file: GgufFile): Part | undefined {
  const { keys } = file;
  const said = keys.number("split.count");
  const part =
    said === undefined
      ? partOfName(file)
      : { file, number: (keys.number("split.no") ?? 0) + 1, count: said };
  if (part === undefined || part.count <= 1) return undefined;
  const { number, count } = part;
  if (!Number.isInteger(count)) refuse("split.count", count, "an integer", "malformed_file");
  if (!Number.isInteger(number) || number < 1 || number > count)
    refuse("split.no", number - 1, `an integer from 0 to ${count - 1}`, "malformed_file");
  return part;
}

const numbersOf = (parts: readonly { number: number }[]) =>
  `part${parts.length > 1 ? "s" : ""} ${parts.map(({ number }) => number).join(", ")}`;

/** Refuses parts of different models, repeated parts and missing ones. `parts` are in order. */
function checkParts(parts: readonly Part[]): void {
  const [first] = parts as [Part];
  const { count } = first;
  const [, model] = partName.exec(first.file.name) ?? [];
  for (const { file, count: other } of parts) {
    if (other !== count)
      throw wrong(
        `${first.file.name} is one of ${count} parts and ${file.name} one of ${other}: ` +
          "they are of different models",
      );
    const [, another] = partName.exec(file.name) ?? [];
    if (model !== undefined && another !== undefined && model !== another)
      throw wrong(`${first.file.name} and ${file.name}: they are named after different models`);
  }
  parts.forEach((part, i) => {
    const same = parts[i - 1];
    if (same?.number === part.number)
      throw wrong(
        `${same.file.name} and ${part.file.name}: both are part ${part.number} of ${count}`,
      );
  });
  if (parts.length === count) return;
  if (parts.length === 1)
    throw wrong(
      `${first.file.name}: part ${first.number} of ${count}, the others are missing; a model in ` +
        "parts is opened with all its files",
    );
  const isThere = (number: number) => parts.some((part) => part.number === number);
  const missing = Array.from({ length: count }, (_, i) => ({ number: i + 1 })).filter(
    ({ number }) => !isThere(number),
  );
  const named = missing.slice(0, 8);
  const more = missing.length - named.length;
  throw wrong(
    `${numbersOf(parts)} of ${count} are there, ${numbersOf(named)} ` +
      `${more ? `and ${more} more ` : ""}missing`,
  );
}

/** Refuses files whose keys belong to different models. */
function checkAlike(files: readonly GgufFile[]): void {
  const [first, ...rest] = files as [GgufFile, ...GgufFile[]];
  const isOther = (file: GgufFile, key: string) => {
    const [a, b] = [first, file].map(({ keys }) => keys.value(key));
    return a !== undefined && b !== undefined && a !== b;
  };
  for (const file of rest)
    for (const key of ["general.type", "general.architecture", "split.tensors.count"])
      if (isOther(file, key))
        throw wrong(
          `${first.name} and ${file.name} are of different models: ${key} is ` +
            `${first.keys.value(key)} in one and ${file.keys.value(key)} in the other`,
        );
}

/** Refuses a tensor in two files, and a number of tensors that differs from the files' count. */
function checkTensors(files: readonly GgufFile[]): void {
  const owners = new Map<string, GgufFile>();
  for (const file of files)
    for (const name of file.names()) {
      const owner = owners.get(name);
      if (owner) throw wrong(`${owner.name} and ${file.name}: tensor ${name} is in both`);
      owners.set(name, file);
    }
  const key = "split.tensors.count";
  const said = files[0]!.keys.number(key);
  if (files.length > 1 && said !== undefined && said !== owners.size)
    refuse(key, said, `${owners.size}, the number of the tensors`, "malformed_file");
}

export class GgufParts {
  readonly #files: readonly GgufFile[];
  /** Keys of the part that has the architecture: the first one, as llama.cpp writes it. */
  readonly keys: GgufKeys;

  /** Errors: malformed_file if parts are missing, repeated, or of different models. */
  constructor(files: readonly GgufFile[]) {
    if (!files.length) refuse("weights", [], "a GGUF file, or all parts of one");
    const found = files.map(partOf);
    const parts = found.filter((part) => part !== undefined);
    parts.sort((a, b) => a.number - b.number);
    if (parts.length && parts.length < files.length)
      throw wrong(
        `${files[found.indexOf(undefined)]!.name} is whole and ${parts[0]!.file.name} part ` +
          `${parts[0]!.number} of ${parts[0]!.count}: they are of different models`,
      );
    if (parts.length) checkParts(parts);
    this.#files = parts.length ? parts.map(({ file }) => file) : files;
    checkAlike(this.#files);
    checkTensors(this.#files);
    const saying = this.#files.find(({ keys }) => keys.has("general.architecture"));
    this.keys = (saying ?? this.#files[0]!).keys;
  }

  /** Whether any part has the tensor. */
  has(name: string): boolean {
    return this.#files.some((file) => file.has(name));
  }

  /** A small tensor's numbers; undefined if no part has it. Errors: those of GgufFile.floats. */
  async floats(name: string, count: number): Promise<Float32Array | undefined> {
    return this.#files.find((file) => file.has(name))?.floats(name, count);
  }

  /** Errors: unsupported for a tensor of an unknown type. */
  checkTypes(): void {
    for (const file of this.#files) file.checkTypes();
  }
}

/** The parts of a source: its weights, and the small files with them. */

import type { ModelFiles } from "../api/model.js";
import { parseJson } from "../config/json-file.js";
import { type GivenTokenizer, givenTokenizer } from "../config/tokenizer.js";
import { isConfigJson } from "../families/config-json.js";
import type { ReadConfig } from "../families/family.js";
import { checkObject, checkOptions, refuse } from "../wire/arguments.js";
import { isRefused, resolveUrl } from "../wire/binary.js";
import { WhereformerError } from "../wire/error.js";
import { bytesIn, ordinaryBytes } from "../wire/memory.js";
import { bytesOfBlob, isAddress, isBlob, isResponse } from "../wire/platform.js";
import { type ByteFile, readWhole } from "./byte-file.js";
import { fileOfResponse, filesOf } from "./dropped.js";
import { endTokens } from "./end-tokens.js";
import {
  type Folder,
  folderAt,
  folderOfBytes,
  folderOfFiles,
  type Progress,
  tokenizerConfig,
  weightsOf,
} from "./folder.js";
import { keptFiles, keptName } from "./kept.js";
import { checkWeights, type KnownFile } from "./known-file.js";
import { readSentence } from "./sentence.js";

/** The parts of a source. Its config is here, among the files, or in the weights (GGUF). */
export interface Source {
  weights: readonly KnownFile[];
  /** A config of this package. */
  config?: Record<string, unknown>;
  files: ModelFiles;
  tokenizer?: GivenTokenizer;
  /** Another JSON file of the folder; undefined if it does not exist. */
  json: Folder["json"];
}

/** A model whose weights are not read yet. */
export interface OpenModel extends ReadConfig {
  weights: readonly ByteFile[];
  files: ModelFiles;
}

const none = async () => undefined;

const isGguf = ({ kind }: KnownFile) => kind.is === "gguf";

/** Whether weights contain their config (GGUF). Errors: malformed_file for a mixture of kinds. */
function areGguf(weights: readonly KnownFile[]): boolean {
  const gguf = weights.filter(isGguf);
  const [one] = gguf;
  if (!one) return false;
  if (gguf.length === weights.length) return true;
  checkWeights(weights);
  const other = weights.find((file) => !isGguf(file))!;
  throw new WhereformerError(
    "malformed_file",
    `${other.name} is a safetensors file and ${one.name} a GGUF file; pass files of one kind`,
  );
}

async function fromFolder(folder: Folder): Promise<Source> {
  const { weights } = folder;
  const isAll = areGguf(weights);
  const configFile = isAll ? undefined : await folder.json("config.json");
  if (!configFile && !isAll) needConfig(weights);
  const tokenizerFiles = async () => {
    const tokenizer = await folder.json("tokenizer.json");
    return tokenizer && { tokenizer, config: (await tokenizerConfig(folder)) ?? {} };
  };
  const { sentence: modules } = folder;
  const sentence = configFile && modules && (await readSentence(modules, configFile));
  // A config of a model that writes texts names an end token; the other file may name more.
  const configured = endTokens(undefined, configFile);
  const unlessRefused = (reason: unknown) => {
    if (!isRefused(reason)) throw reason;
    return undefined;
  };
  const generation = configured.length
    ? await folder.json("generation_config.json").catch(unlessRefused)
    : undefined;
  const ends = endTokens(generation, configFile);
  const { json } = folder;
  return { weights, files: { configFile, tokenizerFiles, sentence, endTokens: ends }, json };
}

/** The contents of a source's folder; undefined for parts that are given one by one. */
export async function folderOf(
  from: unknown,
  progress: Progress,
  signal: AbortSignal | undefined,
): Promise<Folder | undefined> {
  const bytes = bytesIn("source", from);
  if (bytes) return folderOfBytes(bytes, progress);
  if (isAddress(from)) return folderAt(resolveUrl("source", from), progress, signal);
  const source = await filesOf(from);
  if (Array.isArray(source)) return folderOfFiles(source, progress);
  if (!isKept(source)) return undefined;
  checkOptions("source", source, ["kept"]);
  const name = keptName("kept", source.kept);
  const files = await keptFiles(name);
  return files ? folderOfFiles(files, progress) : refuse("kept", name, "a name of keptModels()");
}

const isKept = (source: unknown): source is { kept: unknown } =>
  typeof source === "object" && source !== null && "kept" in source;

export async function sourceOf(
  from: unknown,
  progress: Progress,
  signal: AbortSignal | undefined,
): Promise<Source> {
  const folder = await folderOf(from, progress, signal);
  if (folder) return fromFolder(folder);
  checkObject("source", from);
  checkOptions("source", from, ["config", "weights", "tokenizer"]);
  const tokenizer = givenTokenizer(from["tokenizer"]);
  const given = from["config"];
  const bytes = await bytesOfConfig(given, signal);
  const config = bytes ? parseJson(bytes, "config") : given;
  if (config !== undefined) checkObject("config", config);
  const weights = [await weightsOf(from["weights"], progress, signal)];
  if (areGguf(weights)) checkNoConfig(given);
  else if (!config) needConfig(weights);
  const configFile = config && (bytes || isConfigJson(config)) ? config : undefined;
  return {
    weights,
    ...(config && !configFile && { config }),
    files: { configFile, tokenizerFiles: none, endTokens: endTokens(undefined, configFile) },
    ...(tokenizer && { tokenizer }),
    json: none,
  };
}

/** The bytes of a JSON file that was given as the config; undefined for a config object. */
async function bytesOfConfig(
  config: unknown,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  if (isAddress(config)) return readWhole(resolveUrl("config", config), signal);
  const isFetched = isResponse(config);
  if (!isFetched && !isBlob(config)) return ordinaryBytes("config", config);
  return new Uint8Array(
    await bytesOfBlob(isFetched ? await fileOfResponse("config", config) : config),
  );
}

function checkNoConfig(config: unknown): void {
  if (config !== undefined)
    refuse("config", config, "undefined with a GGUF file, which has a config");
}

/** Throws: these weights need a config, and none was given. */
function needConfig(weights: readonly KnownFile[]): never {
  checkWeights(weights);
  throw new WhereformerError(
    "malformed_file",
    `${weights[0]!.name} is a safetensors file, and config.json is missing; pass both files, ` +
      "{ config, weights }, a folder, or a GGUF file",
  );
}

/** Gets a model's config and weights from wherever they are. */

import type { ConfigRead } from "../families/family.js";
import type { ModelSource, SchemeDescription, Tokenizer } from "../types/index.js";
import { boolean, checkObject, checkOptions, refuse } from "../wire/arguments.js";
import { bytesOf as bytesAt, tagOf } from "../wire/arrays.js";
import { type Download, progressOf, readBytes, resolveUrl } from "../wire/binary.js";
import { WhereformerError } from "../wire/error.js";
import { signalOf, throwIfAborted } from "../wire/signal.js";
import { configFromFile } from "./config-file.js";
import { checkTokenizer } from "./tokenizer.js";

export interface ModelParts extends ConfigRead {
  /** Undefined for a model that begins with initial weights. */
  weights: Uint8Array | undefined;
  tokenizer: Tokenizer | undefined;
}

function parseConfig(bytes: Uint8Array, where: string): Record<string, unknown> {
  let file: unknown;
  try {
    file = JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new WhereformerError(
      "malformed_file",
      `${where}: not JSON (${(cause as Error).message})`,
      {},
      cause,
    );
  }
  if (typeof file === "object" && file !== null && !Array.isArray(file))
    return file as Record<string, unknown>;
  throw new WhereformerError("malformed_file", `${where}: not a JSON object`);
}

async function bytesOf(argument: string, value: unknown, download: Download): Promise<Uint8Array> {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (tagOf(value)) return bytesAt(value as ArrayBufferView);
  if (ArrayBuffer.isView(value))
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof Blob) return new Uint8Array(await value.arrayBuffer());
  if (typeof value === "string" || value instanceof URL)
    return readBytes(resolveUrl(argument, value), download);
  return refuse(argument, value, "a URL, bytes, or a Blob");
}

const quiet = ({ signal }: Download): Download => ({ signal, onProgress: undefined });

/** A config that is this package's own (camelCase) passes; a config.json is translated. */
const translated = async (
  schemes: readonly SchemeDescription[],
  config: Record<string, unknown>,
): Promise<ConfigRead> =>
  "vocab_size" in config || "model_type" in config ? configFromFile(schemes, config) : { config };

async function configOf(
  schemes: readonly SchemeDescription[],
  value: unknown,
  download: Download,
): Promise<ConfigRead> {
  const isFile = typeof value === "string" || value instanceof URL || value instanceof Blob;
  if (isFile)
    return configFromFile(
      schemes,
      parseConfig(await bytesOf("config", value, quiet(download)), "config"),
    );
  checkObject("config", value);
  return translated(schemes, value);
}

async function fromFolder(
  schemes: readonly SchemeDescription[],
  folder: URL,
  download: Download,
): Promise<ModelParts> {
  const base = new URL(folder);
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  const place = new URL("config.json", base);
  const read = await configFromFile(
    schemes,
    parseConfig(await readBytes(place, quiet(download)), place.href),
  );
  return {
    ...read,
    weights: await readBytes(new URL("model.safetensors", base), download),
    tokenizer: undefined,
  };
}

export async function readSource(
  schemes: readonly SchemeDescription[],
  source: ModelSource,
  download: Download,
): Promise<ModelParts> {
  throwIfAborted(download.signal);
  if (typeof source === "string" || source instanceof URL)
    return fromFolder(schemes, resolveUrl("source", source), download);
  const given: unknown = source;
  checkObject("source", given);
  if (!("weights" in given) && !("config" in given)) {
    return { ...(await translated(schemes, given)), weights: undefined, tokenizer: undefined };
  }
  checkOptions("source", given, ["config", "weights", "tokenizer"]);
  const tokenizer = checkTokenizer(given["tokenizer"]);
  const read = await configOf(schemes, given["config"], download);
  return { ...read, weights: await bytesOf("weights", given["weights"], download), tokenizer };
}

/** What the caller of wf.model said beside the source. */
export function sourceOptions(options: unknown): {
  download: Download;
  tokenizer: Tokenizer | undefined;
  allowNotFinite: boolean;
} {
  checkOptions("options", options, ["tokenizer", "allowNotFinite", "signal", "onProgress"]);
  const given = options as Record<string, unknown>;
  return {
    download: { signal: signalOf(given["signal"]), onProgress: progressOf(given["onProgress"]) },
    tokenizer: checkTokenizer(given["tokenizer"]),
    allowNotFinite: boolean("allowNotFinite", given["allowNotFinite"] ?? false),
  };
}

/**
 * Reads a reader's file as a map: NPY by its first bytes, JSON by its first character, else CSV.
 */
import {
  type FileMapAnswer,
  type FileMapQuestion,
  maxMapNumbers,
} from "../../both/map-messages.js";
import { readCsv } from "./csv.js";
import { readJson } from "./json.js";
import { isNpy, readNpy } from "./npy.js";
import { checked, malformed } from "./shape.js";

/**
 * Maximum bytes of a file, enough for the maximum count of numbers as text; a larger file is not
 * read.
 */
const maxBytes = 8 * maxMapNumbers;

export function readMapBytes(bytes: Uint8Array): FileMapAnswer {
  if (!bytes.length) throw malformed("the file is empty");
  if (isNpy(bytes)) return checked(readNpy(bytes));
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw malformed("the file is neither NPY nor text in UTF-8");
  }
  return checked(/^[\s\ufeff]*[[{]/.test(text) ? readJson(text) : readCsv(text));
}

export async function readFileMap({ file }: FileMapQuestion): Promise<FileMapAnswer> {
  if (file.size > maxBytes) throw malformed(`a file of ${file.size} bytes`);
  return readMapBytes(new Uint8Array(await file.arrayBuffer()));
}

/** Parses a JSON file whose top level is an object. */

import { WhereformerError } from "../wire/error.js";

export function parseJson(bytes: Uint8Array, where: string): Record<string, unknown> {
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

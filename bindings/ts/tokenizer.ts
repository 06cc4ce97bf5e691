/**
 * `whereformer/tokenizer`: opens a tokenizer from the address of its files, with
 * `@huggingface/tokenizers`. Importing it lets `wf.model` take such an address as its `tokenizer`,
 * too.
 *
 * @module whereformer/tokenizer
 */
import { parseJson } from "./config/json-file.js";
import { imported, openAddressesWith, wrapped } from "./config/tokenizer.js";
import type { Tokenizer, TokenizerLibrary } from "./types/index.js";
import { readBytes, resolveUrl, unlessMissing } from "./wire/binary.js";
import { typed } from "./wire/error.js";

export type { Tokenizer } from "./types/index.js";
export { type ErrorDetails, WhereformerError } from "./wire/error.js";

const library = () => imported(import("@huggingface/tokenizers")) as Promise<TokenizerLibrary>;

async function fileAt(url: URL): Promise<Record<string, unknown>> {
  return parseJson(await readBytes(url, { signal: undefined, onProgress: undefined }), url.href);
}

async function openAt(url: URL): Promise<Tokenizer> {
  const address = new URL(url);
  const isFile = address.pathname.endsWith(".json");
  if (!isFile && !address.pathname.endsWith("/")) address.pathname += "/";
  const file = isFile ? address : new URL("tokenizer.json", address);
  const [made, tokenizer, config] = await Promise.all([
    library(),
    fileAt(file),
    unlessMissing(fileAt(new URL("tokenizer_config.json", address))),
  ]);
  return wrapped(made, { tokenizer, config: config ?? {} });
}

openAddressesWith(openAt);

/**
 * Opens a tokenizer.json, by its address or that of its folder, with the tokenizer_config.json
 * beside it if there is one. Errors: `network`, `malformed_file`; `unsupported` if
 * `@huggingface/tokenizers` is not installed.
 */
export async function openTokenizer(address: string | URL): Promise<Tokenizer> {
  try {
    return await openAt(resolveUrl("address", address));
  } catch (cause) {
    throw typed(cause);
  }
}

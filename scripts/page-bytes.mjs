// Sizes of the built page as a server sends it, compressed with brotli.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

/** Weights, some megabytes each, hardly compress: fast compression gives the same size. */
const large = 1e6;

/** Compressed bytes of a file; `quality` is brotli's. */
export function compressedBytes(file, quality) {
  const content = readFileSync(file);
  if (/\.(woff2|png)$/.test(file)) return content.length;
  const usual = content.length > large ? 5 : constants.BROTLI_MAX_QUALITY;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality ?? usual };
  return brotliCompressSync(content, { params }).length;
}

/**
 * Bytes that a reader needs for the first section before any script runs: the page, which has the
 * text of all sections and the first picture in it, and the larger of the second picture's forms.
 */
export function firstSectionBytes(folder) {
  const stills = readdirSync(join(folder, "stills")).filter((name) => /^who-chases-/.test(name));
  const largest = Math.max(...stills.map((name) => compressedBytes(join(folder, "stills", name))));
  return compressedBytes(join(folder, "index.html")) + largest;
}

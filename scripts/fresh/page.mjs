// Fetches a served page the way a browser would begin to: the document and what it links to.

import { SetupError } from "../setup/process.mjs";

/**
 * The addresses, relative to the page, of the scripts, styles and pictures that a document names.
 */
export function linkedFiles(html) {
  return [...html.matchAll(/<(?:script|link|img)\b[^>]*?\b(?:src|href)="([^"#:]+)"/g)].map(
    (match) => match[1],
  );
}

/** Resolves to how many files and bytes came; a file that does not come is an error. */
export async function fetchPage(address) {
  const html = await fetchText(address);
  const linked = linkedFiles(html);
  if (!linked.some((name) => name.endsWith(".js"))) {
    throw new SetupError(`${address} names no script.`);
  }
  let bytes = html.length;
  for (const name of linked) bytes += (await fetchText(new URL(name, address))).length;
  return { files: linked.length + 1, bytes };
}

async function fetchText(address) {
  const response = await fetch(address);
  if (!response.ok) throw new SetupError(`${address} answers ${response.status}.`);
  return response.text();
}

// Fetches a served page as a browser would: the document and its linked files.

import { SetupError } from "../setup/process.mjs";

/**
 * The addresses, relative to the page, of the scripts, styles and pictures that a document links
 * to.
 */
export function linkedFiles(html) {
  return [...html.matchAll(/<(?:script|link|img)\b[^>]*?\b(?:src|href)="([^"#:]+)"/g)].map(
    (match) => match[1],
  );
}

/** Resolves to the number of files and bytes received; throws if a file is missing. */
export async function fetchPage(address) {
  const html = await fetchText(address);
  const linked = linkedFiles(html);
  if (!linked.some((name) => name.endsWith(".js"))) {
    throw new SetupError(`${address} links to no script.`);
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

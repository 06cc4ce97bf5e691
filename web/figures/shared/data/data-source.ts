/** Fetches the page's own numbers for an element, and reports errors in them. */
import { EngineFailure } from "../../../engine/both/failure.js";
import { refused } from "../given/refused.js";

/** Returns an error for invalid numbers, with the value and the expected form. */
export const malformed = (message: string): EngineFailure =>
  new EngineFailure({ code: "malformed_data", message });

/** The beginning of an HTML page, or of a part of one. */
const isPage = /^[\s\ufeff]*<(?:!doctype|html|head|body|!--)/i;

/**
 * Fetches a file, at an address relative to the document. For a missing file, the server of a
 * single-page application returns that page.
 */
export async function fetchData(src: string, signal: AbortSignal): Promise<Blob> {
  const address = new URL(src, document.baseURI);
  const response = await fetch(address, { signal }).catch((reason) => {
    throw new EngineFailure({ code: "network", message: String(reason) });
  });
  const message = `${address.pathname}: HTTP status ${response.status}`;
  if (!response.ok) throw new EngineFailure({ code: "network", message });
  const file = await response.blob();
  if (isPage.test(await file.slice(0, 256).text())) throw refused("src", src, { expected: "file" });
  return file;
}

/** Returns the last part of an address as a name; a data address has none. */
export function nameOfAddress(src: string): string {
  const { protocol, pathname } = new URL(src, document.baseURI);
  return /^(?:data|blob):/.test(protocol) ? "" : pathname.split("/").at(-1)!;
}

/** Fetches JSON. */
export async function fetchJson(src: string, signal: AbortSignal): Promise<unknown> {
  const text = await (await fetchData(src, signal)).text();
  try {
    return JSON.parse(text);
  } catch (reason) {
    throw malformed(`${nameOfAddress(src) || "src"}: ${(reason as Error).message}`);
  }
}

/** Numbers of one's own that an element fetches, and what is said of those it cannot read. */
import { EngineFailure } from "../../../engine/both/failure.js";
import { refused } from "../given/refused.js";

/** What is wrong with numbers of one's own: with which, what they are, what is allowed. */
export const malformed = (message: string): EngineFailure =>
  new EngineFailure({ code: "malformed_data", message });

/** How a page of HTML begins, or a part of one. */
const isPage = /^[\s\ufeff]*<(?:!doctype|html|head|body|!--)/i;

/**
 * The file at an address, which is seen from the document. Of a file that is missing, a server of a
 * single page sends that page.
 */
export async function fetchOwn(src: string, signal: AbortSignal): Promise<Blob> {
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

/** The last part of an address, to name what came from there; an address that is data has none. */
export function nameOfAddress(src: string): string {
  const { protocol, pathname } = new URL(src, document.baseURI);
  return /^(?:data|blob):/.test(protocol) ? "" : pathname.split("/").at(-1)!;
}

/** JSON at an address. */
export async function fetchJson(src: string, signal: AbortSignal): Promise<unknown> {
  const text = await (await fetchOwn(src, signal)).text();
  try {
    return JSON.parse(text);
  } catch (reason) {
    throw malformed(`${nameOfAddress(src) || "src"}: ${(reason as Error).message}`);
  }
}

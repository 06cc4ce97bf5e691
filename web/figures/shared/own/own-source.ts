/** Numbers of one's own that an element fetches, and what is said of those it cannot read. */
import { EngineFailure } from "../../../engine/both/failure.js";

/** What is wrong with numbers of one's own: with which, what they are, what is allowed. */
export const malformed = (message: string): EngineFailure =>
  new EngineFailure({ code: "malformed_data", message });

/** The file at an address, which is seen from the document. */
export async function fetchOwn(src: string, signal: AbortSignal): Promise<Blob> {
  const address = new URL(src, document.baseURI);
  const response = await fetch(address, { signal }).catch((reason) => {
    throw new EngineFailure({ code: "network", message: String(reason) });
  });
  const message = `${address.pathname}: HTTP status ${response.status}`;
  if (!response.ok) throw new EngineFailure({ code: "network", message });
  return response.blob();
}

/** The last part of an address, to name what came from there. */
export const nameOfAddress = (src: string): string =>
  new URL(src, document.baseURI).pathname.split("/").at(-1)!;

/** JSON at an address. */
export async function fetchJson(src: string, signal: AbortSignal): Promise<unknown> {
  const text = await (await fetchOwn(src, signal)).text();
  try {
    return JSON.parse(text);
  } catch (reason) {
    throw malformed(`${nameOfAddress(src)}: ${(reason as Error).message}`);
  }
}

/**
 * Files that are kept once they have been fetched, and parts of files (HTTP ranges): a cache takes
 * no answer of status 206, so a part is kept under a name of its own, and given out as a part.
 */
import type { WorkboxPlugin } from "workbox-core";
import { createPartialResponse } from "workbox-range-requests";

const revisionName = "revision";
const partName = "part";

/** The file that a name in the cache stands for. */
export function keptKey(name: string): { file: URL; revision: string | null } {
  const file = new URL(name);
  const revision = file.searchParams.get(revisionName);
  file.search = "";
  return { file, revision };
}

function nameOf(address: string, revision: string, range: string | null): string {
  const name = new URL(address);
  name.searchParams.set(revisionName, revision);
  if (range) name.searchParams.set(partName, range);
  return name.href;
}

/** A name that tells a file of one release from that of another. */
export function keptParts(
  cacheName: string,
  revisionOf: (url: URL) => string | undefined,
): WorkboxPlugin {
  return {
    cacheKeyWillBeUsed: async ({ request, mode, state }) => {
      // What is asked by a name of the cache is another request, which says nothing of a part.
      state!["asked"] = request;
      const revision = revisionOf(new URL(request.url)) ?? "";
      const whole = nameOf(request.url, revision, null);
      const range = request.headers.get("range");
      if (!range) return whole;
      const isWhole = mode === "read" && (await (await caches.open(cacheName)).match(whole));
      return isWhole ? whole : nameOf(request.url, revision, range);
    },
    cacheWillUpdate: async ({ request, response }) => {
      const { status, body, headers } = response;
      // Where a server has no parts to send, the page asks for the whole file next.
      if (request.headers.has("range"))
        return status === 206 ? new Response(body, { headers }) : null;
      return status === 200 ? response : null;
    },
    cachedResponseWillBeUsed: async ({ cachedResponse, state }) => {
      const asked: Request = state!["asked"];
      if (!cachedResponse || !asked.headers.has("range")) return cachedResponse;
      const { body, headers } = cachedResponse;
      return headers.has("content-range")
        ? new Response(body, { status: 206, headers })
        : createPartialResponse(asked, cachedResponse);
    },
  };
}

/**
 * Caches files after their first download, and parts of files (HTTP ranges). A cache rejects
 * responses of status 206, so a part is stored under a name of its own, and served as a part.
 */
import type { WorkboxPlugin } from "workbox-core";
import { createPartialResponse } from "workbox-range-requests";

const revisionName = "revision";
const partName = "part";

/** Returns the file of a name in the cache. */
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

/**
 * Returns a plugin that stores files and parts under names with the file's revision, so that
 * releases differ in their names.
 */
export function keptParts(
  cacheName: string,
  revisionOf: (url: URL) => string | undefined,
): WorkboxPlugin {
  return {
    cacheKeyWillBeUsed: async ({ request, mode, state }) => {
      // The request by the cache's name has no range header, so the original request is kept.
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
      // If a server does not support ranges, the page requests the whole file next.
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

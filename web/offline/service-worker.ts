/**
 * The site's service worker: keeps one release of the article whole, so that it opens without a
 * network, and the further files of figures after their first download. The build bundles this file
 * and adds the lists of the release (scripts/build/offline.mjs).
 */
import { canRun } from "whereformer/features";
import { cacheNames, clientsClaim } from "workbox-core";
import { type PrecacheEntry, precacheAndRoute } from "workbox-precaching";
import { registerRoute } from "workbox-routing";
import { CacheFirst } from "workbox-strategies";
import { keptKey, keptParts } from "./kept-parts.js";

/** Types of a service worker that TypeScript's types for documents lack. */
interface WorkerEvent extends Event {
  readonly data: { type?: string } | null;
  waitUntil(promise: Promise<unknown>): void;
}
interface Scope {
  registration: { scope: string };
  clients: {
    matchAll(options: { type: "window"; includeUncontrolled: true }): Promise<{ url: string }[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: "activate" | "message", hear: (event: WorkerEvent) => void): void;
}
const scope = self as unknown as Scope;

declare const release: {
  /** Files that must all be cached before the release is used. */
  article: PrecacheEntry[];
  /** Binaries by the variant of the engine; a browser uses one. */
  engine: Record<"simd" | "relaxed", PrecacheEntry[]>;
  /** Files that are cached after their first download: paths, and hashes of their content. */
  later: Record<string, string>;
};

const { article, engine, later } = release;
const isRelaxed = engine.relaxed.length > 0 && canRun("relaxed");
precacheAndRoute([...article, ...(isRelaxed ? engine.relaxed : engine.simd)], {
  cleanURLs: false,
});

const site = scope.registration.scope;
const revisionOf = ({ href }: URL): string | undefined =>
  href.startsWith(site) ? later[href.slice(site.length)] : undefined;

registerRoute(
  ({ url }) => revisionOf(url) !== undefined,
  new CacheFirst({
    plugins: [keptParts(cacheNames.runtime, revisionOf)],
    // Every file has one form, whatever the host's `Vary` header is.
    matchOptions: { ignoreVary: true },
  }),
);

/**
 * Deletes cached files that do not belong to this release: those of an older one, or parts of them.
 */
async function dropOthers(): Promise<void> {
  const cache = await caches.open(cacheNames.runtime);
  for (const request of await cache.keys()) {
    const kept = keptKey(request.url);
    if (revisionOf(kept.file) !== kept.revision) await cache.delete(request);
  }
}

scope.addEventListener("activate", (event) => event.waitUntil(dropOthers()));
clientsClaim();

/**
 * All open pages must have one release, so a newer one waits until no page is open. A page that has
 * just begun may activate it (keep.ts), unless another page is open.
 */
async function takeOver(): Promise<void> {
  const windows = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (windows.filter(({ url }) => url.startsWith(site)).length <= 1) await scope.skipWaiting();
}

scope.addEventListener("message", (event) => {
  if (event.data?.type === "SKIP_WAITING") event.waitUntil(takeOver());
});

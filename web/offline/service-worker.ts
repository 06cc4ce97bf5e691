/**
 * The site's service worker: one release of the article, kept whole, so that it opens without a
 * network. What a figure fetches beside it is kept from then on. The build bundles this file and
 * puts the lists of the release into it (scripts/build/offline.mjs).
 */
import { canRun } from "whereformer/features";
import { cacheNames, clientsClaim } from "workbox-core";
import { type PrecacheEntry, precacheAndRoute } from "workbox-precaching";
import { registerRoute } from "workbox-routing";
import { CacheFirst } from "workbox-strategies";
import { keptKey, keptParts } from "./kept-parts.js";

/** What TypeScript's types of documents lack of a service worker. */
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
  /** Whole before the release is shown at all. */
  article: PrecacheEntry[];
  /** Binaries by the variant of the engine, of which a browser runs one. */
  engine: Record<"simd" | "relaxed", PrecacheEntry[]>;
  /** Kept once a figure has fetched it: paths and what tells their content from another's. */
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
    // Every file has one form, whatever a host says that its answers vary with.
    matchOptions: { ignoreVary: true },
  }),
);

/** What no file of this release is: of an older one, or a part of it. */
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
 * A page may be of one release only, so the newer one waits until no page is open. A page that has
 * just begun may ask for it (keep.ts), unless there is another one beside it.
 */
async function takeOver(): Promise<void> {
  const windows = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (windows.filter(({ url }) => url.startsWith(site)).length <= 1) await scope.skipWaiting();
}

scope.addEventListener("message", (event) => {
  if (event.data?.type === "SKIP_WAITING") event.waitUntil(takeOver());
});

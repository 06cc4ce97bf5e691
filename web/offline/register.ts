/**
 * Keeps the article for a reader without a network: has the service worker fetch the rest of it,
 * behind the page, when nothing else is to be done.
 */
import { siteAddress } from "./site.js";

/** Not in every browser. */
const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
const { requestIdleCallback: whenIdle = (done: () => void) => void setTimeout(done) } =
  globalThis as { requestIdleCallback?: (done: () => void) => void };

const loaded = (): Promise<unknown> =>
  document.readyState === "complete"
    ? Promise.resolve()
    : new Promise((resolve) => addEventListener("load", resolve, { once: true }));

/** What came whole before the worker was there. */
const fetchedBefore = (): string[] =>
  (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
    .filter(({ responseStatus }) => responseStatus === 200)
    .map(({ name }) => name);

/** The form of a still picture that this window shows. */
function shownForm(picture: Element): string {
  const { media, srcset } = picture.querySelector("source")!;
  return matchMedia(media).matches
    ? new URL(srcset, document.baseURI).href
    : picture.querySelector("img")!.src;
}

/** A quarter of all still pictures: in both languages, those of this theme and of this width. */
const stills = (): string[] =>
  [...document.querySelectorAll(".at-rest:not(.unscripted) picture")]
    .filter((picture) => getComputedStyle(picture).display !== "none")
    .map(shownForm);

export async function keepArticle(): Promise<void> {
  const { serviceWorker } = navigator;
  const address = siteAddress("service-worker.js");
  // Absent where the page came by a way that others can read and change.
  if (!serviceWorker || !address || connection?.saveData) return;
  await loaded();
  await new Promise<void>((resolve) => void whenIdle(() => resolve()));
  try {
    await serviceWorker.register(address);
  } catch {
    // A browser may refuse, as in private windows: then there is the network.
    return;
  }
  // The worker looks for what it keeps among them, and fetches what it has not.
  const urlsToCache = [...new Set([...fetchedBefore(), ...stills()])].map((url) => [
    url,
    { priority: "low" },
  ]);
  const { active } = await serviceWorker.ready;
  active?.postMessage({ type: "CACHE_URLS", payload: { urlsToCache } });
}

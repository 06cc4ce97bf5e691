/**
 * The page's side of the service worker, which keeps the article for readers without a network:
 * starts loading the rest in the background, and lets a newer release take over.
 */
import { fetchedWhole } from "../engine/both/fetched.js";
import { engine } from "../engine/page/client.js";

/**
 * Returns the address of the site, from the link to its manifest on every page. There is none in
 * development, and nothing is kept.
 */
function siteAddress(path: string): URL | undefined {
  const manifest = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
  return manifest ? new URL(path, manifest.href) : undefined;
}

/** Undefined in some browsers. */
const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
const { requestIdleCallback: whenIdle = (done: () => void) => void setTimeout(done) } =
  globalThis as { requestIdleCallback?: (done: () => void) => void };

const idle = () => new Promise<void>((resolve) => void whenIdle(() => resolve()));
const loaded = (): Promise<unknown> =>
  document.readyState === "complete"
    ? Promise.resolve()
    : new Promise((resolve) => addEventListener("load", resolve, { once: true }));

/**
 * Returns the addresses of files that loaded whole, for the page or for the article's engine,
 * before there was a service worker.
 */
const fetchedBefore = async (isArticle: boolean): Promise<string[]> => [
  ...fetchedWhole(),
  ...(isArticle ? await engine.ask("fetched", {}).catch(() => []) : []),
];

/** Returns the form of a still picture that this window shows. */
function shownForm(picture: Element): string {
  const { media, srcset } = picture.querySelector("source")!;
  return matchMedia(media).matches
    ? new URL(srcset, document.baseURI).href
    : picture.querySelector("img")!.src;
}

/** Returns a quarter of all still pictures: both languages, in the current theme and width. */
function stills(): string[] {
  const { theme } = document.documentElement.dataset;
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const shown = `.at-rest:not(.unscripted) > .${theme ?? system}`;
  return [...document.querySelectorAll(shown)].map(shownForm);
}

/** Call after all other downloads of the page. */
export async function keepArticle(isArticle: boolean): Promise<void> {
  const { serviceWorker } = navigator;
  const address = siteAddress("service-worker.js");
  // Undefined unless the page was loaded over a secure connection.
  if (!serviceWorker || !address || connection?.saveData) return;
  await loaded();
  await idle();
  try {
    await serviceWorker.register(address);
  } catch {
    // A browser may refuse, as in private windows; the page then needs the network.
    return;
  }
  const { active } = await serviceWorker.ready;
  await idle();
  // The worker keeps those that belong to it, and loads missing ones.
  const wanted = new Set([...(await fetchedBefore(isArticle)), ...stills()]);
  const urlsToCache = [...wanted].map((url) => [url, { priority: "low" }]);
  active?.postMessage({ type: "CACHE_URLS", payload: { urlsToCache } });
}

/**
 * A newer release that arrived while an older one was open waits until no page is open. A reader
 * who reloads the only page should get it too, so a page that has just begun lets it take over.
 */
export async function takeNewerRelease(): Promise<void> {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker.getRegistration();
  if (!registration?.waiting) return;
  serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  registration.waiting.postMessage({ type: "SKIP_WAITING" });
}

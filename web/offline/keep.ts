/**
 * The page's side of the service worker, which keeps the article for a reader without a network:
 * has it fetch the rest behind the page, and gives way to a newer release.
 */
import { fetchedWhole } from "../engine/both/fetched.js";
import { engine } from "../engine/page/client.js";

/**
 * Where the site begins, as its manifest's link says on every page of it. In development there is
 * none, and nothing is kept.
 */
function siteAddress(path: string): URL | undefined {
  const manifest = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
  return manifest ? new URL(path, manifest.href) : undefined;
}

/** Not in every browser. */
const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
const { requestIdleCallback: whenIdle = (done: () => void) => void setTimeout(done) } =
  globalThis as { requestIdleCallback?: (done: () => void) => void };

const idle = () => new Promise<void>((resolve) => void whenIdle(() => resolve()));
const loaded = (): Promise<unknown> =>
  document.readyState === "complete"
    ? Promise.resolve()
    : new Promise((resolve) => addEventListener("load", resolve, { once: true }));

/** What came whole before the worker was there, to the page or to the article's engine. */
const fetchedBefore = async (isArticle: boolean): Promise<string[]> => [
  ...fetchedWhole(),
  ...(isArticle ? await engine.ask("fetched", {}).catch(() => []) : []),
];

/** The form of a still picture that this window shows. */
function shownForm(picture: Element): string {
  const { media, srcset } = picture.querySelector("source")!;
  return matchMedia(media).matches
    ? new URL(srcset, document.baseURI).href
    : picture.querySelector("img")!.src;
}

/** A quarter of all still pictures: in both languages, those of this theme and of this width. */
function stills(): string[] {
  const { theme } = document.documentElement.dataset;
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const shown = `.at-rest:not(.unscripted) > .${theme ?? system}`;
  return [...document.querySelectorAll(shown)].map(shownForm);
}

/** When nothing else is to be done. */
export async function keepArticle(isArticle: boolean): Promise<void> {
  const { serviceWorker } = navigator;
  const address = siteAddress("service-worker.js");
  // Absent where the page came by a way that others can read and change.
  if (!serviceWorker || !address || connection?.saveData) return;
  await loaded();
  await idle();
  try {
    await serviceWorker.register(address);
  } catch {
    // A browser may refuse, as in private windows: then there is the network.
    return;
  }
  const { active } = await serviceWorker.ready;
  await idle();
  // The worker looks for what it keeps among them, and fetches what it has not.
  const wanted = new Set([...(await fetchedBefore(isArticle)), ...stills()]);
  const urlsToCache = [...wanted].map((url) => [url, { priority: "low" }]);
  active?.postMessage({ type: "CACHE_URLS", payload: { urlsToCache } });
}

/**
 * A newer release that has come while an older one was read waits until no page is open. Who loads
 * the only page again is to have it too, so a page that has just begun gives way.
 */
export async function takeNewerRelease(): Promise<void> {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker.getRegistration();
  if (!registration?.waiting) return;
  serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  registration.waiting.postMessage({ type: "SKIP_WAITING" });
}

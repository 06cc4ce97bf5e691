/**
 * Starts the page: first the state, then the bar and the figures; then keeps language and theme on
 * the root element.
 */
import type { LitElement } from "lit";
import { yieldToEvents } from "whereformer/yield";
import type { WordSwap } from "./figures/word-swap/element.js";
import { bringLaterFaces } from "./loading/later-faces.js";
import { layOutTheRest } from "./loading/opening.js";
import { keepScrollPosition, keepScrollPositionThrough } from "./loading/scroll-position.js";
import { changeAsked } from "./page-state.js";
import { changes, page } from "./state.js";
import { textFor } from "./text/index.js";

const { page: schemePage } = document.documentElement.dataset;

function applyLanguageAndTheme(): void {
  const { language, theme } = page.state;
  const words = textFor(language);
  const root = document.documentElement;
  if (root.lang !== words.htmlLang)
    keepScrollPositionThrough(() => {
      root.lang = words.htmlLang;
    });
  if (theme) root.dataset["theme"] = theme;
  else delete root.dataset["theme"];
  // A scheme's page has one language and a title of its own.
  if (!schemePage) document.title = words.pageTitle;
}

/** Makes links set the state that their `data-shows` gives, for the figure at their target. */
function showWhatLinksAsk(): void {
  document.querySelector("main")!.addEventListener("click", ({ target }) => {
    const link = (target as Element).closest<HTMLElement>("a[data-shows]");
    if (link) page.set(changeAsked(link.dataset["shows"]!));
  });
}

/**
 * Sets the light theme for paper. Runs before the figures' listeners, since figures take their
 * colours from the page.
 */
function applyPrintTheme(): void {
  document.documentElement.dataset["theme"] = "light";
}

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** Resolves when the first figure shows its numbers or an error, or the reader has scrolled. */
function beginningIsOver(): Promise<unknown> {
  if (scrollY > 0) return Promise.resolve();
  const moves = new Promise((resolve) => addEventListener("scroll", resolve, { once: true }));
  const { alive } = document.querySelector<WordSwap>("wf-word-swap")!;
  return Promise.race([alive.then(frame).then(yieldToEvents), moves]);
}

async function openArticle(): Promise<void> {
  // Before the figures load, so that an early click on a link takes effect.
  showWhatLinksAsk();
  const putBack = keepScrollPosition();
  // While the first figure's files are loading.
  void frame().then(yieldToEvents).then(layOutTheRest);
  // After the state, because elements read it when they are created.
  const { fetchFiguresNear } = await import("./loading/early.js");
  // Rendered one after the other, each in its position in the article.
  const figures = [...document.querySelectorAll<LitElement>("main > section > *")];
  await Promise.all(figures.map((figure) => figure.updateComplete));
  putBack();
  // Earlier downloads would delay the first figure.
  await beginningIsOver();
  fetchFiguresNear();
  await bringLaterFaces();
}

// If the file cannot be loaded, the page works without it.
const keeping = () => import("./offline/keep.js").catch(() => undefined);

page.begin(schemePage !== undefined);
applyLanguageAndTheme();
changes.listen(applyLanguageAndTheme);
addEventListener("beforeprint", applyPrintTheme, { capture: true });
addEventListener("afterprint", applyLanguageAndTheme, { capture: true });

// Before other downloads, if the page is available offline.
if (navigator.serviceWorker?.controller) void keeping().then((keep) => keep?.takeNewerRelease());

if (schemePage) await import("./scheme-page.js");
else await openArticle();
// After all downloads of the page itself.
await (await keeping())?.keepArticle(!schemePage);

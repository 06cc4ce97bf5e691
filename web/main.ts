/**
 * Starts the page: state first, then the bar and the figures, then keeps language and theme on the
 * root.
 */
import type { LitElement } from "lit";
import type { WordSwap } from "./figures/word-swap/element.js";
import { bringLaterFaces } from "./later-faces.js";
import { layOutTheRest } from "./opening.js";
import { changeAsked } from "./page-state.js";
import { keepPlace, keepPlaceThrough } from "./place.js";
import { changes, page } from "./state.js";
import { textFor } from "./text/index.js";
import { nextTask } from "./turns.js";

const { page: ownPage } = document.documentElement.dataset;

function dress(): void {
  const { language, theme } = page.state;
  const words = textFor(language);
  const root = document.documentElement;
  if (root.lang !== words.htmlLang)
    keepPlaceThrough(() => {
      root.lang = words.htmlLang;
    });
  if (theme) root.dataset["theme"] = theme;
  else delete root.dataset["theme"];
  // A page that is about something else is in one language, and has a title of its own.
  if (!ownPage) document.title = words.pageTitle;
}

/** A link may say what the figure that it leads to is to show. */
function showWhatLinksAsk(): void {
  document.querySelector("main")!.addEventListener("click", ({ target }) => {
    const link = (target as Element).closest<HTMLElement>("a[data-shows]");
    if (link) page.set(changeAsked(link.dataset["shows"]!));
  });
}

/** Paper is light. Figures take their colours from the page, so they are told after it is. */
function dressForPaper(): void {
  document.documentElement.dataset["theme"] = "light";
}

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** The first figure shows its numbers or says why not, or the reader has moved on. */
function beginningIsOver(): Promise<unknown> {
  if (scrollY > 0) return Promise.resolve();
  const moves = new Promise((resolve) => addEventListener("scroll", resolve, { once: true }));
  const { alive } = document.querySelector<WordSwap>("wf-word-swap")!;
  return Promise.race([alive.then(frame).then(nextTask), moves]);
}

async function openArticle(): Promise<void> {
  // At once: who clicks before the figures have come finds them as the link says.
  showWhatLinksAsk();
  const putBack = keepPlace();
  // While the first figure's files are on their way.
  void frame().then(nextTask).then(layOutTheRest);
  // After the state, because elements read it when they are born.
  const { fetchFiguresNear } = await import("./early.js");
  // Drawn one after the other, each where it stands in the article.
  const figures = [...document.querySelectorAll<LitElement>("main > section > *")];
  await Promise.all(figures.map((figure) => figure.updateComplete));
  putBack();
  // Whatever else is fetched before would be in the way of the first figure.
  await beginningIsOver();
  fetchFiguresNear();
  await bringLaterFaces();
}

// Without its file the page goes on as it is.
const keeping = () => import("./offline/keep.js").catch(() => undefined);

page.begin(ownPage !== undefined);
dress();
changes.listen(dress);
addEventListener("beforeprint", dressForPaper, { capture: true });
addEventListener("afterprint", dress, { capture: true });

// Before anything has come, in a page that is kept.
if (navigator.serviceWorker?.controller) void keeping().then((keep) => keep?.takeNewerRelease());

if (ownPage) await import("./scheme-page.js");
else await openArticle();
// After all that the page itself asks for.
await (await keeping())?.keepArticle(!ownPage);

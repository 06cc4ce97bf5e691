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
import { changes, page } from "./state.js";
import { textFor } from "./text/index.js";

/** Of a scheme's page; titles of a tool's page. */
const { page: schemePage, titleEn, titleZh } = document.documentElement.dataset;
const toolTitles = { en: titleEn, zh: titleZh };

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
  if (!schemePage) document.title = toolTitles[language] ?? words.pageTitle;
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

let site: typeof import("./site.js") | undefined;

/** What leads to other pages loads with the first click, or after the first figure. */
async function loadSite(): Promise<typeof import("./site.js")> {
  site ??= await import("./site.js");
  return site;
}

/** Until then a link to another page waits, so that the reader's choices go along. */
function followLinks(event: MouseEvent): void {
  const path = event.composedPath();
  if (site) {
    site.followLink(path);
    return;
  }
  const link = (event.target as Element).closest("a");
  const leaves = link && link.pathname !== location.pathname && !event.ctrlKey && !event.metaKey;
  if (leaves) event.preventDefault();
  void loadSite().then(({ followLink }) => {
    followLink(path);
    if (leaves) location.assign(link.href);
  });
}

/** Returns whether the reader is sent to another page, which has what the address asks for. */
const isSentOn = async (): Promise<boolean> =>
  /^#(?!v=)|&at=/.test(location.hash) && (await loadSite()).leaveForTarget();

/** Tables of a tool's page whose columns can be sorted. */
async function sortTables(): Promise<void> {
  const tables = document.querySelectorAll<HTMLTableElement>(".models table");
  if (!tables.length) return;
  const { makeSortable } = await import("./controls/sortable.js");
  for (const table of tables) makeSortable(table);
}

/** The essay has a first figure, which loads with the page; a tool's page has none. */
async function openText(isEssay: boolean): Promise<void> {
  // Before the figures load, so that an early click on a link takes effect.
  document.querySelector("main")!.addEventListener("click", followLinks, { capture: true });
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
  if (isEssay) await beginningIsOver();
  fetchFiguresNear();
  await sortTables();
  await loadSite();
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

addEventListener("hashchange", () => void isSentOn());
if (schemePage || !(await isSentOn())) {
  if (schemePage) await import("./scheme-page.js");
  else await openText(titleEn === undefined);
  // After all downloads of the page itself.
  await (await keeping())?.keepArticle(!schemePage);
}

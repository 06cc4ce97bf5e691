/**
 * Starts the page: state first, then the bar and the figures, then keeps language and theme on the
 * root.
 */
import type { LitElement } from "lit";
import { keepPlace } from "./place.js";
import { changes, page } from "./state.js";
import { textFor } from "./text/index.js";

function dress(): void {
  const { language, theme } = page.state;
  const words = textFor(language);
  const root = document.documentElement;
  root.lang = words.htmlLang;
  if (theme) root.dataset["theme"] = theme;
  else delete root.dataset["theme"];
  document.title = words.pageTitle;
}

page.begin();
dress();
changes.listen(dress);

const putBack = keepPlace();
// After the state, because elements read it when they are born.
await import("./elements.js");
// Drawn one after the other, each where it stands in the article.
const figures = [...document.querySelectorAll<LitElement>("main > section > *")];
await Promise.all(figures.map((figure) => figure.updateComplete));
putBack();

/** Adds the colours and fonts that another page lacks, and follows its languages. */
import { languageIn } from "./language-of.js";
import { page } from "./state.js";
import tokens from "./styles/tokens.css?inline";

// All of these names begin with --wf-, so none of the page's is changed. There is no document on a
// server, and a simulated one may have no adopted style sheets.
const { documentElement, defaultView, adoptedStyleSheets } = globalThis.document ?? {};
// A page may set some of the colours itself, but hardly this font.
const needsTokens =
  adoptedStyleSheets &&
  !defaultView?.getComputedStyle(documentElement!).getPropertyValue("--wf-latin-serif");
if (needsTokens) {
  const sheet = new CSSStyleSheet();
  // `:where` has no specificity, so the page's own values win, whether set before or later.
  sheet.replaceSync(tokens.replace(/:root(\[[^\]]*\])?/g, ":where($&)"));
  document.adoptedStyleSheets = [...adoptedStyleSheets, sheet];
}

// A change of `lang` in the page changes the language of the figures inside.
if (globalThis.MutationObserver && documentElement) {
  const observer = new MutationObserver(() => {
    page.set({ language: languageIn(documentElement.lang) });
    page.changes.tell("language");
  });
  observer.observe(documentElement, { subtree: true, attributeFilter: ["lang"] });
}

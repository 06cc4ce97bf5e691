/** What somebody else's page has not: our colours and faces, and who follows its languages. */
import { languageIn } from "./language-of.js";
import { page } from "./state.js";
import tokens from "./styles/tokens.css?inline";

// Another page has not our colours yet; its own names are left alone, ours all begin with --wf-. On
// a server there is no page, and one that only stands in for a browser may know no such sheets.
const { documentElement, defaultView, adoptedStyleSheets } = globalThis.document ?? {};
// A page may have set some of the colours, but nobody sets these faces.
const isUndressed =
  adoptedStyleSheets &&
  !defaultView?.getComputedStyle(documentElement!).getPropertyValue("--wf-latin-serif");
if (isUndressed) {
  const sheet = new CSSStyleSheet();
  // Whatever that page says of itself, before or later, counts more.
  sheet.replaceSync(tokens.replace(/:root(\[[^\]]*\])?/g, ":where($&)"));
  document.adoptedStyleSheets = [...adoptedStyleSheets, sheet];
}

// Whoever changes a `lang` there changes what the figures in it speak.
if (globalThis.MutationObserver && documentElement) {
  const observer = new MutationObserver(() => {
    page.set({ language: languageIn(documentElement.lang) });
    page.changes.tell("language");
  });
  observer.observe(documentElement, { subtree: true, attributeFilter: ["lang"] });
}

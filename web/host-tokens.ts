/** Colours and faces for elements in somebody else's page. */
import tokens from "./styles/tokens.css?inline";

// Another page has not our colours yet; its own names are left alone, ours all begin with --wf-. On
// a server there is no page, and one that only stands in for a browser may know no such sheets.
const { documentElement, defaultView, adoptedStyleSheets } = globalThis.document ?? {};
const isUndressed =
  adoptedStyleSheets &&
  !defaultView?.getComputedStyle(documentElement!).getPropertyValue("--wf-paper");
if (isUndressed) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(tokens);
  document.adoptedStyleSheets = [...adoptedStyleSheets, sheet];
}

/** Importing this file defines every element, for this page or for any other. */
import "./controls/bar.js";
import "./figures/who-chases/element.js";
import "./figures/causal-order/element.js";
import "./figures/scheme-gallery/element.js";
import "./figures/scheme-gallery/alone.js";
import "./figures/turning-pairs/element.js";
import "./figures/stretch/element.js";
import "./figures/longer-reading/element.js";
import "./figures/real-heads/element.js";
import "./figures/score-terms/element.js";
import "./figures/distance-curve/element.js";
import "./figures/surgery/element.js";
import "./figures/train-short/element.js";
import "./figures/length-curves/element.js";
import "./figures/cache-bytes/element.js";
import "./figures/absorption/element.js";
import "./figures/decoding-forms/element.js";
import "./figures/costs/element.js";
import "./figures/chooser/element.js";
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

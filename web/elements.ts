/** Importing this file defines every element, for this page or for any other. */
import "./controls/bar.js";
import "./figures/who-chases.js";
import "./figures/causal-order.js";
import "./figures/scheme-gallery.js";
import "./figures/real-heads.js";
import "./figures/score-terms.js";
import "./figures/distance-curve.js";
import "./figures/surgery.js";
import "./figures/train-short.js";
import "./figures/length-curves.js";
import "./figures/costs.js";
import tokens from "./styles/tokens.css?inline";

// Another page has not our colours yet; its own names are left alone, ours all begin with --wf-.
const declared = getComputedStyle(document.documentElement).getPropertyValue("--wf-paper");
if (!declared) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(tokens);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

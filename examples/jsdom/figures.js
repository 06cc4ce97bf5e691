import { JSDOM } from "jsdom";

// As a component's test has it: documents, and no window that anybody looks at.
const { window } = new JSDOM("<!doctype html><main></main>");
for (const name of ["document", "Document", "HTMLElement", "ShadowRoot", "CSSStyleSheet"])
  globalThis[name] = window[name];
for (const name of ["customElements", "Node", "Element", "CustomEvent", "MutationObserver"])
  globalThis[name] = window[name];
globalThis.window = window;
window.addEventListener("error", ({ error }) => console.log(String(error)));

await import("whereformer/elements");

const main = document.querySelector("main");
main.innerHTML = `
  <wf-who-chases></wf-who-chases>
  <wf-causal-order></wf-causal-order>
  <wf-scheme-gallery></wf-scheme-gallery>
  <wf-turning-pairs></wf-turning-pairs>
  <wf-real-heads models="models/"></wf-real-heads>
  <wf-score-terms models="models/"></wf-score-terms>
  <wf-distance-curve models="models/"></wf-distance-curve>
  <wf-surgery models="models/"></wf-surgery>
  <wf-train-short models="models/"></wf-train-short>
  <wf-length-curves models="models/"></wf-length-curves>
  <wf-costs></wf-costs>`;
const defined = [...main.children].filter(({ localName }) => customElements.get(localName));
console.log("defined", defined.length, "of", main.children.length);
main.replaceChildren();

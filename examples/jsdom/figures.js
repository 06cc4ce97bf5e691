import { readFileSync } from "node:fs";
import { JSDOM } from "jsdom";

// As in a test of a component: a document without a visible window.
const { window } = new JSDOM("<!doctype html><main></main>");
for (const name of ["document", "Document", "HTMLElement", "ShadowRoot", "CSSStyleSheet"])
  globalThis[name] = window[name];
for (const name of ["customElements", "Node", "Element", "CustomEvent", "MutationObserver"])
  globalThis[name] = window[name];
globalThis.window = window;
window.addEventListener("error", ({ error }) => console.log(String(error)));

await import("whereformer/elements");

// Every element that the package describes.
const list = new URL(import.meta.resolve("whereformer/custom-elements.json"));
const { modules } = JSON.parse(readFileSync(list, "utf8"));
const main = document.querySelector("main");
for (const { declarations } of modules)
  for (const { tagName, attributes } of declarations) {
    const figure = document.createElement(tagName);
    if (attributes.some(({ name }) => name === "models")) figure.setAttribute("models", "models/");
    main.append(figure);
  }
const defined = [...main.children].filter(({ localName }) => customElements.get(localName));
// Waits until they have rendered as much as possible without a window.
await new Promise((resolve) => setTimeout(resolve));
console.log("defined", defined.length, "of", main.children.length);
main.replaceChildren();

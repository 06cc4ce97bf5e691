// Substitutes for the page in which elements are drawn; must be imported before them.

import { LitElement } from "lit";
import { standInForBrowser } from "../stills/browser.mjs";
import { measure } from "../stills/widths.mjs";

standInForBrowser("http://localhost/", () => import("../../../web/engine/worker/worker.ts"));

/** A canvas that only measures texts. */
const context = {
  font: "",
  measureText(text) {
    return { width: measure(text, Number(/([\d.]+)px/.exec(this.font)?.[1] ?? 16)) };
  },
};
document.createElement = () => ({ getContext: () => context });
globalThis.Element ??= class {};
globalThis.MutationObserver = class {
  observe() {}
  disconnect() {}
};
Object.defineProperty(LitElement.prototype, "isConnected", { get: () => true });

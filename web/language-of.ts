/** The language and the theme in force on an element. */
import type { Language } from "./defaults.js";
import type { Theme } from "./page-state.js";
import { page } from "./state.js";

/** Returns the nearest value of an attribute around an element, across shadow roots. */
function nearest(element: Element, attribute: string): string | undefined {
  for (let inner: Element | undefined = element; inner; ) {
    const said: Element | null = inner.closest(`[${attribute}]`);
    if (said && said !== document.documentElement) return said.getAttribute(attribute)!;
    const tree = inner.getRootNode();
    inner = tree instanceof ShadowRoot ? tree.host : undefined;
  }
  return undefined;
}

export const languageIn = (said: string): Language =>
  said.toLowerCase().startsWith("zh") ? "zh" : "en";

/**
 * Returns the language of an element: that of the nearest element around it with one, across shadow
 * roots; else the page's.
 */
export function languageOf(element: Element): Language {
  const said = nearest(element, "lang");
  return said === undefined ? page.state.language : languageIn(said);
}

/** Returns the element of this package in whose shadow root another is. */
function outerOf(element: Element): Element | undefined {
  const tree = element.getRootNode();
  const host = tree instanceof ShadowRoot ? tree.host : undefined;
  return host?.localName.startsWith("wf-") ? host : undefined;
}

/**
 * Returns the figure that contains an element, across shadow roots of this package; by default the
 * element itself.
 */
export function figureOf(element: Element): Element {
  const outer = outerOf(element);
  return outer ? figureOf(outer) : element;
}

/** Returns the theme of the figure around an element; else the page's. */
export function themeOf(element: Element): Theme {
  for (let inner: Element | undefined = element; inner; inner = outerOf(inner)) {
    const said = inner.getAttribute("theme");
    if (said === "light" || said === "dark") return said;
  }
  return page.state.theme;
}

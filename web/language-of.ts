/** The language of a place, and its theme. */
import type { Language } from "./defaults.js";
import type { Theme } from "./page-state.js";
import { page } from "./state.js";

/** What the nearest element around one says by an attribute, out of every shadow it stands in. */
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
 * What an element speaks: the language of the nearest element around it that says one, out of every
 * shadow that it stands in; else the page's.
 */
export function languageOf(element: Element): Language {
  const said = nearest(element, "lang");
  return said === undefined ? page.state.language : languageIn(said);
}

/** The element of ours in whose shadow one stands. */
function outerOf(element: Element): Element | undefined {
  const tree = element.getRootNode();
  const host = tree instanceof ShadowRoot ? tree.host : undefined;
  return host?.localName.startsWith("wf-") ? host : undefined;
}

/** The figure that an element stands in, out of every shadow of ours; itself where in none. */
export function figureOf(element: Element): Element {
  const outer = outerOf(element);
  return outer ? figureOf(outer) : element;
}

/** The theme that the figure around a place was given; else the page's. */
export function themeOf(element: Element): Theme {
  for (let inner: Element | undefined = element; inner; inner = outerOf(inner)) {
    const said = inner.getAttribute("theme");
    if (said === "light" || said === "dark") return said;
  }
  return page.state.theme;
}

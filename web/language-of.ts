/** The language of a place. */
import type { Language } from "./defaults.js";
import { page } from "./state.js";

/**
 * What an element speaks: the language of the nearest element around it that says one, out of every
 * shadow that it stands in; else the page's.
 */
export function languageOf(element: Element): Language {
  for (let inner: Element | undefined = element; inner; ) {
    const said: Element | null = inner.closest("[lang]");
    if (said && said !== document.documentElement)
      return said.getAttribute("lang")!.toLowerCase().startsWith("zh") ? "zh" : "en";
    const tree = inner.getRootNode();
    inner = tree instanceof ShadowRoot ? tree.host : undefined;
  }
  return page.state.language;
}

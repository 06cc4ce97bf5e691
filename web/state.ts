/** Groups of figures and the state that each has in common; the article's is in the address. */
import { Changes } from "./changes.js";
import { remember } from "./memory.js";
import {
  initialState,
  type PageState,
  readField,
  readFragment,
  writeFragment,
} from "./page-state.js";

/**
 * What can change beside the state: what the models' session knows, and the cell that is pointed
 * at.
 */
export type Part = keyof PageState | "models" | "reading" | "detail" | "corpus" | "pointed";

const sameValue = (a: PageState[keyof PageState], b: PageState[keyof PageState]): boolean =>
  String(a) === String(b);

/** What some figures have in common, or what one has for itself. */
export class Group {
  readonly changes = new Changes<Part>();
  /** It begins in the language of the document. */
  state: PageState = {
    ...initialState,
    language: globalThis.document?.documentElement.lang.startsWith("zh") ? "zh" : "en",
  };

  /** Returns the names of what is another now. */
  set(change: Partial<PageState>): (keyof PageState)[] {
    const before = this.state;
    this.state = { ...before, ...change };
    const names = (Object.keys(change) as (keyof PageState)[]).filter(
      (name) => !sameValue(before[name], this.state[name]),
    );
    this.changes.tell(...names);
    return names;
  }
}

/** The group of the article, whose state is in the address. */
class Page extends Group {
  /** True where the address is ours to write; false for elements in another page. */
  ownsAddress = false;
  #writing = 0;

  /**
   * Reads address, memory and browser, in that order of weight; a page in one language keeps it.
   */
  begin(isInOneLanguage = false): void {
    this.ownsAddress = true;
    const preferred = navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
    const fixed = isInOneLanguage ? { language: this.state.language } : {};
    const written = (hash: string): PageState => ({
      ...initialState,
      language: readField("language", remember("language")) ?? preferred,
      theme: readField("theme", remember("theme")) ?? "",
      ...readFragment(hash),
      ...fixed,
    });
    this.state = written(location.hash);
    addEventListener("hashchange", ({ newURL }) => {
      const { hash } = new URL(newURL);
      // A place in the page ("#try") says nothing of its state; an address without one is the
      // beginning.
      if (hash && !hash.startsWith("#v=")) return;
      // An earlier change that is still to be written is overtaken; one that was written before the
      // page heard of the link stands in the address instead of it.
      clearTimeout(this.#writing);
      this.set(written(hash), location.href !== newURL);
    });
  }

  override set(change: Partial<PageState>, write = true): (keyof PageState)[] {
    const names = super.set(change);
    if (!this.ownsAddress) return names;
    if (change.language) remember("language", change.language);
    if (change.theme !== undefined) remember("theme", change.theme);
    if (!write || !names.length) return names;
    // Typing must not flood the history: one step after the last change, to which Back leads back.
    clearTimeout(this.#writing);
    this.#writing = window.setTimeout(
      () => history.pushState(null, "", writeFragment(this.state)),
      250,
    );
    return names;
  }

  /** Shows and returns the address of this state that opens at the figure with that id. */
  link(at: string): string {
    const address = new URL(writeFragment(this.state, at), location.href).href;
    // The write of an earlier change, still to come, would take the place out of it again.
    clearTimeout(this.#writing);
    history.replaceState(null, "", address);
    return address;
  }

  /** A step of the reader's to another place of the page, from which Back leads back. */
  visit(at: string): void {
    if (!this.ownsAddress) return;
    clearTimeout(this.#writing);
    history.replaceState(null, "", writeFragment(this.state));
    history.pushState(null, "", writeFragment(this.state, at));
  }
}

export const page = new Page();

/** Where every change of the page is told. */
export const { changes } = page;

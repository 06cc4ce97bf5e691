/** Groups of figures with a common state; the article's state is in the address. */
import { Changes } from "./changes.js";
import { remember } from "./memory.js";
import {
  initialState,
  type PageState,
  readField,
  readFragment,
  writeFragment,
} from "./page-state.js";

/** Further parts that can change: data of the models' session, and the cell under the pointer. */
export type Part = keyof PageState | "models" | "textAnswer" | "detail" | "corpus" | "pointed";

const sameValue = (a: PageState[keyof PageState], b: PageState[keyof PageState]): boolean =>
  String(a) === String(b);

/** The state of one figure, or of several with one name. */
export class Group {
  readonly changes = new Changes<Part>();
  /** Initially in the language of the document. */
  state: PageState = {
    ...initialState,
    language: globalThis.document?.documentElement.lang.startsWith("zh") ? "zh" : "en",
  };

  /** Returns the names of the fields that have changed. */
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
  /** True if the page owns the address; false for elements in another page. */
  ownsAddress = false;
  #writing = 0;

  /**
   * Reads the state from the address, else from storage, else from the browser's settings; a page
   * in one language keeps it.
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
      // A link to a section ("#try") leaves the state as it is; an address without a fragment sets
      // the defaults.
      if (hash && !hash.startsWith("#v=")) return;
      // Cancels an earlier change that is not yet written. If one was written before this event,
      // the address now holds it instead of the link's state, and is written again.
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
    // Writes one entry to the history after the last of several quick changes, such as typing.
    clearTimeout(this.#writing);
    this.#writing = window.setTimeout(
      () => history.pushState(null, "", writeFragment(this.state)),
      250,
    );
    return names;
  }

  /**
   * Writes to the address bar, and returns, the address of this state at the figure with that id.
   */
  link(at: string): string {
    const address = new URL(writeFragment(this.state, at), location.href).href;
    // A write that is still waiting would remove the figure's id from the address.
    clearTimeout(this.#writing);
    history.replaceState(null, "", address);
    return address;
  }

  /** Returns the address of a page of the site with this state, at the place with that id. */
  addressOf(href: string, id: string, change: Partial<PageState> = {}): string {
    const address = new URL(href);
    address.hash = writeFragment({ ...this.state, ...change }, id);
    return address.href;
  }

  /** Adds a history entry for another section of the page, from which Back returns. */
  visit(at: string): void {
    if (!this.ownsAddress) return;
    clearTimeout(this.#writing);
    history.replaceState(null, "", writeFragment(this.state));
    history.pushState(null, "", writeFragment(this.state, at));
  }
}

export const page = new Page();

/** The event bus of the page. */
export const { changes } = page;

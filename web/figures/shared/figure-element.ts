/**
 * What every figure element shares: the page's state and language, waking near the screen, failing
 * in words.
 */
import { css, LitElement, type PropertyValues } from "lit";
import type { SceneView } from "../../controls/scene-view.js";
import { quiet } from "../../controls/shared-styles.js";
import { type Failure, failureOf } from "../../engine/both/failure.js";
import { languageOf } from "../../language-of.js";
import { changes, type PageState, type Part, page } from "../../state.js";
import { type Bilingual, type Text, textFor, wordsIn } from "../../text/index.js";
import { fetchSchemeWords, schemeWords } from "../../text/schemes.js";
import { takeTurn } from "../../turns.js";
import { type SharedWords, sharedWords } from "./words.js";

/** Figures stay in their column, unless the page says how far they may reach out of it. */
export const figureStyles = [
  quiet,
  css`
    :host {
      position: relative;
      clear: both;
      margin-block: 2.2rem 2.8rem;
    }

    .query {
      color: var(--wf-query);
    }

    .key {
      color: var(--wf-key);
    }

    @media (min-width: 50rem) {
      :host {
        width: var(--wf-reach, auto);
        margin-inline-start: calc((100% - var(--wf-reach, 100%)) / 2);
      }
    }
  `,
];

/** Figures that are read like a sentence stay inside the column. */
export const insideStyles = [
  ...figureStyles,
  css`
    @media (min-width: 50rem) {
      :host {
        width: auto;
        margin-inline-start: 0;
      }
    }
  `,
];

export abstract class FigureElement extends LitElement {
  static override properties = { failure: { state: true } };

  declare failure: Failure | undefined;
  static override styles = figureStyles;

  /** How often it has rendered: tests hold it to once for each change. */
  renders = 0;
  #onChange = (parts: ReadonlySet<Part>) => {
    const names: readonly Part[] = ["language", "theme", ...this.watched];
    if (!names.some((name) => parts.has(name))) return;
    this.requestUpdate();
    if (this.isAwake) this.stateChanged();
  };
  #watch: IntersectionObserver | undefined;
  protected isAwake = false;

  /** The numbers in the picture; undefined until there are any. */
  abstract get data(): unknown;
  /**
   * What the figure shows of the page, beside language and theme: it renders when one of these
   * changes.
   */
  protected abstract get watched(): readonly Part[];
  /**
   * True where a link, a click or a key has opened it: it is then awake however far away it stands.
   */
  protected get isOpened(): boolean {
    return false;
  }
  /** True where it is as high as it will be. */
  protected get isFilled(): boolean {
    return this.data !== undefined;
  }

  /** First time near the screen, or opened. */
  protected wake(): void {
    this.stateChanged();
  }

  /** One of these has changed while the figure is awake. */
  protected abstract stateChanged(): void;

  /** What the whole page says, in the language in force. */
  protected get words(): Text {
    return textFor(languageOf(this));
  }

  /** What several figures say. */
  protected get shared(): SharedWords {
    return this.say(sharedWords);
  }

  /** A figure's own words in the language in force. */
  protected say<T>(words: Bilingual<T>): T {
    return wordsIn(languageOf(this), words);
  }

  /** Has the schemes' names come in the language in force; without them they go by their ids. */
  protected fetchNames(): void {
    const { language } = this.state;
    if (schemeWords(language)) return;
    const come = () => this.requestUpdate();
    fetchSchemeWords(language).then(come, come);
  }

  /** What the reader chose, with the language of this place. */
  protected get state(): PageState {
    const language = languageOf(this);
    return language === page.state.language ? page.state : { ...page.state, language };
  }

  protected scene(): SceneView | null {
    return this.renderRoot.querySelector("wf-scene");
  }

  override connectedCallback(): void {
    // What only stands in for a browser, as where components are tested, shows nobody a figure.
    if (!globalThis.IntersectionObserver) return;
    super.connectedCallback();
    changes.listen(this.#onChange);
    if (this.isOpened) {
      this.#awaken();
      return;
    }
    this.#watch = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) this.#awaken();
      },
      { rootMargin: "600px 0px" },
    );
    this.#watch.observe(this);
  }

  #awaken(): void {
    this.#watch?.disconnect();
    this.isAwake = true;
    this.wake();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    changes.forget(this.#onChange);
    this.#watch?.disconnect();
  }

  /**
   * All figures of a page are there at once: each draws itself for the first time in a task of its
   * own.
   */
  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated && this.getRootNode() === document) await takeTurn();
    await super.scheduleUpdate();
    // The page keeps a place for what is not drawn yet, and for numbers that are to come.
    this.toggleAttribute("drawn", true);
    this.toggleAttribute("filled", this.isFilled || this.failure !== undefined);
  }

  protected override update(changed: PropertyValues): void {
    this.renders += 1;
    super.update(changed);
  }

  /** Runs a question; a failure takes the picture's place. */
  protected async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.failure = undefined;
    } catch (reason) {
      this.failure = failureOf(reason);
    }
  }
}

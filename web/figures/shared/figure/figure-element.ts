/**
 * Base of all figure elements: holds the state of the group and the language, starts when near the
 * window, and shows failures.
 */
import { html, LitElement, nothing, type PropertyDeclaration, type PropertyValues } from "lit";
import type { SceneView } from "../../../controls/scene-view.js";
import { type Failure, failureOf } from "../../../engine/both/failure.js";
import { languageOf, themeOf } from "../../../language-of.js";
import type { PageState } from "../../../page-state.js";
import { Group, type Part, page } from "../../../state.js";
import { afterEarlierCallers } from "../../../tasks.js";
import { type Bilingual, type Text, textFor, wordsIn } from "../../../text/index.js";
import { fetchSchemeWords, schemeWords } from "../../../text/schemes.js";
import { GivenProperties } from "../given/given-properties.js";
import { flag, type KindProperty, mirrored, ofKind, oneOf, text, title } from "../given/kinds.js";
import { figureStyles } from "./figure-styles.js";
import type { Frame } from "./frame.js";
import { groupNamed, type StateProperty, valueIn } from "./state-properties.js";
import { keepStill } from "./still-picture.js";
import { followText } from "./text-around.js";
import { titleOf } from "./title-of.js";
import { VisibilityScheduler } from "./visibility-scheduler.js";
import { type SharedWords, sharedWords } from "./words.js";

export { figureStyles } from "./figure-styles.js";

/** Time after its numbers in which a figure may still grow. */
const partsMilliseconds = 1000;

/** Recognises figures of other copies of this package too, whose classes differ. */
const isFigure = (element: Element | undefined): element is FigureElement =>
  element !== undefined && "figures" in element;

/**
 * @attr {string} lang - Language of the figure: Chinese if it begins with `zh`, otherwise English.
 *   By default that of the nearest `lang` attribute around it.
 * @fires {CustomEvent<Record<string, unknown>>} wf-change - The reader has changed something:
 *   `detail` has the new values by the names of the properties. Values set by a program do not fire
 *   it.
 * @csspart heading - The title.
 * @csspart ask - Text fields, choices and texts above the picture.
 * @csspart picture - The picture, or the message in its place if it has failed.
 * @csspart reading - The caption: a sentence with the picture's result.
 * @csspart legend - Scales and colours below the picture.
 * @csspart controls - The controls.
 * @csspart options - Content below the controls, as wide as the picture: tables, more options.
 * @csspart small - Note and caveat together.
 * @csspart note - The meaning and the source of the numbers.
 * @csspart caveat - The limits of the picture.
 * @csspart actions - The line of actions: code, picture, data.
 * @csspart action - One of the actions.
 * @csspart code - The code, if it is shown.
 * @csspart failure - The message in the picture's place if it has failed.
 * @cssprop --wf-paper - Background.
 * @cssprop --wf-ink - Text and lines.
 * @cssprop --wf-soft - Secondary text and lines.
 * @cssprop --wf-hair - Hairlines.
 * @cssprop --wf-query - Queries.
 * @cssprop --wf-key - Keys.
 * @cssprop --wf-content - Contributions of the content.
 * @cssprop --wf-position - Contributions of the position.
 * @cssprop --wf-weight-0 - Attention weights: zero.
 * @cssprop --wf-weight-1 - Attention weights: one fifth of the way.
 * @cssprop --wf-weight-2 - Attention weights: two fifths of the way.
 * @cssprop --wf-weight-3 - Attention weights: three fifths of the way.
 * @cssprop --wf-weight-4 - Attention weights: four fifths of the way.
 * @cssprop --wf-weight-5 - Attention weights: the largest.
 * @cssprop --wf-minus - The smallest of signed numbers.
 * @cssprop --wf-plus - The largest of signed numbers.
 * @cssprop --wf-sans - Font of labels and controls.
 * @cssprop --wf-serif - Font of sentences.
 * @cssprop --wf-mono - Font of code.
 */
export abstract class FigureElement extends LitElement {
  /** Selector of the controls that stay in the essay; "" for none. */
  static lead = "";
  static override properties: Record<string, PropertyDeclaration | StateProperty | KindProperty> = {
    failure: { state: true },
    group: ofKind(text),
    theme: mirrored(ofKind(oneOf(["light", "dark", "auto", ""]))),
    heading: ofKind(title),
    compact: mirrored(ofKind(flag, false)),
  };

  /** @internal */
  declare failure: Failure | undefined;
  /**
   * Figures of the same group share text, scheme, layer and other state; without a group each has
   * its own. In the article all figures are one group.
   */
  declare group: string | undefined;
  /** `light` or `dark`; by default, or with `auto`, the `color-scheme` of the element around it. */
  declare theme: "light" | "dark" | "auto" | "" | undefined;
  /** Title in place of the figure's; empty or `none` for no title. */
  declare heading: string | undefined;
  /** Shows only the picture with its scales and its caption: no controls, notes or actions. */
  declare compact: boolean;
  static override styles = figureStyles;

  /** Number of renderings: tests require one for each change. */
  renders = 0;
  #group: Group | undefined;
  #joined: Group | undefined;
  protected given = new GivenProperties();
  #onChange = (parts: ReadonlySet<Part>) => {
    const names: readonly Part[] = ["language", "theme", ...this.watched];
    if (!names.some((name) => parts.has(name))) return;
    this.#visibility.tell();
  };
  /** Follows language and theme of the page in a figure that has a state of its own. */
  #onPage = (parts: ReadonlySet<Part>) => {
    if (!parts.has("language") && !parts.has("theme")) return;
    const look = { language: languageOf(this), theme: themeOf(this) };
    // Figures of one group may differ in language; each shows its own.
    if (this.#joined === page || !this.#joined!.set(look).length) this.#onChange(parts);
  };
  #visibility = new VisibilityScheduler(
    () => this.#awaken(),
    () => {
      this.requestUpdate();
      if (this.isAwake) this.stateChanged();
    },
  );
  #gone = new AbortController();
  #isSpaceReserved = true;
  #freeing: ReturnType<typeof setTimeout> | undefined;
  protected isAwake = false;

  static override get observedAttributes(): string[] {
    // biome-ignore lint/complexity/noThisInStatic: Lit calls it for the subclass
    return [...super.observedAttributes, "lang"];
  }

  /**
   * Properties that are fields of the state read and write the group's state; properties with a
   * kind are checked by it and stored in this element.
   */
  static override getPropertyDescriptor(
    name: PropertyKey,
    key: string | symbol,
    options: PropertyDeclaration,
  ) {
    const named = name as string;
    const more = { configurable: true, enumerable: true };
    if ("kind" in options)
      return {
        get(this: FigureElement): unknown {
          return this.given.valueOf(named, options as KindProperty);
        },
        set(this: FigureElement, value: unknown): void {
          const before = this.given.keep(named, options as KindProperty, value);
          this.#tellRefusal();
          this.requestUpdate(name, before, options);
        },
        ...more,
      };
    // biome-ignore lint/complexity/noThisInStatic: Lit calls it for the subclass
    if (!("field" in options)) return super.getPropertyDescriptor(name, key, options);
    return {
      get(this: FigureElement): unknown {
        return this.given.early(named) ?? valueIn(options as StateProperty, this.state);
      },
      set(this: FigureElement, value: unknown): void {
        this.given.keepForGroup(named, value);
        if (this.#joined) this.#takeGiven();
      },
      ...more,
    };
  }

  /** The properties that are fields of the state. */
  protected get stateProperties(): [string, StateProperty][] {
    const all = (this.constructor as typeof FigureElement).elementProperties;
    return [...all].filter((entry): entry is [string, StateProperty] => "field" in entry[1]);
  }

  /** The figure of which this one is a part, if any. */
  get #outer(): FigureElement | undefined {
    const tree = this.getRootNode();
    const host = tree instanceof ShadowRoot ? tree.host : undefined;
    return isFigure(host) ? host : undefined;
  }

  #findGroup(): Group {
    if (this.#outer) return this.#outer.figures;
    if (!this.group && (page.ownsAddress || !this.stateProperties.length)) return page;
    if (this.group) return groupNamed(this.group);
    this.#group ??= new Group();
    return this.#group;
  }

  /** The group of figures with a common state. */
  get figures(): Group {
    return this.#joined ?? page;
  }

  #takeGiven(): void {
    this.given.put(this.figures, new Map(this.stateProperties));
    this.#tellRefusal();
  }

  #tellRefusal(): void {
    const { refusal } = this.given;
    if (refusal || this.failure?.code === "invalid_property") this.failure = refusal;
  }

  #join(): void {
    const group = this.#findGroup();
    if (group !== this.#joined) this.#leave();
    this.#joined = group;
    group.changes.listen(this.#onChange);
    if (group !== page) {
      page.changes.listen(this.#onPage);
      if (!this.#outer) group.set({ language: languageOf(this), theme: themeOf(this) });
    }
    this.#takeGiven();
  }

  #leave(): void {
    this.#joined?.changes.forget(this.#onChange);
    page.changes.forget(this.#onPage);
  }

  /** Sets the reader's choice for all figures of the group, and fires `wf-change`. */
  protected change(change: Partial<PageState>): void {
    const figure = this.#outer ?? this;
    const changed = new Set<string>(figure.figures.set(change));
    const named = figure.stateProperties.filter(([, { field }]) => changed.has(field));
    if (!named.length) return;
    const detail = Object.fromEntries(
      named.map(([name, property]) => [name, valueIn(property, figure.figures.state)]),
    );
    figure.dispatchEvent(new CustomEvent("wf-change", { detail, bubbles: true, composed: true }));
  }

  /** The numbers in the picture; undefined until they are computed. */
  abstract get data(): unknown;
  /**
   * Parts of the page's state, beside language and theme, whose changes render the figure: those
   * that it has as properties.
   */
  protected get watched(): readonly Part[] {
    return this.stateProperties.map(([, { field }]) => field);
  }
  /**
   * True if a link, a click or a key has opened the figure: it then starts at any distance from the
   * window.
   */
  protected get isOpened(): boolean {
    return false;
  }
  /** True if the figure has its final height. */
  protected get isFilled(): boolean {
    return this.data !== undefined;
  }

  /** Called when the figure first comes near the window, or is opened. */
  protected wake(): void {
    this.stateChanged();
  }

  /** Called when a watched part changes, once the figure has started. */
  protected abstract stateChanged(): void;

  /** Texts of the whole page, in the language in force. */
  protected get words(): Text {
    return textFor(languageOf(this));
  }

  /** Texts of several figures. */
  protected get shared(): SharedWords {
    return this.say(sharedWords);
  }

  /** Returns a figure's own texts in the language in force. */
  protected say<T>(words: Bilingual<T>): T {
    return wordsIn(languageOf(this), words);
  }

  /** Loads the schemes' names in the language in force; until then their ids are shown. */
  protected fetchNames(): void {
    const { language } = this.state;
    if (schemeWords(language)) return;
    const come = () => this.requestUpdate();
    fetchSchemeWords(language).then(come, come);
  }

  /** The reader's choices, in the language of this element. */
  protected get state(): PageState {
    const { state } = this.figures;
    const [language, theme] = [languageOf(this), themeOf(this)];
    const isSame = language === state.language && theme === state.theme;
    return isSame ? state : { ...state, language, theme };
  }

  protected scene(): SceneView | null {
    return this.renderRoot.querySelector("wf-scene");
  }

  override connectedCallback(): void {
    // A simulated browser, in which components are tested, shows no figures.
    if (!globalThis.IntersectionObserver) return;
    super.connectedCallback();
    this.#join();
    this.#gone = new AbortController();
    if (!this.#outer && !page.ownsAddress) followText(this, this.#gone.signal);
    if (this.isOpened) {
      this.#awaken();
      return;
    }
    this.#visibility.begin(this);
  }

  /**
   * Stops the events of the figure's controls: `wf-change` of a figure has its changed properties.
   */
  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot();
    root.addEventListener("wf-change", (event) => event.stopPropagation());
    return root;
  }

  override attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    super.attributeChangedCallback(name, before, now);
    if (before === now || !this.isConnected || !this.#joined) return;
    if (name === "lang" || name === "theme") this.#onPage(new Set(["language", "theme"]));
    if (name !== "group") return;
    this.#join();
    this.requestUpdate();
    if (this.isAwake) this.wake();
  }

  #awaken(): void {
    this.isAwake = true;
    this.wake();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#gone.abort();
    this.#leave();
    this.#visibility.end();
  }

  /**
   * All figures of a page, and all parts of the gallery, are created together: each is first
   * rendered in a task of its own.
   */
  protected override async scheduleUpdate(): Promise<void> {
    const isOneOfMany = this.getRootNode() === document || this.#outer;
    if (!this.hasUpdated && isOneOfMany) await afterEarlierCallers();
    await super.scheduleUpdate();
    // The page's styles reserve space for figures that are not drawn or have no numbers yet.
    this.toggleAttribute("drawn", true);
    const isFilled = this.isFilled || this.failure !== undefined;
    keepStill(this, this.renderRoot, !isFilled);
    this.#reserveSpace(!isFilled);
  }

  /** Scales, notes and names follow the picture: the space stays reserved until they are there. */
  #reserveSpace(isKept: boolean): void {
    if (isKept === this.#isSpaceReserved) return;
    this.#isSpaceReserved = isKept;
    clearTimeout(this.#freeing);
    const free = () => this.toggleAttribute("filled", true);
    if (isKept) this.removeAttribute("filled");
    else this.#freeing = setTimeout(free, partsMilliseconds);
  }

  protected override update(changed: PropertyValues): void {
    this.renders += 1;
    super.update(changed);
    const frame = this.renderRoot.querySelector<Frame>("wf-frame");
    if (frame)
      Object.assign(frame, {
        titleFromPage: this.titleFromPage,
        isCompact: this.isCompact,
        isBrief: this.isBrief,
      });
    this.#lead();
    if (!changed.has("compact") && !changed.has("heading")) return;
    for (const part of this.renderRoot.querySelectorAll("*"))
      if (isFigure(part)) part.requestUpdate();
  }

  /** True in the essay, where a figure shows one control and folds the others. */
  protected get isBrief(): boolean {
    return page.ownsAddress && this.closest("[data-brief]") !== null;
  }

  /** Moves the controls that stay into their slot. */
  #lead(): void {
    const { lead } = this.constructor as typeof FigureElement;
    if (!lead || !this.isBrief) return;
    for (const control of this.renderRoot.querySelectorAll(lead)) control.slot = "lead";
  }

  /** Title from the page in place of the figure's own; undefined for none. */
  protected get titleFromPage(): unknown {
    return this.heading;
  }

  /** True if the figure shows only picture, scales and caption. */
  protected get isCompact(): boolean {
    return Boolean((this.#outer ?? this).compact);
  }

  /** The page's title, for a figure without one of its own. */
  protected givenTitle(): unknown {
    const title = titleOf(this.titleFromPage, "");
    return title ? html`<h3 class="given-title" part="heading">${title}</h3>` : nothing;
  }

  /** Runs a question; shows a failure in place of the picture. */
  protected async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.failure = this.given.refusal;
    } catch (reason) {
      this.failure = failureOf(reason);
    }
  }
}

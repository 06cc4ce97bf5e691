/** `<wf-scheme-gallery>`: every registered scheme as a card; one of them is open, below its row. */
import { html, type LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { SchemeDescription } from "whereformer";
import { define } from "../../define.js";
import "../../controls/choice.js";
import "../../controls/text-line.js";
import { longestSentence, modelsFolder } from "../../defaults.js";
import { splitWords } from "../../engine/both/sentences.js";
import { engine } from "../../engine/page/client.js";
import { folderAddress } from "../../engine/page/models-index.js";
import {
  fetchTrainedPortraits,
  type TrainedPortraits,
} from "../../engine/page/trained-portraits.js";
import { typedText, writtenText } from "../../page-state.js";
import { page } from "../../state.js";
import { fetchSchemeWords, schemeWords, wordsOf } from "../../text/schemes.js";
import { failureNotice, failureStyles } from "../shared/figure/failure-notice.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { frameParts } from "../shared/figure/frame-parts.js";
import { ofState } from "../shared/figure/state-properties.js";
import { formulaFields } from "../shared/formula/written.js";
import type { SchemeCard } from "./card.js";
import { noScheme } from "./state.js";
import "./card.js";
import "./formula-card.js";
import { cardWords } from "./card-words.js";
import { galleryStyles } from "./styles.js";

const narrowestCard = 205;
/** Minimum width of the gallery for cards side by side, at the size of its text. */
const narrowestRow = 560;
const usualType = 14;
const valueNames = ["trained", "initial"] as const;

/**
 * Loads the code of the open card, which is larger than that of closed ones, when the gallery is
 * near.
 */
async function fetchPortrait(): Promise<void> {
  try {
    await import("./portrait.js");
  } catch {
    // The browser's error for a missing module has only its address.
    throw Object.assign(new Error(""), { code: "network" });
  }
}

/** Parts of an open card's frame, exported so that a page can style them through the gallery. */
export const portraitParts = frameParts;

/**
 * @csspart text - The text field.
 * @csspart values - The choice between trained and initial values.
 * @csspart cards - The list of cards.
 * @csspart card - One card.
 * @csspart picture - A card's picture, and that of the open one.
 * @csspart title - A card's title.
 * @csspart open - The open card, below its row.
 * @csspart heading - The title of the open card's picture, and one that the page sets.
 * @csspart ask - Text fields, choices and texts above the picture.
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
 */
export class SchemeGallery extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    text: ofState("galleryText"),
    open: ofState("galleryScheme"),
    options: ofState("galleryOptions"),
    head: ofState("galleryHead"),
    cell: ofState("galleryCell"),
    schemes: { state: true },
    columns: { state: true },
    hasWords: { state: true },
    trained: { state: true },
  };

  /** The text; empty for the default of the language. */
  declare text: string;
  /** Id of the scheme whose card is open; `-` for none. */
  declare open: string;
  /** Options of the open scheme that differ from their defaults, `key:value;key:value`. */
  declare options: string;
  /** Head of the open scheme, counted from 0. */
  declare head: number;
  /** The marked cell of its map, row and column; empty for the default. */
  declare cell: readonly number[];
  declare schemes: readonly SchemeDescription[] | undefined;
  /** Cards per row. */
  declare columns: number;
  declare hasWords: boolean;
  /** Pictures of trained schemes; empty outside the article. */
  declare trained: TrainedPortraits;
  #tokens: string[] = [];
  #observer: ResizeObserver | undefined;

  static override styles = [...figureStyles, failureStyles, galleryStyles];

  constructor() {
    super();
    this.columns = 1;
    this.hasWords = false;
    this.trained = new Map();
  }

  get data(): { schemes: readonly SchemeDescription[]; tokens: string[] } | undefined {
    return this.schemes && this.hasWords
      ? { schemes: this.schemes, tokens: this.#tokens }
      : undefined;
  }

  protected override get watched() {
    return ["galleryScheme", "galleryText", "galleryValues", ...formulaFields] as const;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (!globalThis.ResizeObserver) return;
    this.#observer ??= new ResizeObserver(() => this.#measure());
    this.#observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
  }

  protected override wake(): void {
    void this.#begin().then(() => this.#arrive());
  }

  /** Scrolls to the open card if the address is a link to it, once all cards have their heights. */
  async #arrive(): Promise<void> {
    await this.updateComplete;
    // Its parts are rendered one after the other.
    const parts = this.renderRoot.querySelectorAll<LitElement>(
      "wf-scheme-card, wf-scheme-portrait",
    );
    await Promise.all([...parts].map(({ updateComplete }) => updateComplete));
    const written = new URLSearchParams(page.ownsAddress ? location.hash.slice(1) : "");
    // All fields of the gallery in a link belong to the open card.
    const isOfCard = ["g", "go", "gt", "gh", "gc"].some((key) => written.has(key));
    if (written.get("at") !== "schemes" || !isOfCard) return;
    this.renderRoot.querySelector("wf-scheme-portrait")?.scrollIntoView({ block: "start" });
  }

  protected stateChanged(): void {
    void this.#begin();
  }

  #measure(): void {
    // Larger text needs wider cards.
    const scale = Number.parseFloat(getComputedStyle(this).fontSize) / usualType;
    const width = this.clientWidth / scale;
    const fit = Math.floor((width + 28) / (narrowestCard + 28));
    this.columns = width < narrowestRow ? 1 : Math.min(4, Math.max(2, fit));
  }

  /** Requests missing data: the list of schemes once, the words of each language once. */
  #begin(): Promise<void> {
    return this.attempt(async () => {
      const { language } = this.state;
      this.hasWords = schemeWords(language) !== undefined;
      const [schemes, trained] = await Promise.all([
        this.schemes ?? engine.ask("schemes", {}),
        this.fetchTrained(),
        fetchSchemeWords(language),
        fetchPortrait(),
      ]);
      this.schemes = schemes;
      this.trained = trained;
      this.hasWords = true;
    });
  }

  /** Without these, cards show initial values, which is not a failure. */
  protected async fetchTrained(): Promise<TrainedPortraits> {
    if (this.trained.size || !page.ownsAddress) return this.trained;
    return fetchTrainedPortraits(folderAddress(modelsFolder)).catch(() => this.trained);
  }

  /** Repeats the failed questions of the gallery and of its cards. */
  #tryAgain(): void {
    this.failure = undefined;
    void this.#begin();
    for (const card of this.renderRoot.querySelectorAll<SchemeCard>("wf-scheme-card"))
      card.tryAgain();
  }

  /** The typed words; the same list while they are equal. */
  protected get typed(): string[] {
    const example = this.say(cardWords).sentence;
    const typed = splitWords(typedText(this.state.galleryText, example), this.words.locale);
    const tokens = typed.length
      ? typed.slice(0, longestSentence)
      : splitWords(example, this.words.locale);
    if (tokens.join("\u0000") !== this.#tokens.join("\u0000")) this.#tokens = tokens;
    return this.#tokens;
  }

  #open(id: string): void {
    const galleryScheme = id === this.state.galleryScheme ? noScheme : id;
    this.change({ galleryScheme, galleryOptions: "", galleryCell: [] });
  }

  /** Shows the choice between trained and initial values. */
  #renderValues() {
    if (!this.trained.size) return nothing;
    const words = this.say(cardWords);
    return html`<wf-choice
      class="values"
      part="values"
      .label=${words.values}
      .value=${this.state.galleryValues}
      .options=${valueNames.map((value) => ({ value, text: words.valueChoices[value] }))}
      @wf-change=${({ detail }: CustomEvent<"trained" | "initial">) =>
        this.change({ galleryValues: detail })}
    ></wf-choice>`;
  }

  /** Shows the reader's formula, if there is one, as a further card. */
  #renderFormula(tokens: string[]) {
    const isWritten = formulaFields.some((field) => this.state[field]);
    if (!isWritten) return nothing;
    return html`<li
      ><wf-formula-card part="card" exportparts="picture, title" .tokens=${tokens}></wf-formula-card
    ></li>`;
  }

  /** Shows all schemes as cards, below the text. */
  protected show(schemes: readonly SchemeDescription[]): TemplateResult {
    const words = schemeWords(this.state.language);
    const tokens = this.typed;
    const open = schemes.findIndex(({ id }) => id === this.state.galleryScheme);
    const items: { key: string; scheme: SchemeDescription; isCard: boolean }[] = schemes.map(
      (scheme) => ({ key: scheme.id, scheme, isCard: true }),
    );
    if (open >= 0) {
      // Below the row of its card, so that the reading order is the visible order.
      const after = Math.min(schemes.length, (Math.floor(open / this.columns) + 1) * this.columns);
      items.splice(after, 0, { key: "-", scheme: schemes[open]!, isCard: false });
    }
    return html`${this.#renderValues()}<ul
        part="cards"
        class="cards across-${this.columns}"
        aria-label=${this.say(cardWords).name}
        @wf-open=${(event: CustomEvent<string>) => this.#open(event.detail)}
        @wf-again=${() => this.#tryAgain()}
      >
        ${repeat(
          items,
          ({ key }) => key,
          ({ scheme, isCard }, index) =>
            isCard
              ? html`<li>
                  <wf-scheme-card
                    part="card"
                    exportparts="picture, title"
                    .description=${scheme}
                    .said=${wordsOf(words, scheme.id)}
                    .tokens=${tokens}
                    .trained=${this.trained.get(scheme.id)}
                    .values=${this.state.galleryValues}
                    .isOpen=${schemes[open]?.id === scheme.id}
                    .isNarrow=${this.columns === 1}
                  ></wf-scheme-card>
                </li>`
              : html`<li class="open" data-index=${index}>
                  <wf-scheme-portrait
                    part="open"
                    exportparts=${portraitParts}
                    .compact=${this.isCompact}
                    .description=${scheme}
                    .said=${wordsOf(words, scheme.id)}
                    .tokens=${tokens}
                    .isNarrow=${this.columns === 1}
                  ></wf-scheme-portrait>
                </li>`,
        )}
        ${this.#renderFormula(tokens)}
      </ul>`;
  }

  protected override render() {
    const words = this.say(cardWords);
    const { schemes } = this;
    const isReady = schemes && this.hasWords;
    return html`${this.givenTitle()}<wf-text-line
        part="text"
        .label=${words.input}
        .value=${typedText(this.state.galleryText, words.sentence)}
        .examples=${words.examples}
        @wf-change=${({ detail }: CustomEvent<string>) =>
          this.change({ galleryText: writtenText(detail, words.sentence), galleryCell: [] })}
      ></wf-text-line>
      ${
        this.failure
          ? failureNotice(this, this.failure, () => this.#tryAgain())
          : isReady
            ? this.show(schemes)
            : html`<p class="blank">${this.words.waiting}</p>`
      }`;
  }
}

define("wf-scheme-gallery", SchemeGallery);

/**
 * `<wf-scheme-card>`: one scheme of the gallery, closed. Its picture loads when it is near the
 * window.
 */
import { html } from "lit";
import type { SchemeDescription } from "whereformer";
import { define } from "../../define.js";
import "../../controls/scene-view.js";
import type { Draw } from "../../controls/scene-view.js";
import { quiet } from "../../controls/shared-styles.js";
import type { Failure } from "../../engine/both/failure.js";
import type { PortraitAnswer } from "../../engine/both/messages.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import type { SchemeWords } from "../../text/schemes.js";
import { failureSentence } from "../shared/figure/failure-sentence.js";
import { FigureElement } from "../shared/figure/figure-element.js";
import { Memo } from "../shared/figure/memo.js";
import { pageLink } from "../shared/figure/page-link.js";
import { familyStyles } from "../shared/pictures/family-styles.js";
import { drawThumb } from "./card-picture.js";
import { cardStyles } from "./card-styles.js";
import { cardWords } from "./card-words.js";
import { kindOf } from "./portrait-picture.js";

/** Allows a line break between two claims, and none inside one. */
const claim = (said: string, goesOn: boolean) =>
  html`<span>${said}${goesOn ? "\u00a0·" : ""}</span> `;

export class SchemeCard extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    description: { attribute: false },
    said: { attribute: false },
    tokens: { attribute: false },
    trained: { attribute: false },
    values: { attribute: false },
    isOpen: { type: Boolean, reflect: true, attribute: "open" },
    isNarrow: { type: Boolean, reflect: true, attribute: "narrow" },
    answer: { state: true },
  };

  declare description: SchemeDescription;
  declare said: SchemeWords;
  declare tokens: string[];
  declare isOpen: boolean;
  /** True if the gallery is too narrow for two cards side by side. */
  declare isNarrow: boolean;
  /** The answer for the trained scheme; undefined for a scheme without parameters. */
  declare trained: PortraitAnswer | undefined;
  /** Shows trained or initial values, if both exist. */
  declare values: "trained" | "initial";
  declare answer: PortraitAnswer | undefined;
  #asked: string[] | undefined;
  #drawn = new Memo<Draw>();
  #line = new NewestWins("portrait");

  static override styles = [quiet, familyStyles, cardStyles];

  constructor() {
    super();
    this.values = "initial";
  }

  get data(): PortraitAnswer | undefined {
    return this.#kept ?? this.answer;
  }

  /** The answer that needs no question to the engine. */
  get #kept(): PortraitAnswer | undefined {
    return this.values === "trained" ? this.trained : undefined;
  }

  protected override wake(): void {
    if (!this.#kept) void this.#ask();
  }

  protected stateChanged(): void {
    // A change of language or theme only draws again.
  }

  protected override updated(): void {
    // A new text matters only to pictures that show a text.
    const isStale = this.answer?.picture.kind === "attention" && this.tokens !== this.#asked;
    if (this.isAwake && !this.#kept && (isStale || !this.#asked)) void this.#ask();
  }

  /** Repeats a question that has failed. */
  tryAgain(): void {
    if (this.failure) void this.#ask();
  }

  #ask(): Promise<void> {
    return this.attempt(async () => {
      const { tokens } = this;
      this.#asked = tokens;
      const scheme = this.description.id;
      const answer = await this.#line.ask({ scheme, options: {}, tokens, isDetailed: false });
      if (!answer) return;
      this.answer = answer;
    });
  }

  /**
   * Returns the drawing, and the same function while its input is the same, so that typing repaints
   * no card needlessly.
   */
  #picture(): Draw {
    const { language, theme } = this.state;
    const { data } = this;
    return this.#drawn.of([data, language, theme], () => drawThumb(data));
  }

  #toggle(): void {
    const detail = this.description.id;
    this.dispatchEvent(new CustomEvent("wf-open", { detail, bubbles: true, composed: true }));
  }

  #renderFailure(failure: Failure) {
    const again = () =>
      this.dispatchEvent(new CustomEvent("wf-again", { bubbles: true, composed: true }));
    return html`<div class="failure">
      <p>${failureSentence(failure, this.words)}</p>
      <button @click=${again}>${this.words.failure.again}</button>
    </div>`;
  }

  protected override render() {
    const words = this.say(cardWords);
    const { family, year } = this.description;
    const claims: Record<string, boolean> = this.description.claims;
    const held = Object.entries(words.claims).flatMap(([name, said]) =>
      claims[name] ? [said] : [],
    );
    const { data, trained, values } = this;
    const kinds = this.#kept ? words.trainedKinds : words.kinds;
    const label = data ? kinds[kindOf(data.picture)] : this.words.waiting;
    const tag = trained ? ` · ${words.valueTags[values]}` : "";
    return html`<div class="picture" part="picture">
        ${
          this.failure
            ? this.#renderFailure(this.failure)
            : html`<wf-scene .label=${label} .draw=${this.#picture()}></wf-scene>`
        }
      </div>
      <p class="family ${family}">${words.families[family] ?? family} · ${year}${tag}</p>
      <h3 part="title">
        <button aria-expanded=${this.isOpen} @click=${this.#toggle}>${this.said.title}</button>
      </h3>
      <p class="summary">${this.said.summary}</p>
      <p class="claims">${held.map((each, index) => claim(each, index + 1 < held.length))}</p>
      ${pageLink(this.description.id, this.shared, this.said.title)}`;
  }
}

define("wf-scheme-card", SchemeCard);

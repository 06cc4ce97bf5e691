/**
 * `<wf-frame>`: the parts around every figure's picture. Slots: ask (texts and choices above the
 * picture), controls (above it too, or in the essay folded), lead (those that stay there), default
 * (the picture), legend, options (as wide as the picture).
 */

import { css, html, LitElement, nothing } from "lit";
import { define } from "../../../define.js";
import type { Takeaway } from "../exports/takeaway.js";
import "../exports/takeaway.js";
import { quiet } from "../../../controls/shared-styles.js";
import type { Failure } from "../../../engine/both/failure.js";
import { languageOf } from "../../../language-of.js";
import { textFor } from "../../../text/index.js";
import { failureNotice, failureStyles } from "./failure-notice.js";
import { frameParts } from "./frame-parts.js";
import { titleOf } from "./title-of.js";

/** Placeholders: text of the expected length, to reserve lines, so that nothing moves later. */
export interface Placeholder {
  heading?: string;
  caption?: string;
  note?: string;
}

export class Frame extends LitElement {
  static override properties = {
    name: {},
    heading: {},
    caption: {},
    note: {},
    caveat: {},
    waiting: {},
    room: { attribute: false },
    isQuiet: { attribute: false },
    failure: { attribute: false },
    takeaway: { attribute: false },
    titleFromPage: { attribute: false },
    isCompact: { attribute: false },
    isBrief: { attribute: false },
  };

  declare name: string;
  declare heading: string;
  /** Caption: one sentence with the result, and its number. */
  declare caption: string;
  declare note: string;
  declare caveat: string;
  /** Text in place of the caption until there is a result. */
  declare waiting: string;
  declare room: Placeholder;
  /** True if the caption follows the cell, which screen readers have already read aloud. */
  declare isQuiet: boolean;
  declare failure: Failure | undefined;
  declare takeaway: Takeaway | undefined;
  /** Title from the page, in place of `heading`. */
  declare titleFromPage: unknown;
  /** Shows only picture, scales and caption. */
  declare isCompact: boolean;
  /** Shows the controls in the slot "lead" above the picture, and folds all others. */
  declare isBrief: boolean;

  static override styles = [
    quiet,
    failureStyles,
    css`
      figure {
        margin: 0;
      }

      h3,
      .title {
        display: block;
        margin: 0 0 0.9rem;
        font: 600 calc(17 * var(--wf-px, 1px)) / 1.4 var(--wf-sans);
        text-wrap: balance;
      }

      /* Its lines end where it pauses, not inside a word. */
      :host(:lang(zh)) :is(h3, .title) {
        word-break: keep-all;
        overflow-wrap: anywhere;
      }

      .compact .title {
        margin: 0 0 0.2rem;
        font-size: calc(15 * var(--wf-px, 1px));
      }

      .compact .reading {
        margin-top: 0.6rem;
        font-size: calc(15 * var(--wf-px, 1px));
      }

      .ask ::slotted(*) {
        margin-bottom: 1.2rem;
        max-width: 44rem;
      }

      .reading {
        margin: 1rem 0 0;
        max-width: 44rem;
        font: calc(17 * var(--wf-px, 1px)) / 1.55 var(--wf-serif);
        font-variant-numeric: lining-nums;
        text-wrap: pretty;
      }

      :host(:lang(zh)) .reading {
        line-height: 1.8;
      }

      .legend {
        display: flex;
        flex-wrap: wrap;
        gap: 0.2rem 1.6rem;
        margin-top: 0.8rem;
        color: var(--wf-soft);
        font-size: calc(13 * var(--wf-px, 1px));
      }

      .controls {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 0.2rem;
        margin-top: 0.9rem;
        max-width: 44rem;
      }

      /* Several controls begin at one edge, beside their names. */
      @media (min-width: 40rem) {
        .controls.several {
          --wf-names: var(--wf-names-width, 4.2em);
        }
      }

      ::slotted([slot="options"]) {
        margin-top: 1.1rem;
      }

      .small {
        margin: 0.9rem 0 0;
        max-width: 44rem;
        color: var(--wf-soft);
        font-size: calc(13 * var(--wf-px, 1px));
        line-height: 1.55;
        text-wrap: pretty;
      }

      [data-room] {
        display: grid;
      }

      [data-room]::before {
        content: attr(data-room);
        visibility: hidden;
      }

      [data-room]::before,
      [data-room] > span {
        grid-area: 1 / 1;
      }

      /* What stands below a still picture comes with the numbers, and does not move then. */
      :host([still]) :is(.legend, .controls, .small, wf-takeaway),
      :host([still]) ::slotted([slot="options"]) {
        visibility: hidden;
      }

      /* Above the picture, so that they do not move when it changes. */
      .lead {
        margin-block: 0;
      }

      .lead ::slotted(*) {
        margin-bottom: 0.5rem;
      }

      /* As wide as the text around; only the picture, with its legend, is wider. */
      h3,
      .ask,
      .reading,
      .controls,
      .small,
      .more,
      wf-takeaway {
        margin-inline-end: max(0px, 100% - var(--wf-column, 100%));
      }

      .more {
        margin-top: 0.2rem;
      }

      /* What is inside has these margins already. */
      .more > :not(summary),
      .more ::slotted([slot="options"]) {
        margin-inline-end: 0;
      }

      /* On the right, where it does not come between the caption and the text that goes on. */
      .more summary {
        width: fit-content;
        min-height: 44px;
        margin-inline-start: auto;
        padding-block: 0.8em;
        color: var(--wf-soft);
        font-size: calc(13 * var(--wf-px, 1px));
        cursor: pointer;
      }

      .more summary:hover {
        color: var(--wf-ink);
      }

      .small + .small {
        margin-top: 0.3rem;
      }

      wf-takeaway {
        margin-top: 0.4rem;
      }

      @media print {
        figure {
          break-inside: avoid;
        }

        [data-room]::before,
        .ask,
        .controls,
        .more summary,
        ::slotted([slot="options"]),
        :host([still]) :is(.legend, .reading, .small) {
          display: none;
        }

        /* Notes are read on paper too, without what unfolds them. */
        .more {
          border: 0;
        }

        .more::details-content {
          content-visibility: visible;
          block-size: auto;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.name = "";
    this.heading = "";
    this.caption = "";
    this.note = "";
    this.caveat = "";
    this.waiting = "";
    this.room = {};
    this.isQuiet = false;
    this.isCompact = false;
    this.isBrief = false;
  }

  /** Exports the parts, so that another page can style them through the figure's shadow root. */
  override connectedCallback(): void {
    super.connectedCallback();
    this.setAttribute("exportparts", frameParts);
  }

  get #title(): string {
    return titleOf(this.titleFromPage, this.heading);
  }

  #picture() {
    const again = () => this.dispatchEvent(new CustomEvent("wf-again"));
    return html`<div part="picture"
        >${this.failure ? failureNotice(this, this.failure, again) : html`<slot></slot>`}</div
      >
      <div class="legend" part="legend"><slot name="legend"></slot></div>`;
  }

  #count({ target }: Event): void {
    const slot = target as HTMLSlotElement;
    slot.parentElement!.classList.toggle("several", slot.assignedElements().length > 1);
  }

  get #captionText(): string {
    return this.caption || (this.failure ? "" : this.waiting);
  }

  #caption() {
    return html`${this.#picture()}
      <figcaption class="reading"
        >${
          this.#title ? html`<strong class="title" part="heading">${this.#title}</strong>` : nothing
        }<span part="reading">${this.#captionText}</span></figcaption
      >`;
  }

  #whole() {
    const { heading, caption } = this.room;
    // The placeholder has the length of the figure's own title, not of the page's.
    const room = this.#title === this.heading ? heading : undefined;
    const isUntitled = !this.#title && this.heading;
    return html`${
      isUntitled
        ? nothing
        : html`<h3 part="heading" data-room=${room ?? nothing}><span>${this.#title}</span></h3>`
    }
      <div class="ask" part="ask"><slot name="ask"></slot></div>
      <div class="controls lead" part="controls"
        ><slot name=${this.isBrief ? "lead" : "controls"} @slotchange=${this.#count}></slot
      ></div>
      ${this.#picture()}
      <p
        class="reading"
        part="reading"
        data-room=${caption ?? nothing}
        aria-live=${this.isQuiet ? "off" : "polite"}
        ><span>${this.#captionText}</span></p
      >
      ${
        this.isBrief
          ? html`<details class="more">
              <summary>${textFor(languageOf(this)).more}</summary>
              ${this.#rest()}
            </details>`
          : this.#rest()
      }`;
  }

  #rest() {
    const { note } = this.room;
    const takeaway = this.takeaway && { ...this.takeaway, title: this.#title };
    return html`${
      this.isBrief
        ? html`<div class="controls" part="controls"
              ><slot name="controls" @slotchange=${this.#count}></slot
            ></div>`
        : nothing
    }
      <div part="options"><slot name="options"></slot></div>
      ${
        this.note || note
          ? html`<p class="small note" part="small note" data-room=${note ?? nothing}
              ><span>${this.note}</span></p
            >`
          : nothing
      }
      <p class="small caveat" part="small caveat">${this.caveat}</p>
      <wf-takeaway part="actions" exportparts="action, code" .takeaway=${takeaway}></wf-takeaway>`;
  }

  protected override render() {
    const name = this.titleFromPage ? this.#title || this.name : this.name;
    return html`<figure class=${this.isCompact ? "compact" : ""} aria-label=${name}>
      ${this.isCompact ? this.#caption() : this.#whole()}
    </figure>`;
  }
}

define("wf-frame", Frame);

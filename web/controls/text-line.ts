/**
 * `<wf-text-line>`: a labelled text field, with example texts below it; fires `wf-change` at every
 * keystroke, and when an example is chosen.
 */

import { css, html, LitElement, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { define } from "../define.js";
import { languageOf } from "../language-of.js";
import { textFor } from "../text/index.js";
import { quiet, unprinted } from "./shared-styles.js";

export class TextLine extends LitElement {
  static override properties = {
    label: {},
    value: {},
    remark: {},
    isLong: { attribute: false },
    max: { attribute: false },
    examples: { attribute: false },
  };

  declare label: string;
  declare value: string;
  /** Error in the text, or note that it was cut; empty if there is none. */
  declare remark: string;
  /** Makes space for more than one line. */
  declare isLong: boolean;
  /** Maximum characters; by default as many as fit into an address. */
  declare max: number;
  /** Texts to put into the field by a click; the previous text can be restored. */
  declare examples: readonly string[];
  /** The reader's text before an example replaced it. */
  #previous: string | undefined;

  static override styles = [
    quiet,
    unprinted,
    css`
      label {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 0 0.9em;
      }

      .name {
        color: var(--wf-soft);
      }

      input,
      textarea {
        flex: 1 1 12em;
        min-width: 0;
        padding: 0.5em 0 0.4em;
        border-bottom: 1px solid var(--wf-soft);
        font-size: calc(16 * var(--wf-px, 1px));
      }

      textarea {
        field-sizing: content;
        min-height: 2.4em;
        max-height: 12em;
        line-height: 1.5;
        resize: none;
      }

      :is(input, textarea):is(:hover, :focus) {
        border-bottom-color: var(--wf-ink);
      }

      .remark {
        margin: 0.3em 0 0;
        color: var(--wf-soft);
      }

      .examples {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.3em 0.5em;
        margin-top: 0.5em;
        color: var(--wf-soft);
        font-size: calc(13 * var(--wf-px, 1px));
      }

      /* Round ends: words to take, not acts. */
      .examples button {
        min-height: 28px;
        max-width: min(100%, 16em);
        overflow: hidden;
        border-color: var(--wf-hair);
        border-radius: 1.1em;
        text-overflow: ellipsis;
        white-space: nowrap;
      }

      .examples button:is(:hover, [aria-current="true"]) {
        border-color: var(--wf-soft);
        color: var(--wf-ink);
      }

      .examples button[aria-current="true"] {
        background: color-mix(in srgb, var(--wf-ink) 7%, transparent);
      }

      @media (pointer: coarse) {
        .examples button {
          min-width: 44px;
          min-height: 44px;
          text-align: start;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.label = "";
    this.value = "";
    this.remark = "";
    this.isLong = false;
    this.max = 600;
    this.examples = [];
  }

  #type(event: InputEvent): void {
    // Unfinished pinyin is not yet text.
    if (event.isComposing) return;
    this.#tell(event);
  }

  #tell(event: Event): void {
    this.#put((event.target as HTMLInputElement | HTMLTextAreaElement).value);
  }

  #put(text: string): void {
    this.value = text;
    this.dispatchEvent(
      new CustomEvent("wf-change", { detail: text, bubbles: true, composed: true }),
    );
  }

  #take(example: string): void {
    if (!this.examples.includes(this.value)) this.#previous = this.value;
    this.#put(example);
  }

  #field() {
    if (this.isLong) {
      return html`<textarea
        rows="2"
        autocapitalize="off"
        spellcheck="false"
        maxlength=${this.max}
        .value=${live(this.value)}
        @input=${this.#type}
        @compositionend=${this.#tell}
      ></textarea>`;
    }
    return html`<input
      type="text"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      maxlength=${this.max}
      .value=${live(this.value)}
      @input=${this.#type}
      @compositionend=${this.#tell}
    />`;
  }

  #examples() {
    const { examples, value } = this;
    if (!examples.length) return nothing;
    const words = textFor(languageOf(this)).examples;
    const previous = examples.includes(value) ? this.#previous : undefined;
    return html`<div class="examples" role="group" aria-label=${words.label}>
      <span>${words.label}</span>
      ${examples.map(
        (text) =>
          html`<button
            class="example"
            aria-current=${text === value}
            title=${text}
            @click=${() => this.#take(text)}
            >${text}</button
          >`,
      )}
      ${
        previous === undefined
          ? nothing
          : html`<button class="previous" title=${previous} @click=${() => this.#put(previous)}
              >${words.previous}</button
            >`
      }
    </div>`;
  }

  protected override render() {
    // The browser silently cuts text that is typed or pasted beyond the limit.
    const full = this.value.length >= this.max ? textFor(languageOf(this)).full(this.max) : "";
    const remark = [this.remark, full].filter(Boolean).join(" ");
    const line = remark ? html`<p class="remark" role="status">${remark}</p>` : nothing;
    return html`<label><span class="name">${this.label}</span>${this.#field()}</label> ${line}
      ${this.#examples()}`;
  }
}

define("wf-text-line", TextLine);

/** `<wf-text-line>`: one labelled line to type in; fires `wf-change` at every keystroke. */
import { css, html, LitElement, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { languageOf } from "../language-of.js";
import { textFor } from "../text/index.js";
import { quiet } from "./shared-styles.js";

/** A field holds no more: what an address can carry. */

export class TextLine extends LitElement {
  static override properties = {
    label: {},
    value: {},
    remark: {},
    isLong: { attribute: false },
    most: { attribute: false },
  };

  declare label: string;
  declare value: string;
  /** What is wrong with the text, or how it was cut; empty if nothing. */
  declare remark: string;
  /** Room for more than one line. */
  declare isLong: boolean;
  /** Characters that may be typed. */
  declare most: number;

  static override styles = [
    quiet,
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
    `,
  ];

  constructor() {
    super();
    this.label = "";
    this.value = "";
    this.remark = "";
    this.isLong = false;
    this.most = 600;
  }

  #type(event: InputEvent): void {
    // Half-typed pinyin is not text yet.
    if (event.isComposing) return;
    this.#tell(event);
  }

  #tell(event: Event): void {
    this.value = (event.target as HTMLInputElement | HTMLTextAreaElement).value;
    this.dispatchEvent(
      new CustomEvent("wf-change", { detail: this.value, bubbles: true, composed: true }),
    );
  }

  #field() {
    if (this.isLong) {
      return html`<textarea
        rows="2"
        autocapitalize="off"
        spellcheck="false"
        maxlength=${this.most}
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
      maxlength=${this.most}
      .value=${live(this.value)}
      @input=${this.#type}
      @compositionend=${this.#tell}
    />`;
  }

  protected override render() {
    // The browser cuts what is typed or pasted beyond it without a word.
    const full = this.value.length >= this.most ? textFor(languageOf(this)).full(this.most) : "";
    const remark = [this.remark, full].filter(Boolean).join(" ");
    return html`<label><span class="name">${this.label}</span>${this.#field()}</label>
      ${remark ? html`<p class="remark" role="status">${remark}</p>` : nothing}`;
  }
}

customElements.define("wf-text-line", TextLine);

/**
 * `<wf-formula-field>`: a text area for one formula, with a mark at the character that the engine
 * refuses and the reason below it. Fires `wf-change` at every keystroke.
 */
import { css, html, LitElement, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { quiet, unprinted } from "../../controls/shared-styles.js";
import { define } from "../../define.js";
import { completionsOf } from "./names.js";

/** Part of a text, as its indices. */
export interface Span {
  from: number;
  to: number;
}

export class FormulaField extends LitElement {
  static override properties = {
    label: {},
    hint: {},
    names: { attribute: false },
    offer: {},
    value: {},
    wrong: { attribute: false },
    remark: { attribute: false },
    offered: { state: true },
  };

  declare label: string;
  /** Names that this formula can use. */
  declare hint: string;
  /** All names, which complete what is being typed; and the label of those on offer. */
  declare names: readonly string[];
  declare offer: string;
  declare value: string;
  /** The part that is refused, and why. */
  declare wrong: Span | undefined;
  declare remark: unknown;
  /** Names on offer, in place of the hint. */
  declare offered: readonly string[];

  static override styles = [
    quiet,
    unprinted,
    css`
      .label {
        display: flex;
        flex-wrap: wrap;
        gap: 0 0.9em;
        color: var(--wf-soft);
      }

      .hint {
        font-family: var(--wf-mono);
        font-size: calc(12 * var(--wf-px, 1px));
        line-height: calc(21 * var(--wf-px, 1px));
      }

      .offered {
        display: flex;
        flex-wrap: wrap;
        gap: 0 1em;
      }

      /* Easy to touch, and no higher than the hint in whose place they are. */
      .offered button {
        margin-block: -0.7em;
        padding: 0.7em 0.2em;
        color: var(--wf-ink);
        text-decoration: underline;
        text-decoration-thickness: 1px;
        text-underline-offset: 0.25em;
      }

      /* The mark lies below the text area, in a copy of its text. */
      .field {
        display: grid;
      }

      .copy,
      textarea {
        grid-area: 1 / 1;
        min-width: 0;
        padding: 0.45em 0 0.35em;
        border-bottom: 1px solid var(--wf-soft);
        font: calc(16 * var(--wf-px, 1px)) / 1.5 var(--wf-mono);
        font-variant-ligatures: none;
        letter-spacing: 0;
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }

      .copy {
        color: transparent;
        pointer-events: none;
      }

      textarea {
        width: 100%;
        height: 100%;
        overflow: hidden;
        resize: none;
      }

      textarea:is(:hover, :focus) {
        border-bottom-color: var(--wf-ink);
      }

      textarea:focus-visible {
        outline-offset: 0;
      }

      mark {
        color: transparent;
        background: none;
        text-decoration: underline wavy var(--wf-minus) 2px;
        text-decoration-skip-ink: none;
        text-underline-offset: 0.25em;
      }

      .remark {
        margin: 0.35em 0 0;
      }
    `,
  ];

  constructor() {
    super();
    this.label = "";
    this.hint = "";
    this.value = "";
    this.names = [];
    this.offer = "";
    this.offered = [];
  }

  get #area(): HTMLTextAreaElement {
    return this.renderRoot.querySelector("textarea")!;
  }

  #type(event: InputEvent): void {
    // Unfinished pinyin is not yet text.
    if (!event.isComposing) this.#tell(event);
  }

  #tell({ target }: Event): void {
    const { value, selectionEnd } = target as HTMLTextAreaElement;
    this.#put(value);
    this.offered = completionsOf(value.slice(0, selectionEnd), this.names).found;
  }

  #put(detail: string): void {
    this.value = detail;
    this.dispatchEvent(new CustomEvent("wf-change", { detail, bubbles: true, composed: true }));
  }

  /** Completes the name before the caret. */
  #complete(name: string): void {
    const { value, selectionEnd } = this.#area;
    const { begun } = completionsOf(value.slice(0, selectionEnd), this.names);
    const caret = selectionEnd - begun.length + name.length;
    this.#area.setRangeText(name, selectionEnd - begun.length, selectionEnd, "end");
    this.#put(this.#area.value);
    this.offered = [];
    this.#area.focus();
    this.#area.setSelectionRange(caret, caret);
  }

  /** Esc takes the names on offer away. */
  #press({ key }: KeyboardEvent): void {
    if (key === "Escape") this.offered = [];
  }

  #beside() {
    const { hint, offered, offer } = this;
    if (!offered.length) return hint ? html`<span class="hint" lang="en">${hint}</span>` : nothing;
    const buttons = offered.map(
      (name) => html`<button @click=${() => this.#complete(name)}>${name}</button>`,
    );
    return html`<span class="hint offered" role="group" aria-label=${offer} lang="en"
      >${buttons}</span
    >`;
  }

  /** The text with its refused part marked; a space after the end stands for a missing part. */
  #copy() {
    const { value, wrong } = this;
    if (!wrong) return html`${value}${"\u200b"}`;
    const [before, inside] = [value.slice(0, wrong.from), value.slice(wrong.from, wrong.to)];
    return html`${before}<mark>${inside || "\u00a0\u00a0"}</mark>${value.slice(wrong.to)}`;
  }

  protected override render() {
    const { label, value, remark } = this;
    return html`<div class="label"><label for="text">${label}</label> ${this.#beside()}</div>
      <div class="field" @keydown=${this.#press}
        ><span class="copy" aria-hidden="true">${this.#copy()}</span
        ><textarea
          id="text"
          rows="1"
          autocapitalize="off"
          autocomplete="off"
          spellcheck="false"
          maxlength="600"
          aria-invalid=${Boolean(remark)}
          aria-describedby="remark"
          .value=${live(value)}
          @input=${this.#type}
          @compositionend=${this.#tell}
        ></textarea>
      </div>
      <p id="remark" class="remark" role="status" ?hidden=${!remark}>${remark}</p>`;
  }
}

define("wf-formula-field", FormulaField);

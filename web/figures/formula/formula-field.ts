/**
 * `<wf-formula-field>`: one formula, with a mark at the characters that the engine refuses and the
 * reason below it. An editor replaces the text area as soon as its files are there. Fires
 * `wf-change` at every keystroke.
 */
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { live } from "lit/directives/live.js";
import { quiet, unprinted } from "../../controls/shared-styles.js";
import { define } from "../../define.js";
import type { EditorSettings, FormulaEditor, Span } from "./formula-editor.js";

const maxCharacters = 600;

export class FormulaField extends LitElement {
  static override properties = {
    label: {},
    hint: {},
    names: { attribute: false },
    offer: {},
    value: {},
    wrong: { attribute: false },
    remark: { attribute: false },
    hasEditor: { state: true },
  };

  declare label: string;
  /** Names that this formula can use. */
  declare hint: string;
  /** All names, which complete what is being typed; and the label of their list. */
  declare names: readonly string[];
  declare offer: string;
  declare value: string;
  /** The part that is refused, and why. */
  declare wrong: Span | undefined;
  declare remark: unknown;
  declare hasEditor: boolean;

  #editor: FormulaEditor | undefined;

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

      .editor,
      textarea {
        border-bottom: 1px solid var(--wf-soft);
        font: calc(16 * var(--wf-px, 1px)) / 1.5 var(--wf-mono);
        font-variant-ligatures: none;
        letter-spacing: 0;
      }

      textarea {
        display: block;
        width: 100%;
        padding: 0.45em 0 0.35em;
        field-sizing: content;
        overflow-wrap: anywhere;
        resize: none;
      }

      .editor:hover,
      textarea:is(:hover, :focus) {
        border-bottom-color: var(--wf-ink);
      }

      textarea:focus-visible {
        outline-offset: 0;
      }

      mark {
        color: inherit;
        background: none;
        /* A browser gives what is typed over a decoration a style of its own, which a strict
           policy refuses. */
        border-bottom: 2px dotted var(--wf-minus);
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
    this.hasEditor = false;
  }

  get #settings(): EditorSettings {
    const { label, names, offer, wrong, remark } = this;
    return { label, names, offer, wrong, isInvalid: Boolean(remark) };
  }

  #put(detail: string): void {
    this.value = detail;
    this.dispatchEvent(new CustomEvent("wf-change", { detail, bubbles: true, composed: true }));
  }

  #type({ target, isComposing }: InputEvent): void {
    // Unfinished pinyin is not yet text.
    if (!isComposing) this.#put((target as HTMLTextAreaElement).value);
  }

  /** Replaces the text area, which stays if the editor's files do not arrive. */
  async #load(): Promise<void> {
    const loaded = await import("./formula-editor.js").catch(() => undefined);
    if (!loaded?.formulaEditor || this.#editor || !this.isConnected) return;
    const area = this.renderRoot.querySelector("textarea");
    const hadFocus = area !== null && this.shadowRoot?.activeElement === area;
    const parent = this.renderRoot.querySelector<HTMLElement>(".editor")!;
    const typed = (text: string) => this.#put(text);
    this.#editor = loaded.formulaEditor(parent, this.value, maxCharacters, this.#settings, typed);
    this.hasEditor = true;
    if (hadFocus) this.#editor.focus();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.updateComplete.then(() => this.#load());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#editor?.dispose();
    this.#editor = undefined;
    this.hasEditor = false;
  }

  protected override updated(_: PropertyValues): void {
    this.#editor?.write(this.value);
    this.#editor?.set(this.#settings);
  }

  #area() {
    return html`<textarea
      id="text"
      rows="1"
      autocapitalize="off"
      autocomplete="off"
      spellcheck="false"
      maxlength=${maxCharacters}
      aria-invalid=${Boolean(this.remark)}
      aria-describedby="remark"
      .value=${live(this.value)}
      @input=${this.#type}
      @compositionend=${this.#type}
    ></textarea>`;
  }

  protected override render() {
    const { label, hint, remark, hasEditor } = this;
    return html`<div class="label"
        ><label for="text" @click=${() => this.#editor?.focus()}>${label}</label>
        ${hint ? html`<span class="hint" lang="en">${hint}</span>` : nothing}</div
      >
      <div class="editor" ?hidden=${!hasEditor}></div>
      ${hasEditor ? nothing : this.#area()}
      <p id="remark" class="remark" role="status" ?hidden=${!remark}>${remark}</p>`;
  }
}

define("wf-formula-field", FormulaField);

/** `<wf-pick>`: a select inside a sentence; fires `wf-change` with the index chosen. */

import { css, html, LitElement } from "lit";
import { live } from "lit/directives/live.js";
import { define } from "../define.js";
import { quiet, unprinted } from "./shared-styles.js";

export class Pick extends LitElement {
  static override properties = { label: {}, value: { type: Number }, words: { attribute: false } };

  declare label: string;
  declare value: number;
  declare words: readonly string[];

  static override styles = [
    quiet,
    unprinted,
    css`
      :host {
        display: inline-block;
      }

      select {
        max-width: min(20em, 100%);
        text-overflow: ellipsis;
        padding: 0.5em 0.1em 0.4em;
        border-bottom: 1px solid var(--wf-soft);
        cursor: pointer;
      }

      option {
        background: var(--wf-paper);
        color: var(--wf-ink);
      }
    `,
  ];

  constructor() {
    super();
    this.label = "";
    this.value = 0;
    this.words = [];
  }

  #choose(event: Event): void {
    this.value = Number((event.target as HTMLSelectElement).value);
    this.dispatchEvent(
      new CustomEvent("wf-change", { detail: this.value, bubbles: true, composed: true }),
    );
  }

  protected override render() {
    return html`<select
      aria-label=${this.label}
      .value=${live(String(this.value))}
      @change=${this.#choose}
    >
      ${this.words.map(
        (word, index) =>
          html`<option value=${index} ?selected=${index === this.value}>${word}</option>`,
      )}
    </select>`;
  }
}

define("wf-pick", Pick);

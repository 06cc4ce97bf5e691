/**
 * `<wf-choice>`: a choice of one among a few words; radio buttons that look like a line of text.
 */

import { css, html, LitElement } from "lit";
import { define } from "../define.js";
import { quiet, unprinted, wordsInRow } from "./shared-styles.js";

export interface Option {
  value: string;
  text: string;
}

/** Returns the options 1, 2, 3 …, whose values count from 0. */
export const numbered = (count: number): Option[] =>
  Array.from({ length: count }, (_, index) => ({ value: String(index), text: String(index + 1) }));

let next = 0;

export class Choice extends LitElement {
  static override properties = { label: {}, value: {}, options: { attribute: false } };

  declare label: string;
  declare value: string;
  declare options: readonly Option[];
  #name = `choice-${next++}`;

  static override styles = [
    quiet,
    unprinted,
    wordsInRow,
    css`
      legend {
        float: left;
        padding: 0.55em 0;
        color: var(--wf-soft);
      }

      label {
        position: relative;
        padding: 0.55em 0;
        min-width: 1.6em;
        text-align: center;
        cursor: pointer;
      }

      input {
        position: absolute;
        inset: 0;
        opacity: 0;
        cursor: pointer;
      }

      span {
        padding-bottom: 2px;
        border-bottom: 1px solid transparent;
      }

      label:hover span {
        border-bottom-color: var(--wf-soft);
      }

      input:checked + span {
        border-bottom: 2px solid var(--wf-ink);
        font-weight: 600;
      }

      @media (pointer: coarse) {
        label {
          min-width: 44px;
          padding-block: 0.75em;
        }
      }

      input:focus-visible + span {
        outline: 2px solid var(--wf-ink);
        outline-offset: 3px;
      }
    `,
  ];

  constructor() {
    super();
    this.label = "";
    this.value = "";
    this.options = [];
  }

  #choose(value: string): void {
    this.value = value;
    this.dispatchEvent(
      new CustomEvent("wf-change", { detail: value, bubbles: true, composed: true }),
    );
  }

  protected override render() {
    return html`<fieldset>
      <legend>${this.label}</legend>
      <div class="words"
        >${this.options.map(
          ({ value, text }) =>
            html`<label>
              <input
                type="radio"
                name=${this.#name}
                .value=${value}
                .checked=${value === this.value}
                @change=${() => this.#choose(value)}
              /><span>${text}</span>
            </label>`,
        )}</div
      >
    </fieldset>`;
  }
}

define("wf-choice", Choice);

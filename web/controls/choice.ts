/** `<wf-choice>`: a choice of one among a few words, on a common ground. */

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
        padding: 0.5em 0;
        min-width: var(--wf-names, 0);
        color: var(--wf-soft);
      }

      .words {
        gap: 0;
        padding: 2px;
        border-radius: 6px;
        background: color-mix(in srgb, var(--wf-ink) 7%, transparent);
      }

      label {
        position: relative;
        min-width: 2em;
        text-align: center;
        cursor: pointer;
      }

      input {
        position: absolute;
        inset: 0;
        opacity: 0;
        cursor: pointer;
      }

      /* The bold form keeps its space, so that no option moves when another is chosen. */
      span {
        display: grid;
        padding: 0.3em 0.7em;
        border: 1px solid transparent;
        border-radius: 4px;
      }

      span::after {
        content: attr(data-text);
        height: 0;
        overflow: hidden;
        font-weight: 600;
        visibility: hidden;
      }

      label:hover span {
        border-color: var(--wf-hair);
      }

      input:checked + span {
        border-color: var(--wf-soft);
        background: var(--wf-paper);
        font-weight: 600;
      }

      @media (pointer: coarse) {
        label {
          min-width: 44px;
        }

        span {
          padding-block: 0.6em;
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
              /><span data-text=${text}>${text}</span>
            </label>`,
        )}</div
      >
    </fieldset>`;
  }
}

define("wf-choice", Choice);

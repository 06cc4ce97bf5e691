/**
 * `<wf-several>`: a choice of several words, at least `min` and at most `max`. Fires `wf-change`
 * with their values, in the order shown.
 */

import { css, html, LitElement, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { define } from "../define.js";
import { languageOf } from "../language-of.js";
import { textFor } from "../text/index.js";
import type { Option } from "./choice.js";
import { quiet, unprinted, wordsInRow } from "./shared-styles.js";

export class Several extends LitElement {
  static override properties = {
    label: {},
    values: { attribute: false },
    options: { attribute: false },
    min: { type: Number },
    max: { type: Number },
    disabled: { type: Boolean },
  };

  declare label: string;
  declare values: readonly string[];
  declare options: readonly Option[];
  declare min: number;
  declare max: number;
  declare disabled: boolean;

  static override styles = [
    quiet,
    unprinted,
    wordsInRow,
    css`
      legend {
        float: left;
        padding: 0.4em 0;
        color: var(--wf-soft);
      }

      label {
        display: inline-flex;
        align-items: baseline;
        gap: 0.4em;
        padding: 0.4em 0;
        cursor: pointer;
      }

      input {
        align-self: center;
        width: 15px;
        height: 15px;
        accent-color: var(--wf-ink);
        cursor: inherit;
      }

      label:has(:checked) span {
        font-weight: 600;
      }

      label:has(:disabled) {
        cursor: default;
      }

      .bounds {
        font-size: calc(13 * var(--wf-px, 1px));
      }

      label:has(:disabled:not(:checked)) {
        color: var(--wf-soft);
      }

      @media (pointer: coarse) {
        label {
          padding-block: 0.75em;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.label = "";
    this.values = [];
    this.options = [];
    this.min = 0;
    this.max = Infinity;
    this.disabled = false;
  }

  #toggle(value: string): void {
    const without = this.values.filter((one) => one !== value);
    const wanted = without.length < this.values.length ? without : [...this.values, value];
    this.values = this.options.map((option) => option.value).filter((one) => wanted.includes(one));
    this.dispatchEvent(
      new CustomEvent("wf-change", { detail: this.values, bubbles: true, composed: true }),
    );
  }

  protected override render() {
    const { length } = this.values;
    const { several } = textFor(languageOf(this));
    // Explains why boxes are disabled; if all may be chosen, none is.
    const said = this.options.length > this.max ? several(this.min, this.max) : "";
    const bounds = said ? html`<span class="bounds">${said}</span>` : nothing;
    return html`<fieldset>
      <legend>${this.label}${bounds}</legend>
      <div class="words"
        >${this.options.map(({ value, text }) => {
          const isChosen = this.values.includes(value);
          const isStuck = isChosen ? length <= this.min : length >= this.max;
          return html`<label>
            <input
              type="checkbox"
              .value=${value}
              .checked=${live(isChosen)}
              ?disabled=${this.disabled || isStuck}
              @change=${() => this.#toggle(value)}
            /><span>${text}</span>
          </label>`;
        })}
      </div>
    </fieldset>`;
  }
}

define("wf-several", Several);

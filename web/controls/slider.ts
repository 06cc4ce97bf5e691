/**
 * `<wf-slider>`: a number between two limits, with its meaning beside it; fires `wf-change` while
 * it moves.
 */

import { css, html, LitElement } from "lit";
import { live } from "lit/directives/live.js";
import { define } from "../define.js";
import { quiet, unprinted } from "./shared-styles.js";

export class Slider extends LitElement {
  static override properties = {
    label: {},
    value: { type: Number },
    min: { type: Number },
    max: { type: Number },
    step: {},
    text: {},
  };

  declare label: string;
  declare value: number;
  declare min: number;
  declare max: number;
  /** "any" allows every number between the limits. */
  declare step: string;
  /** The value in words. */
  declare text: string;

  static override styles = [
    quiet,
    unprinted,
    css`
      label {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0 0.8em;
        min-height: 44px;
      }

      .label,
      output {
        color: var(--wf-soft);
      }

      /* Sliders below each other begin at one edge. */
      .label {
        min-width: var(--wf-names, 0);
      }

      output {
        font-variant-numeric: tabular-nums;
      }

      input {
        /* It is the name that goes on a line of its own where there is no room, not the value. */
        flex: 1 1 9rem;
        min-width: 9rem;
        max-width: 16rem;
        height: 30px;
        accent-color: var(--wf-ink);
        cursor: pointer;
      }

      input:focus-visible {
        outline: 2px solid var(--wf-ink);
        outline-offset: 3px;
      }
    `,
  ];

  constructor() {
    super();
    this.label = "";
    this.value = 0;
    this.min = 0;
    this.max = 1;
    this.step = "1";
    this.text = "";
  }

  #slide(event: Event): void {
    this.value = Number((event.target as HTMLInputElement).value);
    this.dispatchEvent(
      new CustomEvent("wf-change", { detail: this.value, bubbles: true, composed: true }),
    );
  }

  protected override render() {
    return html`<label>
      <span class="label">${this.label}</span>
      <input
        type="range"
        min=${this.min}
        max=${this.max}
        .step=${this.step}
        aria-valuetext=${this.text}
        .value=${live(String(this.value))}
        @input=${this.#slide}
      />
      <output>${this.text}</output>
    </label>`;
  }
}

define("wf-slider", Slider);

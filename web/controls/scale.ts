/**
 * `<wf-scale>`: the legend of a map: a strip of its colours with numbers at the ends, and the
 * meaning of the hatching.
 */

import { css, html, LitElement, nothing } from "lit";
import { define } from "../define.js";
import { type Palette, signedColour, weightColour } from "../drawing/colour.js";
import type { Picture } from "../drawing/scene.js";
import { stripMarks } from "../drawing/strip.js";
import { quiet } from "./shared-styles.js";
import "./scene-view.js";

const stripWidth = 120;
const stripHeight = 12;
const sampleWidth = 22;

export class Scale extends LitElement {
  static override properties = {
    label: {},
    low: {},
    high: {},
    signed: { type: Boolean },
    hatchLabel: { attribute: false },
    theme: {},
  };

  declare label: string;
  declare low: string;
  declare high: string;
  declare signed: boolean;
  /** Text beside a hatched sample; empty if no cell is masked. */
  declare hatchLabel: string;
  /** Changes with the colours, so that the strip is painted again. */
  declare theme: string;

  static override styles = [
    quiet,
    css`
      :host {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0 0.6em;
        color: var(--wf-soft);
        font-size: calc(13 * var(--wf-px, 1px));
      }

      wf-scene {
        flex: none;
      }

      .strip {
        width: ${stripWidth}px;
      }

      .sample {
        display: inline-flex;
        align-items: center;
        gap: 0.6em;
        margin-inline-start: 1em;
      }

      .hatch {
        width: ${sampleWidth}px;
      }

      @media (max-width: 30rem) {
        .sample {
          margin-inline-start: 0;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.label = "";
    this.low = "0";
    this.high = "1";
    this.signed = false;
    this.hatchLabel = "";
    this.theme = "";
  }

  #strip = (width: number, palette: Palette): Picture => {
    const colourAt = (share: number) =>
      this.signed ? signedColour(palette, share * 2 - 1, 1) : weightColour(palette, share, 1);
    const strip = {
      x: 0,
      y: 0,
      width: Math.min(width, stripWidth),
      height: stripHeight,
      parts: 60,
    };
    return { width, height: stripHeight, marks: stripMarks(strip, colourAt, palette), grids: [] };
  };

  #hatched = (width: number, palette: Palette): Picture => ({
    width,
    height: stripHeight,
    marks: [
      {
        kind: "rect",
        x: 0.5,
        y: 0.5,
        width: width - 1,
        height: stripHeight - 1,
        hatch: palette.hair,
        stroke: palette.hair,
      },
    ],
    grids: [],
  });

  protected override render() {
    const { low, high, label } = this;
    return html`<span>${low}</span>
      <wf-scene
        class="strip"
        .wide=${stripWidth}
        .draw=${(width: number, palette: Palette) => this.#strip(width, palette)}
        .label=${`${label}: ${low} – ${high}`}
      ></wf-scene>
      <span>${high}</span> <span>${label}</span> ${
        this.hatchLabel
          ? html`<span class="sample"
              ><wf-scene
                class="hatch"
                .wide=${sampleWidth}
                .draw=${this.#hatched}
                .label=${this.hatchLabel}
              ></wf-scene
              >${this.hatchLabel}</span
            >`
          : nothing
      }`;
  }
}

define("wf-scale", Scale);

/**
 * Controls for the display of zoomed maps: scale, first token, and the number shown for a block of
 * cells.
 */
import { html, type TemplateResult } from "lit";
import type { Extent } from "../../../controls/map-view.js";
import { roundUp } from "../../../drawing/axes.js";
import type { Reduce } from "../../../drawing/map-pyramid.js";
import { logDecades, type MapScale } from "../../../drawing/map-shades.js";
import { cellNumber } from "../../../text/numbers.js";
import type { ZoomWords } from "./map-words.js";
import "../../../controls/choice.js";
import "../../../controls/scale.js";
import "../../../controls/several.js";

export interface MapLook {
  log: boolean;
  hideFirst: boolean;
  reduce: Reduce;
}

/** Returns the end of the scale that several maps share. */
export function scaleEnd(extents: readonly Pick<Extent, "min" | "max">[]): number {
  const sizes = extents.flatMap(({ min, max }) => [Math.abs(min), Math.abs(max)]);
  const largest = Math.max(0, ...sizes.filter(Number.isFinite));
  return largest > 0 ? roundUp(largest) : 1;
}

export function mapScale(
  label: string,
  { limit, signed, log }: MapScale,
  words: ZoomWords,
  hatchLabel: string,
  theme: string,
): TemplateResult {
  const isLog = log && !signed;
  const low = signed ? cellNumber(-limit) : isLog ? cellNumber(limit / 10 ** logDecades) : "0";
  return html`<wf-scale
    slot="legend"
    .label=${isLog ? words.log(label) : label}
    .low=${low}
    .high=${signed ? `+${cellNumber(limit)}` : cellNumber(limit)}
    .signed=${signed}
    .hatchLabel=${hatchLabel}
    .theme=${theme}
  ></wf-scale>`;
}

/** A signed map has no logarithmic scale. */
export function lookControls(
  { log, hideFirst, reduce }: MapLook,
  words: ZoomWords,
  isSigned: boolean,
  change: (changed: Partial<MapLook>) => void,
): TemplateResult {
  const logOption = { value: "log", text: words.logScale };
  const options = [...(isSigned ? [] : [logOption]), { value: "first", text: words.hideFirst }];
  const values = [...(log ? ["log"] : []), ...(hideFirst ? ["first"] : [])];
  const look = ({ detail }: CustomEvent<string[]>) =>
    change({
      ...(isSigned ? {} : { log: detail.includes("log") }),
      hideFirst: detail.includes("first"),
    });
  const reduces = (["max", "mean"] as const).map((value) => ({
    value,
    text: words.reduces[value],
  }));
  return html`<wf-several
      slot="controls"
      class="look"
      .label=${words.view}
      .options=${options}
      .values=${values}
      @wf-change=${look}
    ></wf-several>
    <wf-choice
      slot="controls"
      class="reduce"
      .label=${words.reduce}
      .value=${reduce}
      .options=${reduces}
      @wf-change=${({ detail }: CustomEvent<Reduce>) => change({ reduce: detail })}
    ></wf-choice>`;
}

/** Parts under the bars: the progress of the measurement, and the table of its numbers. */
import { html, nothing, type TemplateResult } from "lit";
import { grouped } from "../../text/numbers.js";
import { openTable } from "../shared/tables/plain-table.js";
import type { MeasuredScheme } from "./messages.js";
import type { CostsWords } from "./words.js";

export interface Progress {
  done: number;
  total: number;
}

/**
 * Returns the progress of a measurement with a way to cancel it; else a button to measure again.
 */
export function measurementControls(
  progress: Progress | undefined,
  words: CostsWords,
  { cancel, again }: { cancel: () => void; again: () => void },
) {
  if (!progress)
    return html`<div class="acts">
      <button class="again" @click=${again}>${words.again}</button>
    </div>`;
  const { done, total } = progress;
  return html`<div class="acts">
    <progress max=${Math.max(1, total)} .value=${done} aria-label=${words.progressLabel}></progress>
    <span>${total ? words.progress(done, total) : words.starting}</span>
    <button class="cancel" @click=${cancel}>${words.cancel}</button>
  </div>`;
}

/** Texts of a row of the table; no-break spaces before there are numbers. */
type Cells = readonly [string | TemplateResult, string, string, string, string, string];
const blank: Cells = ["\u00a0", "\u00a0", "\u00a0", "\u00a0", "\u00a0", "\u00a0"];

/** Returns the numbers of all schemes; before there are any, as many hidden empty rows. */
export function tableOf(
  rows: readonly MeasuredScheme[],
  blanks: number,
  words: CostsWords,
  nameOf: (scheme: string) => string | TemplateResult,
) {
  if (!rows.length && !blanks) return nothing;
  const known = rows.map(
    ({ scheme, microseconds, ratio, formula, parameters, cacheBytes }): Cells => [
      nameOf(scheme),
      words.microseconds(microseconds),
      words.times(ratio),
      words.times(formula),
      parameters ? grouped(parameters) : "0",
      grouped(cacheBytes),
    ],
  );
  const lines = rows.length ? known : Array.from({ length: blanks }, () => blank);
  const { tableLabel: label, tableCaption, columns } = words;
  return openTable(
    { label, caption: tableCaption, columns, rows: lines },
    rows.length ? "" : "kept",
  );
}

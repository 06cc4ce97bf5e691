/** What stands under the bars: how far the measuring is, and the table of its numbers. */
import { html, nothing } from "lit";
import type { MeasuredScheme } from "../../engine/both/messages.js";
import { grouped } from "../../text/numbers.js";
import type { CostsWords } from "./words.js";

export interface Progress {
  done: number;
  total: number;
}

/** While it measures, how far; else a way to measure again. */
export function actsOf(
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

export function tableOf(
  rows: readonly MeasuredScheme[],
  words: CostsWords,
  nameOf: (scheme: string) => string,
) {
  if (!rows.length) return nothing;
  return html`<div class="numbers" tabindex="0" role="region" aria-label=${words.tableLabel}><table>
    <caption>${words.tableCaption}</caption>
    <thead>
      <tr>${words.columns.map((column) => html`<th scope="col">${column}</th>`)}</tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ scheme, microseconds, ratio, formula, parameters, cacheBytes }) => html`<tr>
          <th scope="row">${nameOf(scheme)}</th>
          <td>${words.microseconds(microseconds)}</td>
          <td>${words.times(ratio)}</td>
          <td>${words.times(formula)}</td>
          <td>${parameters ? grouped(parameters) : "0"}</td>
          <td>${grouped(cacheBytes)}</td>
        </tr>`,
      )}
    </tbody>
  </table></div>`;
}

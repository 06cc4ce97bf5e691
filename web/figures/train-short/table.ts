/** Parts under the chart of the figure that trains: the progress, and the table of its numbers. */
import { html, nothing, type TemplateResult } from "lit";
import { lengthRecipe } from "../../defaults.js";
import type { Experiment, Run } from "../../engine/page/experiment.js";
import type { SharedWords } from "../shared/figure/words.js";
import type { TestMeasure } from "./measures.js";
import type { Line } from "./summary.js";
import type { TrainWords } from "./words.js";

const { multiples, length, seeds } = lengthRecipe;
type TableWords = TrainWords & SharedWords["lengths"];

/** Returns the progress while training or paused. */
export function progressOf(experiment: Experiment, words: TrainWords): TemplateResult {
  const { done, total, secondsLeft } = experiment.progress;
  const isPaused = experiment.stage === "paused";
  const finished = experiment.runs.filter(({ stage }) => stage === "done").length;
  const left = secondsLeft === undefined ? "" : words.left(secondsLeft);
  return html`<div class="progress">
    <progress max=${total} .value=${done} aria-label=${words.progressLabel}></progress>
    <span role="status" class="unseen">${isPaused ? words.paused : words.training}</span>
    <span
      >${words.progress(done, total, finished, experiment.runs.length)}
      ${isPaused ? words.paused : left}</span
    >
  </div>`;
}

function cellOf({ tested }: Line, column: number, { text }: TestMeasure, words: TableWords) {
  if (!tested.length) return "";
  const at = tested[column];
  if (!at) return html`<span class="none">${words.undefined}</span>`;
  const spread = at.count > 1 ? html` <small>± ${text((at.max - at.min) / 2)}</small>` : nothing;
  return html`${text(at.mean)}${spread}`;
}

/**
 * Returns each curve's result at each length, with a button to save its weights; nothing before a
 * test.
 */
export function tableOf(
  lines: readonly Line[],
  measure: TestMeasure,
  words: TableWords,
  { nameOf, keep }: { nameOf: (line: Line) => string; keep: (run: Run) => void },
): TemplateResult | typeof nothing {
  const known = lines.filter(({ tested, runs }) => tested.length || runs.length);
  if (!known.some(({ tested }) => tested.length)) return nothing;
  const keepButton = (line: Line) => {
    const kept = line.runs.find(({ file }) => file);
    if (!kept) return nothing;
    return html`<button
      class="keep"
      aria-label=${words.keepLabel(nameOf(line))}
      @click=${() => keep(kept)}
    >
      ${words.keep}
    </button>`;
  };
  return html`<div class="numbers" tabindex="0" role="region" aria-label=${words.tableLabel}
    ><table>
      <caption>${words.tableCaption(seeds.length)}</caption>
      <thead>
        <tr>
          <th scope="col">${words.scheme}</th>
          ${multiples.map((multiple) => html`<th scope="col">${multiple * length}</th>`)}
          <th scope="col">${words.file}</th>
        </tr>
      </thead>
      <tbody>
        ${known.map(
          (line) =>
            html`<tr>
              <th scope="row">${nameOf(line)}</th>
              ${multiples.map((_, at) => html`<td>${cellOf(line, at, measure, words)}</td>`)}
              <td>${keepButton(line)}</td>
            </tr>`,
        )}
      </tbody>
    </table></div
  >`;
}

/** Returns every guess and every test of every run, for a file. */
export function rowsOf(
  lines: readonly Line[],
  guesses: Readonly<Record<string, readonly number[]>>,
  { column: result }: TestMeasure,
): (string | number)[][] {
  const header = ["scheme", "seed", "steps", "test_length", result];
  const runs = lines.flatMap((line) => line.runs);
  const rows = runs.flatMap(({ scheme, seed, steps, tested }) =>
    tested.map((value, column) => {
      return [scheme, seed, steps, multiples[column]! * length, value ?? "not defined"];
    }),
  );
  const guessed = Object.entries(guesses).flatMap(([scheme, values]) =>
    values.map((value, column) => [scheme, "guess", 0, multiples[column]! * length, value]),
  );
  return [header, ...guessed, ...rows];
}

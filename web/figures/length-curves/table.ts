/** The curves as numbers: all schemes in a table under the charts, and every seed in a file. */
import { html, nothing } from "lit";
import type { Language } from "../../defaults.js";
import type { Curve, LengthResults } from "../../engine/page/length-results.js";
import type { SharedWords } from "../shared/figure/words.js";
import type { CurvesWords } from "./words.js";

export const languages: readonly Language[] = ["en", "zh"];

interface TableWords {
  words: CurvesWords;
  lengths: SharedWords["lengths"];
}

function cellOf(one: Curve[number], { lengths }: TableWords) {
  if (!one) return html`<span class="none">${lengths.undefined}</span>`;
  const half = ((one.max - one.min) / 2).toFixed(2);
  return html`${one.mean.toFixed(2)}${one.count > 1 ? html` <small>± ${half}</small>` : nothing}`;
}

/** Returns a folded table for each language. */
export function tableOf(
  { curves, multiples, length }: LengthResults,
  text: TableWords,
  nameOf: (scheme: string) => string,
) {
  const { words, lengths } = text;
  const tables = languages.map(
    (language) =>
      html`<table>
        <caption>${words.tableCaption(language)}</caption>
        <thead>
          <tr>
            <th scope="col">${lengths.scheme}</th>
            ${multiples.map((multiple) => html`<th scope="col">${multiple * length}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${[...curves].map(
            ([scheme, curve]) =>
              html`<tr>
                <th scope="row">${nameOf(scheme)}</th>
                ${curve[language].map((one) => html`<td>${cellOf(one, text)}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>`,
  );
  return html`<details>
    <summary>${words.all(curves.size)}</summary>
    <div class="numbers" tabindex="0" role="region" aria-label=${words.tableLabel}>${tables}</div>
  </details>`;
}

/** Returns every seed's loss in each language at each length. */
export function rowsOf({ raw, curves, multiples, length }: LengthResults): (string | number)[][] {
  const rows = [...curves.keys()].flatMap((scheme) =>
    Object.entries(raw[scheme]!).flatMap(([seed, byLanguage]) =>
      languages.flatMap((language) =>
        multiples.map((multiple, column) => {
          const loss = byLanguage[language][column] ?? "not defined";
          return [scheme, seed, language, multiple * length, loss];
        }),
      ),
    ),
  );
  return [["scheme", "seed", "text", "test_length", "bits_per_character"], ...rows];
}

/** A table of numbers, folded away, for whoever wants them all. */
import { html } from "lit";

export interface PlainTable {
  /** What opens it; also its name to a screen reader. */
  label: string;
  columns: readonly string[];
  /** The first cell of a row names it. */
  rows: readonly (readonly string[])[];
}

/** The table by itself. */
export const openTable = ({ label, columns, rows }: PlainTable) =>
  html`<div class="numbers" tabindex="0" role="region" aria-label=${label}><table>
    <thead>
      <tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr>
    </thead>
    <tbody>
      ${rows.map(
        ([name, ...cells]) => html`<tr>
          <th scope="row">${name}</th>
          ${cells.map((cell) => html`<td>${cell}</td>`)}
        </tr>`,
      )}
    </tbody>
  </table></div>`;

export const foldedTable = (table: PlainTable) =>
  html`<details class="table"><summary>${table.label}</summary>${openTable(table)}</details>`;

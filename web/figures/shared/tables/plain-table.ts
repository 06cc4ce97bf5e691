/** A folded table of numbers. */
import { html } from "lit";

export interface PlainTable {
  /** Text of the line that opens it; also its accessible name. */
  label: string;
  columns: readonly string[];
  /** The first cell of a row is its name. */
  rows: readonly (readonly string[])[];
}

/** Returns the table, not folded. */
export const openTable = ({ label, columns, rows }: PlainTable) =>
  html`<div class="numbers" tabindex="0" role="region" aria-label=${label}
    ><table>
      <thead>
        <tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr>
      </thead>
      <tbody>
        ${rows.map(
          ([name, ...cells]) =>
            html`<tr>
              <th scope="row">${name}</th>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table></div
  >`;

export const foldedTable = (table: PlainTable) =>
  html`<details class="table"><summary>${table.label}</summary>${openTable(table)}</details>`;

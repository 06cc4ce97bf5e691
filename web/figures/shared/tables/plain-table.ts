/** A table of numbers, folded or not. */
import { html, nothing, type TemplateResult } from "lit";

export interface PlainTable {
  /** Text of the line that opens it; also its accessible name. */
  label: string;
  caption?: string;
  columns: readonly string[];
  /** The first cell of a row is its name. */
  rows: readonly (readonly (string | TemplateResult)[])[];
}

/** Returns the table, not folded; `classes` are added to that of its container. */
export const openTable = ({ label, caption, columns, rows }: PlainTable, classes = "") =>
  html`<div class="numbers ${classes}" tabindex="0" role="region" aria-label=${label}
    ><table>
      ${caption ? html`<caption>${caption}</caption>` : nothing}
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

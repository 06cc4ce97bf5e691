/** A table that is sorted by a click on a column's header. */
import { css, html, nothing, type TemplateResult } from "lit";

/** Text of a cell, and its value for sorting; cells without a value come last in either order. */
export interface Cell {
  text: string | TemplateResult;
  value: number | string | undefined;
}

export interface Order {
  column: number;
  isDown: boolean;
}

/** Texts of a table beside its cells. */
export interface TableWords {
  /** Accessible name of the table. */
  tableLabel: string;
  columns: readonly string[];
  sortBy: (column: string) => string;
}

export const sortedTableStyles = css`
  thead th {
    vertical-align: bottom;
  }

  th button {
    min-height: 44px;
    min-width: 44px;
    max-width: 7em;
    padding: 0;
    border: 0;
    color: var(--wf-soft);
    text-align: start;
    white-space: normal;
    vertical-align: bottom;
  }

  /* Digits of one value under each other. */
  .number,
  .number button {
    text-align: end;
  }

  .number + :not(.number) {
    padding-inline-start: 0.9rem;
  }

  th[aria-sort$="ending"] button {
    color: var(--wf-ink);
    font-weight: 600;
  }

  /* All columns have to fit the sheet. */
  @media print {
    :is(th, td) {
      padding-inline: 0.15rem;
      font-size: 7pt;
    }

    th button {
      min-width: 0;
    }
  }

  /* Names of schemes take two lines, not three. */
  @media (max-width: 30rem) {
    tbody th {
      min-width: 9em;
    }
  }
`;

export function sortRows(rows: readonly (readonly Cell[])[], { column, isDown }: Order) {
  const compare = (a: Cell["value"], b: Cell["value"]): number => {
    if (a === undefined || b === undefined)
      return Number(a === undefined) - Number(b === undefined);
    const order = typeof a === "number" ? a - Number(b) : a.localeCompare(String(b));
    return isDown ? -order : order;
  };
  return [...rows].sort((a, b) => compare(a[column]!.value, b[column]!.value));
}

/** Returns the columns that have only numbers, or dashes for missing ones. */
function numberColumns(rows: readonly (readonly Cell[])[]): (column: number) => boolean {
  const isNumber = ({ text }: Cell) => typeof text === "string" && /^[<−–\d]/.test(text);
  return (column) => rows.length > 0 && rows.every((row) => isNumber(row[column]!));
}

export function sortedTable(
  rows: readonly (readonly Cell[])[],
  order: Order,
  words: TableWords,
  sort: (order: Order) => void,
) {
  const direction = order.isDown ? "descending" : "ascending";
  const isNumber = numberColumns(rows);
  const classOf = (column: number) => (isNumber(column) ? "number" : nothing);
  const head = (name: string, column: number) => {
    const isSorted = column === order.column;
    const arrow = isSorted ? (order.isDown ? " ↓" : " ↑") : "";
    return html`<th scope="col" class=${classOf(column)} aria-sort=${isSorted ? direction : "none"}>
      <button
        title=${words.sortBy(name)}
        @click=${() => sort({ column, isDown: isSorted ? !order.isDown : false })}
        >${name}<span aria-hidden="true">${arrow}</span></button
      >
    </th>`;
  };
  return html`<div class="numbers" tabindex="0" role="region" aria-label=${words.tableLabel}
    ><table>
      <thead><tr>${words.columns.map(head)}</tr></thead>
      <tbody>
        ${sortRows(rows, order).map(
          ([name, ...cells]) =>
            html`<tr>
              <th scope="row">${name!.text}</th>
              ${cells.map(({ text }, index) => html`<td class=${classOf(index + 1)}>${text}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table></div
  >`;
}

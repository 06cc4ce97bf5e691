/** All schemes in a table that is sorted by a click on a column's head. */
import { html, type TemplateResult } from "lit";
import type { ChooserWords } from "./words.js";

/** What a cell shows, and what it is sorted by; nothing comes last, whichever way. */
export interface Cell {
  text: string | TemplateResult;
  value: number | string | undefined;
}

export interface Order {
  column: number;
  isDown: boolean;
}

export function sortRows(rows: readonly (readonly Cell[])[], { column, isDown }: Order) {
  const compare = (a: Cell["value"], b: Cell["value"]): number => {
    if (a === undefined || b === undefined)
      return Number(a === undefined) - Number(b === undefined);
    const order = typeof a === "number" ? a - Number(b) : a.localeCompare(String(b));
    return isDown ? -order : order;
  };
  return [...rows].sort((a, b) => compare(a[column]!.value, b[column]!.value));
}

export function sortedTable(
  rows: readonly (readonly Cell[])[],
  order: Order,
  words: ChooserWords,
  sort: (order: Order) => void,
) {
  const direction = order.isDown ? "descending" : "ascending";
  const head = (name: string, column: number) => {
    const isOwn = column === order.column;
    return html`<th scope="col" aria-sort=${isOwn ? direction : "none"}>
      <button
        title=${words.sortBy(name)}
        @click=${() => sort({ column, isDown: isOwn ? !order.isDown : false })}
      >${name}<span aria-hidden="true">${isOwn ? (order.isDown ? " ↓" : " ↑") : ""}</span></button>
    </th>`;
  };
  return html`<div class="numbers" tabindex="0" role="region" aria-label=${words.tableLabel}><table>
    <thead><tr>${words.columns.map(head)}</tr></thead>
    <tbody>
      ${sortRows(rows, order).map(
        ([name, ...cells]) => html`<tr>
          <th scope="row">${name!.text}</th>
          ${cells.map(({ text }) => html`<td>${text}</td>`)}
        </tr>`,
      )}
    </tbody>
  </table></div>`;
}

/**
 * Makes the columns of tables sortable: each heading becomes a button. Without scripts the table
 * keeps the order that the build gave it.
 */

const collator = new Intl.Collator(["en", "zh"], { numeric: true, sensitivity: "base" });

/** Empty cells come last in either direction. */
function compare(a: string, b: string, direction: 1 | -1): number {
  if (!a || !b) return a ? -1 : b ? 1 : 0;
  return direction * collator.compare(a, b);
}

function sortBy(table: HTMLTableElement, column: number, direction: 1 | -1): void {
  const [body] = table.tBodies;
  const textOf = (row: HTMLTableRowElement) => row.cells[column]!.textContent!.trim();
  const rows = [...body!.rows].sort((a, b) => compare(textOf(a), textOf(b), direction));
  body!.append(...rows);
}

/** Numbers and years begin with the largest, text with the first letter. */
const firstDirection = (table: HTMLTableElement, column: number): 1 | -1 =>
  Number.isFinite(Number(table.tBodies[0]!.rows[0]!.cells[column]!.textContent)) ? -1 : 1;

export function makeSortable(table: HTMLTableElement): void {
  const headings = [...table.tHead!.rows[0]!.cells];
  for (const [column, heading] of headings.entries()) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const sorted = heading.getAttribute("aria-sort");
      const first = firstDirection(table, column);
      const direction = sorted === null ? first : sorted === "ascending" ? -1 : 1;
      for (const other of headings) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
      sortBy(table, column, direction);
    });
  }
}

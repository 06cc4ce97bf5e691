/** A large map as a file of comma-separated values, written piece by piece. */
import { yieldToEvents } from "whereformer/yield";
import type { MapSource } from "../../../drawing/map-pyramid.js";

const field = (text: string): string =>
  /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/**
 * Writes the columns' tokens above and the rows' tokens before the numbers; a masked cell is an
 * empty field.
 */
export async function mapAsCsv(
  { rows, columns, values, minus, parts: arriving }: MapSource,
  rowLabels: readonly string[],
  columnLabels: readonly string[],
): Promise<Blob> {
  await arriving?.whole();
  const parts: string[] = [`\ufeff,${columnLabels.map(field).join(",")}\r\n`];
  for (let row = 0; row < rows; row++) {
    const cells: string[] = [field(rowLabels[row] ?? "")];
    for (let at = row * columns; at < (row + 1) * columns; at++) {
      const value = minus ? values[at]! - minus[at]! : values[at]!;
      cells.push(!Number.isNaN(value) ? String(value) : "");
    }
    parts.push(`${cells.join(",")}\r\n`);
    if (row % 16 === 15) await yieldToEvents();
  }
  return new Blob(parts, { type: "text/csv" });
}

/** What a reader takes away as a file. */

const csvField = (value: string | number): string =>
  typeof value === "number"
    ? String(value)
    : /[",\n]/.test(value)
      ? `"${value.replaceAll('"', '""')}"`
      : value;

/** Comma-separated values (RFC 4180), with the mark that makes spreadsheets read UTF-8. */
export const toCsv = (table: readonly (string | number)[][]): string =>
  `\ufeff${table.map((row) => row.map(csvField).join(",")).join("\r\n")}\r\n`;

/** Hands a file to the reader. */
export function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

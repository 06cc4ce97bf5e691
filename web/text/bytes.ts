/** Formats bytes for readers, in powers of 1,000. */
import { grouped } from "./numbers.js";

const units = ["B", "KB", "MB", "GB", "TB"];

/** Formats bytes with three digits and a unit: 9.06 GB. */
export function bytesText(bytes: number): string {
  const power = Math.floor(Math.log10(Math.max(1, bytes)) / 3);
  const step = Math.min(units.length - 1, power);
  return `${grouped(Number((bytes / 1000 ** step).toPrecision(3)))}\u00a0${units[step]}`;
}

// Prints the engine's deviations from every golden file: for each quantity the largest one that the
// native tests measured, and the tolerance (tests/golden/deviations.json and manifest.json).
//
//   node scripts/deviations.mjs [PART OF A NAME]
import { readFileSync } from "node:fs";

const read = (name) =>
  JSON.parse(readFileSync(new URL(`../tests/golden/${name}`, import.meta.url), "utf8"));
const manifest = read("manifest.json");
const deviations = read("deviations.json");

const wanted = process.argv[2] ?? "";
const rows = [["file", "made by", "config", "quantity", "largest deviation", "tolerance"]];
for (const [name, made] of Object.entries(manifest)) {
  if (!name.includes(wanted)) continue;
  const measured = Object.entries(deviations[name] ?? {});
  const [shortClass] = made.class.split(/[ .]/).slice(-1);
  const from = [name, `${shortClass}, ${made.package}`, made.configHash.slice(0, 8)];
  if (measured.length === 0) rows.push([...from, "not recorded", "", ""]);
  for (const [quantity, deviation] of measured) {
    const measuredAs = deviation === 0 ? "0" : deviation.toExponential(1);
    rows.push([...from, quantity, measuredAs, String(made.tolerance[quantity])]);
  }
}
const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
for (const row of rows) {
  console.log(
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join("  ")
      .trimEnd(),
  );
}

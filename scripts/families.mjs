// Prints the engine's deviations from the models of families made with Transformers
// (tests/golden/families), and the number of families. With --write it updates their manifest,
// docs/families.md and the page's list of families, and the tables of GGUF keys.
//
// Models of pictures (tests/golden/pictures) have a table of their own.
//
//   node scripts/families.mjs [--write]
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deviations, familyFile, manifest } from "../tests/package/families.mjs";
import { pictureDeviations, pictureFile, pictureManifest } from "../tests/package/pictures.mjs";
import { build } from "./build.mjs";
import { ensure, root } from "./setup/ensure.mjs";
import { runMain } from "./setup/process.mjs";

const begin = "<!-- made by npm run families -- --write -->";
const end = "<!-- end -->";

/** Two significant digits, rounded up. */
function rounded(value) {
  if (value === 0) return 0;
  const unit = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Number((Math.ceil(value / unit - 1e-9) * unit).toPrecision(2));
}

const shown = (value) => (value === undefined ? "" : value.toExponential(1));

export function tableOf(rows) {
  const lines = Object.entries(rows).map(([name, row]) => {
    const { output, attention, loss } = row.deviation;
    const type = familyFile(name).config.model_type;
    const cells = [`\`${type}\``, name, row.class, shown(output), shown(attention), shown(loss)];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| Family | File | Class | Logits or states | Maps | Loss |",
    "| --- | --- | --- | ---: | ---: | ---: |",
    ...lines,
  ].join("\n");
}

const beginPictures = "<!-- pictures, made by npm run families -- --write -->";
const endPictures = "<!-- end of pictures -->";

export function pictureTableOf(rows) {
  const lines = Object.entries(rows).map(([name, row]) => {
    const { pixels, output, attention } = row.deviation;
    const type = pictureFile(name).config.model_type;
    const cells = [...[`\`${type}\``, name, row.class], ...[pixels, output, attention].map(shown)];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| Family | File | Class | Pixels | States | Maps |",
    "| --- | --- | --- | ---: | ---: | ---: |",
    ...lines,
  ].join("\n");
}

/** A document with new text between two of its lines. */
const between = (text, first, last, inner) =>
  `${text.split(first)[0]}${first}\n\n${inner}\n\n${last}${text.split(last)[1]}`;

/** The largest deviations of each family, in the form of the page's figure. */
export function pageListOf(rows) {
  const largest = new Map();
  for (const [name, row] of Object.entries(rows)) {
    const type = familyFile(name).config.model_type;
    const [output, attention] = largest.get(type) ?? [0, 0];
    const { deviation } = row;
    largest.set(type, [
      Math.max(output, deviation.output),
      Math.max(attention, deviation.attention),
    ]);
  }
  const types = [...largest].sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = types.map(([type, values]) => {
    const key = /^\w+$/.test(type) ? type : JSON.stringify(type);
    return `  ${key}: [${values.map((value) => JSON.stringify(shown(value))).join(", ")}],`;
  });
  return `/**
 * The families of docs/families.md, by their names in config.json, with the largest difference of
 * each from Transformers: of logits or states, and of attention. Made by npm run families --
 * --write.
 */
export const families: Record<string, [output: string, attention: string]> = {
${lines.join("\n")}
};
`;
}

/** Number of families: the values of model_type. */
export const countOf = (rows) =>
  new Set(Object.keys(rows).map((name) => familyFile(name).config.model_type)).size;

async function main() {
  await build(["wasm", "package"], await ensure({ groups: ["build"] }));
  const { load } = await import(new URL("../dist/index.js", import.meta.url));
  const wf = await load({ wasm: readFileSync(join(root, "dist/simd.wasm")), variant: "simd" });
  const measured = async (rows, measure) => {
    for (const [name, row] of Object.entries(rows)) {
      const found = await measure(wf, name);
      row.deviation = Object.fromEntries(
        Object.entries(found).map(([quantity, value]) => [quantity, rounded(value)]),
      );
    }
    return rows;
  };
  const rows = await measured(manifest(), deviations);
  const pictures = await measured(pictureManifest(), pictureDeviations);
  const [table, pictureTable] = [tableOf(rows), pictureTableOf(pictures)];
  if (!process.argv.includes("--write")) {
    process.stdout.write(`${table}\n\n${countOf(rows)} families\n\n${pictureTable}\n`);
    return;
  }
  const record = (folder, written) =>
    writeFileSync(
      join(root, `tests/golden/${folder}/manifest.json`),
      `${JSON.stringify(written, null, 2)}\n`,
    );
  record("families", rows);
  record("pictures", pictures);
  const page = join(root, "docs/families.md");
  const text = between(readFileSync(page, "utf8"), begin, end, table);
  const { pageWithKeyTables } = await import("./gguf-tables.mjs");
  writeFileSync(page, pageWithKeyTables(between(text, beginPictures, endPictures, pictureTable)));
  writeFileSync(join(root, "web/figures/open-checkpoint/families.ts"), pageListOf(rows));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runMain(main);

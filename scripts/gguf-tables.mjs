// The tables of GGUF keys in docs/families.md, generated from those of the code
// (bindings/ts/files/gguf-table.ts, as compiled by the build).
import { ggufKinds } from "../build/modules/files/gguf-reader.js";
import { ggufTables, ggufVocabularyKeys } from "../build/modules/files/gguf-table.js";

const begin = "<!-- keys of GGUF, made by npm run families -- --write -->";
const end = "<!-- end of the keys of GGUF -->";

const code = (value) => `\`${value}\``;

/** A cell: an architecture's rule for a key. */
function cellOf(rule) {
  if (rule === undefined) return "refused";
  if (rule === "harmless") return "nothing";
  const { only, from } = rule;
  if (only) return `only ${only.map(code).join(", ")}${from ? `, ${code(from)} and more` : ""}`;
  return rule.absent === undefined ? "**needed**" : code(rule.absent);
}

/** Groups of architectures with equal tables. */
function columns() {
  const groups = new Map();
  for (const [arch, table] of Object.entries(ggufTables)) {
    const said = JSON.stringify(table);
    groups.set(said, { table, archs: [...(groups.get(said)?.archs ?? []), arch] });
  }
  return [...groups.values()];
}

/** Range of a key, as text; empty if every architecture accepts only listed values. */
function kindOf(rules) {
  const free = rules.filter((rule) => rule?.kind && !rule.only);
  const [words] = ggufKinds[free.at(-1)?.kind] ?? [""];
  return words.replace(" to 2147483647", " on");
}

/** The tables in Markdown. */
export function keyTables() {
  const shown = columns();
  const keys = [...new Set(shown.flatMap(({ table }) => Object.keys(table)))];
  const rows = keys.map((key) => {
    const rules = shown.map(({ table }) => table[key]);
    return [code(key), kindOf(rules), ...rules.map(cellOf)];
  });
  const heads = shown.map(({ archs }) => archs.map(code).join(", "));
  const lines = [["Key", "Value", ...heads], Array(heads.length + 2).fill("---"), ...rows];
  const vocabulary = (what) =>
    Object.keys(ggufVocabularyKeys)
      .filter((key) => ggufVocabularyKeys[key] === what)
      .map(code)
      .join(", ");
  return `${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}

Keys of vocabularies (${code("tokenizer.ggml.…")}) that are read: ${vocabulary("read")}.

Keys of vocabularies that change nothing here: ${vocabulary("harmless")}.`;
}

/** The page with new tables. */
export function pageWithKeyTables(page) {
  const [before, rest] = page.split(begin);
  return `${before}${begin}\n\n${keyTables()}\n\n${end}${rest.split(end)[1]}`;
}

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
function groupsOf(archs) {
  const groups = new Map();
  for (const arch of archs) {
    const table = ggufTables[arch];
    const said = JSON.stringify(table);
    groups.set(said, { table, archs: [...(groups.get(said)?.archs ?? []), arch] });
  }
  return [...groups.values()];
}

const said = (rule) => `${cellOf(rule)} ${kindOf([rule])}`;

/** The keys of a table that differ from another's, with their rules. */
const differing = (table, other) =>
  Object.entries(table).filter(([key, rule]) => said(rule) !== said(other[key]));

/** Architectures with a column in the first table; the others have the keys of qwen2 and more. */
const inColumns = ["qwen2", "qwen3", "gemma", "gemma2", "gemma3", "gpt2", "bert"];

const line = (cells) => `| ${cells.join(" | ")} |`;

/** The table of the architectures that have few keys of their own. */
function nearTable(archs) {
  const rows = groupsOf(archs).flatMap((group) =>
    differing(group.table, ggufTables.qwen2).map(([key, rule]) =>
      line([group.archs.map(code).join(", "), code(key), kindOf([rule]), cellOf(rule)]),
    ),
  );
  return [line(["Architecture", "Key", "Value", ""]), line(Array(4).fill("---")), ...rows].join(
    "\n",
  );
}

/** Range of a key, as text; empty if every architecture accepts only listed values. */
function kindOf(rules) {
  const free = rules.filter((rule) => rule?.kind && !rule.only);
  const [words] = ggufKinds[free.at(-1)?.kind] ?? [""];
  return words.replace(" to 2147483647", " on");
}

/** The tables in Markdown. */
export function keyTables() {
  const shown = groupsOf(inColumns);
  const near = Object.keys(ggufTables).filter((arch) => !inColumns.includes(arch));
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
  return `${lines.map(line).join("\n")}

${near.map(code).join(", ")} have the keys of ${code("qwen2")}, except these:

${nearTable(near)}

Keys of vocabularies (${code("tokenizer.ggml.…")}) that are read: ${vocabulary("read")}.

Keys of vocabularies that change nothing here: ${vocabulary("harmless")}.`;
}

/** The page with new tables. */
export function pageWithKeyTables(page) {
  const [before, rest] = page.split(begin);
  return `${before}${begin}\n\n${keyTables()}\n\n${end}${rest.split(end)[1]}`;
}

// The variants of schemes: docs/variants/variants.json has a line for each, with its scheme and
// options; its pages are docs/variants/<id>.en.md and <id>.zh.md.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../setup/ensure.mjs";
import { languages, parsePage, variantSections } from "../../words.mjs";

const folder = join(root, "docs/variants");
const listFile = "variants.json";

/** Formulas in steps and sources must be the same in both languages. */
const signsOf = ({ formula, steps, sources }) =>
  JSON.stringify([
    formula,
    steps?.map(({ math }) => math),
    sources?.map((source) => /\]\(([^)]*)\)/.exec(source)?.[1]),
  ]);

/** The variants in the order of the list, with their pages by language, and all faults of pages. */
export function readVariants() {
  const list = JSON.parse(readFileSync(join(folder, listFile), "utf8"));
  const faults = [];
  const variants = list.map((variant) => {
    const said = {};
    for (const language of languages) {
      const name = `${variant.id}.${language}.md`;
      const page = parsePage(readFileSync(join(folder, name), "utf8"), language, variantSections);
      faults.push(...page.faults.map((fault) => `docs/variants/${name}: ${fault}`));
      said[language] = page.words;
    }
    if (signsOf(said.en) !== signsOf(said.zh))
      faults.push(`docs/variants/${variant.id}.*.md: formulas or sources differ`);
    return { ...variant, said };
  });
  const known = list.flatMap(({ id }) => languages.map((language) => `${id}.${language}.md`));
  for (const name of readdirSync(folder))
    if (name !== listFile && !known.includes(name))
      faults.push(`docs/variants/${name}: not in ${listFile}`);
  return { variants, faults };
}

/** Angles of the pairs without and with the variant, of the pairs that the table shows. */
function frequenciesOf(wf, scheme, { headDim, plain, options, length, pairs }) {
  const read = (given) => {
    const made = wf.scheme(scheme, { numHeads: 1, headDim, ...given });
    const { inverseFrequencies, attentionFactor } = made.frequencies(length);
    made.dispose();
    return { angles: [...inverseFrequencies], attentionFactor };
  };
  const before = read(plain);
  const after = read({ ...plain, ...options });
  return {
    kind: "frequencies",
    attentionFactor: after.attentionFactor,
    // Channels that do not take part in the rotation have no frequency.
    rows: pairs.map((pair) => [pair, before.angles[pair], after.angles[pair] ?? 0]),
  };
}

/** What each head takes off for one token of distance. */
function slopesOf(wf, scheme, { numHeads }) {
  const made = wf.scheme(scheme, { numHeads, headDim: 16 });
  const { data } = made.bias([1], [0]);
  made.dispose();
  return { kind: "slopes", rows: [...data].map((bias, head) => [head + 1, -bias]) };
}

const tables = { frequencies: frequenciesOf, slopes: slopesOf };

/** The numbers of a variant's table, from the engine; undefined if it has none. */
export function numbersOf(wf, { scheme, table }) {
  return table && tables[table.kind](wf, scheme, table);
}

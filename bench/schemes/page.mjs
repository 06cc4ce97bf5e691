// docs/costs.md, whose generated parts each have marks of their own.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const marks = (name) => [
  `<!-- begin ${name}: written by npm run bench:schemes -- --write -->`,
  `<!-- end ${name} -->`,
];

/** Returns the page with one part replaced. Throws without its marks. */
export function withPart(page, name, text) {
  const [begin, end] = marks(name);
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined)
    throw new Error(`docs/costs.md has lost its marks, "${begin}" and "${end}"`);
  return `${before}${begin}\n\n${text.trimEnd()}\n\n${end}${after}`;
}

/** Writes the given parts to the page. */
export function writePage(root, parts) {
  const file = join(root, "docs/costs.md");
  const page = readFileSync(file, "utf8");
  const written = Object.entries(parts).reduce(
    (text, [name, part]) => withPart(text, name, part),
    page,
  );
  writeFileSync(file, written);
}

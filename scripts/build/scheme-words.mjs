// The texts of the schemes for the page: the part of bindings/ts/generated that the gallery needs,
// with the formulas typeset as MathML. A Vite plugin, which provides `virtual:scheme-words-en` and
// `…-zh`.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import temml from "temml";
import { root } from "../setup/ensure.mjs";

/** Top-level pieces of a formula, one per line on the page, so that a phone need not scroll. */
function piecesOf(formula) {
  let depth = 0;
  const pieces = [""];
  for (const part of formula.split(/(\\begin|\\end|\\qquad|[{}])/)) {
    if (part === "{" || part === "\\begin") depth += 1;
    if (part === "}" || part === "\\end") depth -= 1;
    if (part === "\\qquad" && depth === 0) pieces.push("");
    else pieces[pieces.length - 1] += part;
  }
  return pieces.map((piece) => piece.trim().replace(/,$/, "")).filter(Boolean);
}

/** Formulas are the same in both languages, except for the words in them. */
const inLanguage = {
  en: (formula) => formula,
  zh: (formula) => formula.replaceAll("\\text{or}", "\\text{或}"),
};

/**
 * LaTeX as `<math>` elements, one per line, without inline styles: the page's policy forbids them.
 */
export function typeset(formula, language = "en") {
  return piecesOf(inLanguage[language](formula))
    .map((piece) => temml.renderToString(piece, { displayMode: true, throwOnError: true }))
    .map((math) => `<div>${math}</div>`)
    .join("")
    .replaceAll(/ style="[^"]*"/g, "");
}

const kept = ({ title, summary, formula, symbols, options }, language) => ({
  title,
  summary,
  formula: typeset(formula, language),
  symbols,
  options,
});

export function schemeWords() {
  const pattern = /^virtual:scheme-words-(en|zh)$/;
  return {
    name: "scheme-words",
    resolveId: (id) => (pattern.test(id) ? `\0${id}` : undefined),
    load(id) {
      const language = pattern.exec(id.slice(1))?.[1];
      if (!language || !id.startsWith("\0")) return undefined;
      const file = join(root, `bindings/ts/generated/words.${language}.json`);
      this.addWatchFile(file);
      const words = Object.entries(JSON.parse(readFileSync(file, "utf8")));
      const text = JSON.stringify(
        Object.fromEntries(words.map(([id, of]) => [id, kept(of, language)])),
      );
      // Parsing JSON from a string is faster than parsing an object literal of the same size.
      return `export default JSON.parse(${JSON.stringify(text)});`;
    },
  };
}

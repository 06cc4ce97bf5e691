// The page's Latin faces: packages of web fonts, cut down to the characters and weights in use. A
// plugin for Vite, which leaves the files in build/fonts, where web/styles/fonts.css finds them,
// and their licences beside the built page.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import subsetFont from "subset-font";
import { root } from "../setup/ensure.mjs";
import { fingerprint } from "./fingerprint.mjs";
import { typeset } from "./scheme-words.mjs";

const folder = join(root, "build/fonts");
const packages = "node_modules/@fontsource";

const range = (first, last) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));

// What readers of Western European languages type, and the marks of the page's own text.
export const latin = `${range(0x20, 0x7e)}${range(0xa0, 0xff)}ıŒœ‐‑–—‘’‚“”„†•…′″‹›€™−∕←↑→↓\u2009\u200a\u202f`;
// What the page's text has beyond that; fonts.css repeats them as a range.
export const symbols = "ΔΣαδζθλπστψωℓ→√≥⌈⌉⌊⌋⏎␣□✓⁰⁴⁵⁶⁷⁸⁹⁻₂";
export const letters = "ŷᴷᴿᵀᵐᵖᶜⱽ";

/**
 * Every character of the typeset formulas, the slanted letters that a browser sets variables in,
 * and the sign of roots, which it draws around what stands in the formula.
 */
function formulaCharacters() {
  const slanted = `ℎ${range(0x1d434, 0x1d467)}${range(0x1d6e2, 0x1d71b)}`;
  const formulas = ["en", "zh"].flatMap((language) => {
    const file = join(root, `bindings/ts/generated/words.${language}.json`);
    const words = Object.values(JSON.parse(readFileSync(file, "utf8")));
    return words.map(({ formula }) => typeset(formula, language));
  });
  const typesetText = formulas.map((formula) => formula.replace(/<[^>]*>|&\w+;/g, ""));
  // Chinese is the system's to set.
  const ownText = [...typesetText.join("")].filter((sign) => !/\p{Script=Han}/u.test(sign));
  return [...new Set(`${ownText.join("")}<>&√${slanted}`)].join("");
}

const twoWeights = { wght: { min: 400, max: 600 } };
const faces = {
  serif: {
    from: "-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2",
    text: () => latin,
    variationAxes: twoWeights,
  },
  "serif-italic": {
    from: "-variable/source-serif-4/files/source-serif-4-latin-wght-italic.woff2",
    text: () => latin,
    variationAxes: { wght: 400 },
  },
  sans: {
    from: "-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2",
    text: () => latin,
    variationAxes: twoWeights,
  },
  letters: {
    from: "-variable/source-sans-3/files/source-sans-3-latin-ext-wght-normal.woff2",
    text: () => letters,
    variationAxes: { wght: 400 },
  },
  code: {
    from: "-variable/source-code-pro/files/source-code-pro-latin-wght-normal.woff2",
    text: () => latin,
    variationAxes: { wght: 400 },
  },
  symbols: {
    from: "/stix-two-math/files/stix-two-math-latin-400-normal.woff2",
    text: () => symbols,
  },
  formula: {
    from: "/stix-two-math/files/stix-two-math-latin-400-normal.woff2",
    text: formulaCharacters,
  },
};

const inputs = ["scripts/build/page-fonts.mjs", "bindings/ts/generated", "package-lock.json"];

async function cutFaces() {
  const mark = join(folder, "mark");
  const now = fingerprint(root, inputs);
  if (existsSync(mark) && readFileSync(mark, "utf8") === now) return;
  mkdirSync(folder, { recursive: true });
  for (const [name, { from, text, variationAxes }] of Object.entries(faces)) {
    const options = { targetFormat: "woff2", ...(variationAxes && { variationAxes }) };
    const face = await subsetFont(readFileSync(join(root, packages + from)), text(), options);
    writeFileSync(join(folder, `${name}.woff2`), face);
  }
  writeFileSync(mark, now);
}

/** The licences of the faces, which ask to travel with them. */
function licences() {
  const folders = Object.values(faces).map(({ from }) => from.slice(0, from.indexOf("/files/")));
  return [...new Set(folders)]
    .map((from) => readFileSync(join(root, packages + from, "LICENSE"), "utf8"))
    .join("\n\n");
}

/** The two faces that the first screen is set in come with the styles, not after them. */
const preloads = ["serif", "sans"]
  .map((name) => `../build/fonts/${name}.woff2`)
  .map((from) => `<link rel="preload" href="${from}" as="font" type="font/woff2" crossorigin />`)
  .join("\n    ");

export function pageFonts() {
  return {
    name: "page-fonts",
    buildStart: cutFaces,
    transformIndexHtml: {
      order: "pre",
      // The development server has them elsewhere, and at once.
      handler: (html, { server }) => html.replace("<!-- faces -->", server ? "" : preloads),
    },
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "assets/fonts-licence.txt", source: licences() });
    },
  };
}

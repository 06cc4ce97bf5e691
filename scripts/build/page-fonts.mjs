// The page's Latin faces: packages of web fonts, reduced to the characters and weights in use. A
// Vite plugin, which writes the files to build/fonts, where web/styles/fonts.css finds them, and
// their licences beside the built page.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import subsetFont from "subset-font";
import { root } from "../setup/ensure.mjs";
import { fingerprint } from "./fingerprint.mjs";
import { typeset } from "./scheme-words.mjs";
import { readVariants } from "./schemes/variants.mjs";

const folder = join(root, "build/fonts");
const packages = "node_modules/@fontsource";

const range = (first, last) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));

// English, and the punctuation of the page's own text.
const basic = `${range(0x20, 0x7e)}\u00a0°±²³µ·¹×÷≠‐‑–—‘’“”…′″−←↑→↓\u2009\u200a\u202f`;
// Further characters of Western European languages, which readers may type: a separate file for
// each face, loaded with the first such letter. later-faces.css repeats the range.
const western = `${range(0xa1, 0xff)}ıŒœ‚„†•‹›€™∕`;
export const accents = [...western].filter((sign) => !basic.includes(sign)).join("");
export const latin = basic + accents;
// Further characters in the page's text; later-faces.css repeats the range.
export const symbols = "ΔΣαβγδζθλπστψωℓ→√≥⌈⌉⌊⌋⏎␣□✓⁰⁴⁵⁶⁷⁸⁹⁻₂";
export const letters = "ŷᴷᴿᵀᵐᵖᶜⱽ";

/**
 * Every character of the typeset formulas, the italic letters that browsers use for variables, and
 * the radical sign, which they draw around its contents.
 */
function formulaCharacters() {
  const slanted = `ℎ${range(0x1d434, 0x1d467)}${range(0x1d6e2, 0x1d71b)}`;
  const formulas = ["en", "zh"].flatMap((language) => {
    const file = join(root, `bindings/ts/generated/words.${language}.json`);
    const words = Object.values(JSON.parse(readFileSync(file, "utf8")));
    const ofVariants = readVariants().variants.flatMap(({ said }) => {
      const { formula, steps } = said[language];
      return [formula, ...steps.flatMap(({ math }) => math ?? [])];
    });
    const all = [...words.map(({ formula }) => formula), ...ofVariants];
    return all.map((formula) => typeset(formula, language));
  });
  const typesetText = formulas.map((formula) => formula.replace(/<[^>]*>|&\w+;/g, ""));
  // Chinese is set in the system's fonts.
  const latin = [...typesetText.join("")].filter((sign) => !/\p{Script=Han}/u.test(sign));
  return [...new Set(`${latin.join("")}<>&√${slanted}`)].join("");
}

const twoWeights = { wght: { min: 400, max: 600 } };
// Features that browsers apply by default, and figures that styles request. Formulas need all of
// their font's.
const keepFeatures = [
  "ccmp",
  "locl",
  "mark",
  "mkmk",
  "rlig",
  "liga",
  "clig",
  "calt",
  "kern",
  "lnum",
  "pnum",
  "tnum",
];
const textFaces = {
  serif: {
    from: "-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2",
    variationAxes: twoWeights,
  },
  "serif-italic": {
    from: "-variable/source-serif-4/files/source-serif-4-latin-wght-italic.woff2",
    variationAxes: { wght: 400 },
  },
  sans: {
    from: "-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2",
    variationAxes: twoWeights,
  },
  code: {
    from: "-variable/source-code-pro/files/source-code-pro-latin-wght-normal.woff2",
    variationAxes: { wght: 400 },
  },
};

const inTwo = Object.entries(textFaces).flatMap(([name, face]) => [
  [name, { ...face, keepFeatures, text: () => basic }],
  [`${name}-accents`, { ...face, keepFeatures, text: () => accents }],
]);
const faces = {
  ...Object.fromEntries(inTwo),
  letters: {
    from: "-variable/source-sans-3/files/source-sans-3-latin-ext-wght-normal.woff2",
    text: () => letters,
    keepFeatures,
    variationAxes: { wght: 400 },
  },
  symbols: {
    from: "/stix-two-math/files/stix-two-math-latin-400-normal.woff2",
    text: () => symbols,
    keepFeatures,
    dropTables: ["MATH"],
  },
  formula: {
    from: "/stix-two-math/files/stix-two-math-latin-400-normal.woff2",
    text: formulaCharacters,
  },
};

const inputs = [
  "scripts/build/page-fonts.mjs",
  "bindings/ts/generated",
  "docs/variants",
  "package-lock.json",
];

async function subsetFaces() {
  const mark = join(folder, "mark");
  const now = fingerprint(root, inputs);
  if (existsSync(mark) && readFileSync(mark, "utf8") === now) return;
  mkdirSync(folder, { recursive: true });
  for (const [name, { from, text, ...subset }] of Object.entries(faces)) {
    const options = { targetFormat: "woff2", ...subset };
    const face = await subsetFont(readFileSync(join(root, packages + from)), text(), options);
    writeFileSync(join(folder, `${name}.woff2`), face);
  }
  writeFileSync(mark, now);
}

/** The licences of the faces, which must be distributed with them. */
function licences() {
  const folders = Object.values(faces).map(({ from }) => from.slice(0, from.indexOf("/files/")));
  return [...new Set(folders)]
    .map((from) => readFileSync(join(root, packages + from, "LICENSE"), "utf8"))
    .join("\n\n");
}

/** The two faces of the first screen are loaded together with the styles, not after them. */
const preloads = ["serif", "sans"]
  .map((name) => `../build/fonts/${name}.woff2`)
  .map((from) => `<link rel="preload" href="${from}" as="font" type="font/woff2" crossorigin />`)
  .join("\n    ");

/**
 * Without scripts the later faces are never loaded: so their styles are linked beside the others.
 */
function laterFaces() {
  return {
    name: "later-faces",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        const file = Object.keys(bundle ?? {}).find((name) => /later-faces.*\.css$/.test(name));
        if (!file) return html;
        const link = `<link rel="stylesheet" href="./${file}">`;
        return html.replace("</head>", `  <noscript>${link}</noscript>\n  </head>`);
      },
    },
  };
}

const firstFaces = () => ({
  name: "page-fonts",
  buildStart: subsetFaces,
  transformIndexHtml: {
    order: "pre",
    // The development server has them at another address, and loads them at once.
    handler: (html, { server }) => html.replace("<!-- faces -->", server ? "" : preloads),
  },
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "assets/fonts-licence.txt", source: licences() });
  },
});

export const pageFonts = () => [firstFaces(), laterFaces()];

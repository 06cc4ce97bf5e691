// The first picture of the article before any script runs: computed by the built engine, in the
// element that later replaces it.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../setup/ensure.mjs";
import { startTag } from "./figures.mjs";
import { openSources } from "./page-sources.mjs";

const tag = "wf-word-swap";
const tags = { en: "en", zh: "zh-Hans" };

/** Text and map in one language, as HTML without inline styles. */
function pictureOf(lang, tokens, map, { caption }, { shadeOf, shareText }) {
  const max = Math.max(...map);
  const heads = tokens.map((token) => `<th scope="col">${token}</th>`).join("");
  const rows = tokens.map((token, row) => {
    const cells = tokens.map((_, column) => {
      const value = map[row * tokens.length + column];
      return `<td class="s${shadeOf(value / max)}">${shareText(value)}</td>`;
    });
    return `<tr><th scope="row">${token}</th>${cells.join("")}</tr>`;
  });
  const table = `<table aria-label="${caption}"><thead><tr><td></td>${heads}</tr></thead>`;
  const body = `<tbody>${rows.join("")}</tbody></table>`;
  return `<div class="still" lang="${lang}"><p>${tokens.join(" ")}</p>${table}${body}</div>`;
}

/** The element with its still picture in both languages. */
export async function stillSwap() {
  const sources = await openSources();
  try {
    const [{ blindScheme, chaseModel }, { idsOf }, { swapWords }, shades] = await Promise.all(
      [
        "/defaults.ts",
        "/engine/both/sentences.ts",
        "/figures/word-swap/words.ts",
        "/figures/word-swap/shades.ts",
      ].map(sources.load),
    );
    const { load } = await import(pathToFileURL(join(root, "dist/index.js")).href);
    const wasm = readFileSync(join(root, "dist/simd.wasm"));
    const wf = await load({ wasm, variant: "simd" });
    const model = await wf.model({ ...chaseModel, scheme: blindScheme });
    const pictures = Object.entries(tags).map(([language, lang]) => {
      const words = swapWords[language];
      const ids = idsOf(words.tokens, chaseModel.vocabSize);
      const { weights } = model.run(ids, { record: ["weights"], region: { heads: [0] } });
      return pictureOf(lang, words.tokens, weights.data, words, shades);
    });
    model.dispose();
    return `${startTag(tag)}${pictures.join("")}</${tag}>`;
  } finally {
    await sources.close();
  }
}

/** The empty element in the article. */
export const swapTag = `${startTag(tag)}</${tag}>`;

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

/** The numbers of one sentence, which readers without scripts see, and the element reads. */
function tableOf(tokens, map, caption, shareText) {
  const heads = tokens.map((token) => `<th scope="col">${token}</th>`).join("");
  const rows = tokens.map((token, row) => {
    const cells = tokens.map(
      (_, column) => `<td>${shareText(map[row * tokens.length + column])}</td>`,
    );
    return `<tr><th scope="row">${token}</th>${cells.join("")}</tr>`;
  });
  const head = `<table aria-label="${caption}"><thead><tr><td></td>${heads}</tr></thead>`;
  return `${head}<tbody>${rows.join("")}</tbody></table>`;
}

/** One sentence: arcs of the word that looks, faint ones of the others, words, and shares. */
function sentenceOf(tokens, map, looker, { arcs, shareText }) {
  const size = tokens.length;
  const all = arcs.arcsOf(map, size);
  const path = ({ from, share, d }) => {
    const look = from === looker ? ' class="look"' : "";
    return `<path${look} d="${d}" stroke-width="${arcs.widthOf(share)}"/>`;
  };
  const drawn = [
    ...all.filter(({ from }) => from !== looker),
    ...all.filter(({ from }) => from === looker),
  ];
  const box = `0 0 ${size * arcs.slotWidth} ${arcs.arcHeight}`;
  const words = tokens.map((token, slot) => {
    const look = slot === looker ? ' class="looks"' : "";
    return `<span${look}>${token}<small>${shareText(map[looker * size + slot])}</small></span>`;
  });
  const picture = `<svg viewBox="${box}" preserveAspectRatio="none" aria-hidden="true">`;
  return `${picture}${drawn.map(path).join("")}</svg><p class="of${size}">${words.join(" ")}</p>`;
}

function bagOf(tokens, { bagPath }) {
  const outline = `<svg viewBox="0 0 200 110" aria-hidden="true"><path d="${bagPath}"/></svg>`;
  return `<div class="bag">${outline}${tokens.map((one) => `<span>${one}</span>`).join("")}</div>`;
}

/** Both sentences in one language, as HTML without inline styles. */
function pictureOf(lang, words, orders, maps, parts) {
  const { tokens, carried } = words;
  const sentences = orders.map((order) => order.map((token) => tokens[token]));
  const stage = sentences.map((sentence, at) =>
    sentenceOf(sentence, maps[at], orders[at].indexOf(carried[0]), parts),
  );
  const bag = bagOf(tokens, parts.arcs);
  const sign = `<p class="sign"><b>=</b>${words.same}</p>`;
  const tables = sentences.map((sentence, at) =>
    tableOf(sentence, maps[at], words.numbersCaption, parts.shareText),
  );
  const bags = `<div class="bags">${bag}${sign}${bag}</div>`;
  return `<div class="still" lang="${lang}">${stage.join("")}${bags}${tables.join("")}</div>`;
}

const sources = [
  "/defaults.ts",
  "/engine/both/sentences.ts",
  "/figures/word-swap/words.ts",
  "/figures/word-swap/shades.ts",
  "/figures/word-swap/arcs.ts",
  "/figures/word-swap/state.ts",
];

/** The element with its still picture in both languages. */
export async function stillSwap() {
  const opened = await openSources();
  try {
    const [{ blindScheme, chaseModel }, { idsOf }, { swapWords }, { shareText }, arcs, { fields }] =
      await Promise.all(sources.map(opened.load));
    const { load } = await import(pathToFileURL(join(root, "dist/index.js")).href);
    const wasm = readFileSync(join(root, "dist/simd.wasm"));
    const wf = await load({ wasm, variant: "simd" });
    const model = await wf.model({ ...chaseModel, scheme: blindScheme });
    const pictures = Object.entries(tags).map(([language, lang]) => {
      const words = swapWords[language];
      const ids = idsOf(words.tokens, chaseModel.vocabSize);
      const orders = [[0, 1, 2], fields.swapOrder.initial].map((order) =>
        arcs.tokenOrder(ids.length, words.carried, order),
      );
      const maps = orders.map((order) => {
        const sentence = order.map((token) => ids[token]);
        const asked = { record: ["weights"], region: { heads: [0] } };
        return model.run(sentence, asked).weights.data;
      });
      return pictureOf(lang, words, orders, maps, { arcs, shareText });
    });
    model.dispose();
    return `${startTag(tag)}${pictures.join("")}</${tag}>`;
  } finally {
    await opened.close();
  }
}

/** The empty element in the article. */
export const swapTag = `${startTag(tag)}</${tag}>`;

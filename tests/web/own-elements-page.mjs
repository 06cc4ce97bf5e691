// A host page with the elements that draw a reader's own numbers: two of each tag, and files.
import assert from "node:assert/strict";
import { cpSync, existsSync, writeFileSync } from "node:fs";
import { openBrowser, pageFolder } from "./browser.mjs";
import { buildHost, headOf } from "./host-page.mjs";

const needed = ["tokenizer.json", "index.json", "heldout", "length.json", "alibi", "t5"];
export const hasModels = needed.every((name) => existsSync(`${pageFolder}/models/${name}`));
export const skip = hasModels ? false : "the models are not trained yet";

/** Attributes by tag. The page has two of each, one in English and one in Chinese. */
const attributes = {
  "wf-encoding-heatmap": 'length="24" dim="8"',
  "wf-bias-by-distance": 'heads="4" length="32"',
  "wf-rotation-dials": 'dim="16" scaling="yarn" factor="4" position="40"',
  "wf-frequency-chart": 'dim="16" scaling="linear" factor="4"',
  "wf-cache-bars": 'heads="16" kv-heads="4" head-dim="64" rank="128" slice="32" layers="2"',
  "wf-weight-by-distance": 'models="models/" scheme="alibi nope"',
  "wf-loss-by-length": 'models="models/" schemes="rope alibi"',
  "wf-logit-terms": 'models="models/" scheme="alibi" row="5"',
  "wf-heads": 'models="models/" model="alibi" text="the cat sat on the mat"',
};
export const tags = Object.keys(attributes);
/** Tags that need trained models, unless their numbers are set as properties. */
const reading = ["wf-weight-by-distance", "wf-loss-by-length", "wf-logit-terms", "wf-heads"];
export const isDrawn = (tag) => hasModels || !reading.includes(tag);
const of = (tag, more) => `<${tag} ${attributes[tag]} ${more}></${tag}>`;

/** Style sheet that gives the page the background colour of the figures, light or dark. */
const style = '<link rel="stylesheet" href="./own.css">';

const files = {
  "rows.csv": "0,1,0.5\n1,-2,0\n",
  "curves.csv": "tokens,one,one low,one high\n64,2.5,2.4,2.6\n128,2.25,2,2.5\n256,,,\n",
  "config.json": JSON.stringify({
    model_type: "llama",
    num_attention_heads: 4,
    hidden_size: 64,
    rope_theta: 500000,
    max_position_embeddings: 1024,
  }),
  "caches.json": JSON.stringify([{ name: "one", kvHeads: 2, headDim: 8, layers: 3 }]),
  "terms.json": JSON.stringify({
    terms: { content: [1, -2], position: [3, 0.5] },
    tokens: ["a", "b"],
  }),
  "broken.json": "{",
};

/** Builds the page under a name and opens a browser on its folder. */
export async function openOwnElements(name) {
  const body = tags.map((tag) => of(tag, 'id="en"') + of(tag, 'id="zh" lang="zh"')).join("\n");
  const script = tags.map((tag) => `import "whereformer/elements/${tag.slice(3)}";`).join("\n");
  const html = `${headOf("own", "en", style)}<main>${body}</main></html>`;
  const css = { "own.css": "body { background: var(--wf-paper) }\n" };
  const folder = await buildHost(name, { own: [html, script] }, css);
  for (const [file, text] of Object.entries(files)) writeFileSync(`${folder}/${file}`, text);
  for (const file of hasModels ? needed : [])
    cpSync(`${pageFolder}/models/${file}`, `${folder}/models/${file}`, { recursive: true });
  return { folder, session: await openBrowser(folder) };
}

/** Sets properties of an element. */
export const set = (page, selector, properties) =>
  page.locator(selector).evaluate((node, given) => Object.assign(node, given), properties);

export const about = (a, b) =>
  assert.ok(Math.abs(a - b) <= 1e-5 * Math.max(1, Math.abs(b)), `${a} ${b}`);

// Checks elements inside a component of React, Vue or Svelte: in a column 420 pixels wide between
// two others, each tag once in English and once in Chinese, with properties set by the framework.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { numbersOf } from "../web/browser.mjs";
import { openPlainly, serve } from "./example.mjs";

const config = {
  model_type: "llama",
  num_attention_heads: 4,
  hidden_size: 64,
  rope_theta: 500000,
  max_position_embeddings: 1024,
};
const weights = [
  [1, 0],
  [0.25, 0.75],
];

/** By tag: properties, and a check of the data that the element then shows. */
const given = {
  "wf-encoding-heatmap": [
    {
      values: [
        [1, 2, 3],
        [4, 5, 6],
      ],
    },
    ({ channels }) => assert.equal(channels, 3),
  ],
  "wf-bias-by-distance": [
    { curves: { near: [1, 0.5], far: [0, null] } },
    ({ lines }) => assert.deepEqual(lines[0], { name: "near", values: [1, 0.5] }),
  ],
  "wf-weight-by-distance": [
    { weights },
    // The curves leave out the first row, whose query sees only one key.
    ({ lines }) => assert.deepEqual(lines[0].values, [0.75, 0.25]),
  ],
  "wf-loss-by-length": [
    { curves: { x: [64, 128], one: [2.5, 2.25] }, trained: 64 },
    ({ x }) => assert.deepEqual(x, [64, 128]),
  ],
  "wf-logit-terms": [
    { terms: { content: [1, -2], position: [3, 0.5] }, tokens: ["a", "b"] },
    ({ totals }) => assert.deepEqual(totals, [4, -1.5]),
  ],
  "wf-rotation-dials": [{ config }, ({ before }) => assert.equal(Object.keys(before).length, 8)],
  "wf-frequency-chart": [{ config }, ({ trained }) => assert.equal(trained, 1024)],
  "wf-cache-bars": [
    { caches: [{ name: "one", kvHeads: 2, headDim: 8, layers: 3 }] },
    ({ caches }) => assert.deepEqual(caches, [{ name: "one", numbers: 32, layers: 3 }]),
  ],
  "wf-heads": [
    { measures: { loss: [3, 2.5], norm: [1, null] } },
    ({ measures }) => assert.deepEqual(measures.loss, [3, 2.5]),
  ],
  "wf-attention-map": [{ weights, tokens: ["a", "b"] }, () => {}],
};

/**
 * Returns the tags of elements that show something without trained models; the others need a folder
 * of models.
 */
function tagsOf(folder) {
  const list = join(folder, "node_modules/whereformer/dist/custom-elements.json");
  const { modules } = JSON.parse(readFileSync(list, "utf8"));
  return modules
    .flatMap(({ declarations }) => declarations)
    .filter(({ tagName, attributes }) =>
      given[tagName] ? true : attributes.every(({ name }) => name !== "models"),
    )
    .map(({ tagName }) => tagName);
}

const properties = (tags) =>
  JSON.stringify(Object.fromEntries(tags.map((tag) => [tag, given[tag]?.[0] ?? {}])));
/** Returns both languages of every tag, in the framework's syntax for properties. */
const twice = (tags, spread) =>
  tags.flatMap((tag) =>
    ["en", "zh"].map((lang) => `<${tag} lang="${lang}" ${spread(tag)}></${tag}>`),
  );

/** By framework: the files of a component with all elements, and of the script that mounts it. */
export const components = {
  react: (tags) => ({
    "every.tsx": `import "whereformer/elements";
import { createRoot } from "react-dom/client";
const given = ${properties(tags)};
const Every = () => (<>${twice(tags, (tag) => `{...given["${tag}"]}`).join("\n")}</>);
createRoot(document.querySelector("main")!).render(<Every />);\n`,
  }),
  vue: (tags) => ({
    "Every.vue": `<script setup>
import "whereformer/elements";
import { ref } from "vue";
const given = ref(${properties(tags)});
</script>
<template>${twice(tags, (tag) => `v-bind="given['${tag}']"`).join("\n")}</template>\n`,
    "every.js": `import { createApp } from "vue";
import Every from "./Every.vue";
createApp(Every).mount("main");\n`,
  }),
  svelte: (tags) => ({
    "Every.svelte": `<script>
import "whereformer/elements";
let given = $state(${properties(tags)});
</script>
${twice(tags, (tag) => `{...given["${tag}"]}`).join("\n")}\n`,
    "every.js": `import { mount } from "svelte";
import Every from "./Every.svelte";
mount(Every, { target: document.querySelector("main") });\n`,
  }),
};

const pageOf = (script) => `<!doctype html><html lang="en"><meta charset="utf-8">
<link rel="icon" href="data:,"><style>
body { margin: 0; display: flex; gap: 20px } aside { flex: 1 }
main { flex: 0 0 420px; min-width: 0 }
</style><aside>left</aside><main></main><aside>right</aside>
<script type="module" src="./${script}"></script></html>`;

/** Builds a page of all these elements in an installed example, and checks each element. */
export async function everyElement(context, folder, name) {
  const tags = tagsOf(folder);
  assert.ok(tags.length >= 20, `${tags}`);
  const files = components[name](tags);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  const [script] = Object.keys(files).filter((file) => file.startsWith("every."));
  writeFileSync(join(folder, "every.html"), pageOf(script));
  const own = existsSync(join(folder, "vite.config.mjs"));
  const base = own ? 'import base from "./vite.config.mjs";' : "const base = {};";
  const build = '{ outDir: "every", rolldownOptions: { input: "every.html" } }';
  writeFileSync(
    join(folder, "every.config.mjs"),
    `${base}\nexport default { ...base, build: ${build} };\n`,
  );
  const run = (tool, ...args) =>
    execFileSync(join(folder, "node_modules/.bin", tool), args, {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
    });
  if (script.endsWith(".tsx")) run("tsc");
  run("vite", "build", "--config", "every.config.mjs", "--logLevel", "error");

  const { page, complaints } = await openPlainly(
    `${await serve(context, join(folder, "every"))}every.html`,
  );
  for (const tag of tags)
    for (const lang of ["en", "zh"]) {
      const data = await numbersOf(page, `${tag}[lang=${lang}]`);
      given[tag]?.[1](data);
      const { excess, heading } = await page.locator(`${tag}[lang=${lang}]`).evaluate((node) => ({
        excess: node.scrollWidth - 420,
        heading: node.shadowRoot.querySelector("wf-frame")?.heading ?? "",
      }));
      assert.ok(excess <= 0, `${tag} is ${excess} pixels wider than its column`);
      assert.equal(/\p{Script=Han}/u.test(heading), lang === "zh" && heading !== "", tag);
    }
  assert.deepEqual(complaints, []);
  await page.close();
}

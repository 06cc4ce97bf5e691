// The page on notebooks, in each language: how figures are shown from Python, with a live one.

import { escaped } from "../schemes/markup.mjs";
import { words as allWords } from "./words.mjs";

const inline = (text) => escaped(text).replace(/`([^`]*)`/g, '<code translate="no">$1</code>');
const code = (text) => `<code translate="no">${escaped(text)}</code>`;
const block = (text, language = "en") =>
  `<pre tabindex="0" lang="${language}"><code>${escaped(text)}</code></pre>`;

const tokens = "the cat chased the mouse and the mouse slept";

/** Two heads: one attends to the word before, one evenly to all words so far. */
function weights() {
  const count = tokens.split(" ").length;
  const row = (at, weight) =>
    Array.from({ length: count }, (_, key) => (key > at ? null : weight(at, key)));
  const rows = (weight) => Array.from({ length: count }, (_, at) => row(at, weight));
  const before = (at, key) => (at === 0 || key === at - 1 ? 1 : 0);
  const even = (at) => Math.round(1000 / (at + 1)) / 1000;
  return JSON.stringify([rows(before), rows(even)]);
}

/** The page's HTML in a language. */
export function notebookPage(language) {
  const words = allWords[language];
  const up = language === "en" ? "../" : "../../";
  const other = language === "en" ? "../zh/notebook/" : "../../notebook/";
  const [functionName, shows] = words.columns;
  const rows = Object.entries(words.functions).map(
    ([name, call]) => `<tr><td>${call.map(code).join("")}</td><td>${words.shows[name]}</td></tr>`,
  );
  return `<!doctype html>
<html lang="${words.lang}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${words.title} · Whereformer</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${up}elements/elements.css">
<script type="module" src="${up}examples/html/whereformer/dist/standalone.js"></script>
<nav><a href="${up}index.html#v=1&amp;l=${language}">Whereformer</a> ·
<a href="${up}${language === "en" ? "" : "zh/"}elements/index.html">${words.elements}</a> ·
<a href="${up}reference/documents/guides_notebook.html">${words.guide}</a> ·
<a href="${other}" lang="${words.other.lang}"
hreflang="${words.other.lang}">${words.other.name}</a></nav>
<h1>${words.title}</h1>
${words.opening.map((text) => `<p>${inline(text)}</p>`).join("\n")}
${block(words.install)}
${block(words.first)}
<p>${inline(words.live)}</p>
<div class="live">
<wf-attention-map tokens="${tokens}" weights="${weights()}"></wf-attention-map>
</div>
<h2>${words.ways}</h2>
<p>${inline(words.waysText)}</p>
${block(words.both, words.lang)}
<h2>${words.more}</h2>
<div class="numbers calls" tabindex="0" role="group" aria-label="${words.more}">
<table><thead><tr><th scope="col">${functionName}</th><th scope="col">${shows}</th></tr></thead>
<tbody>${rows.join("")}</tbody></table></div>
</html>
`;
}

// The page of the elements, in each language, from custom-elements.json: each element live, with
// its tag to copy, and its attributes and properties. Its script is the package in one file, from
// the examples.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../setup/ensure.mjs";
import { inChinese } from "../figures.mjs";
import { escaped } from "../schemes/markup.mjs";
import { exampleOf } from "./examples.mjs";
import { words as allWords } from "./words.mjs";

const tokens = readFileSync(join(root, "web/styles/tokens.css"), "utf8");

/** A separate file: a policy may forbid styles within a page. */
export const elementsStyle = `${tokens}
  *, ::before, ::after { box-sizing: border-box; }
  body { margin: 0 auto; max-width: 60rem; padding: 1.2rem 1rem 4rem; background: var(--wf-paper);
    color: var(--wf-ink); font: 1.06rem/1.6 var(--wf-serif); }
  a { color: inherit; }
  h1 { font: 600 1.9rem/1.25 var(--wf-sans); margin: 1.6rem 0 0.6rem; }
  h2 { font: 600 1.15rem/1.3 var(--wf-sans); margin: 2.4rem 0 0.5rem; overflow-wrap: anywhere; }
  section h2 { font-family: var(--wf-mono); margin-top: 0; }
  nav, .list, table, summary { font-family: var(--wf-sans); font-size: 0.9rem; }
  .list { columns: 14rem; padding: 0; list-style: none; font-family: var(--wf-mono); }
  .list a { display: block; padding-block: 0.3rem; }
  section { margin-top: 3.2rem; padding-top: 1.2rem; border-top: 1px solid var(--wf-hair); }
  .live { margin: 1.4rem 0; min-height: 12rem; }
  .live > * { display: block; margin-block: 0; }
  pre { overflow-x: auto; margin: 0.8rem 0; padding: 0.7rem 0.9rem;
    border: 1px solid var(--wf-hair); font: 0.82rem/1.6 var(--wf-mono); }
  code { font-family: var(--wf-mono); font-size: 0.88em; }
  pre code { font-size: inherit; }
  .numbers { overflow-x: auto; }
  table { border-collapse: collapse; width: 100%; line-height: 1.45; margin-block: 0.5rem 1rem; }
  th, td { padding: 0.45rem 1rem 0.45rem 0; text-align: start; vertical-align: top;
    border-bottom: 1px solid var(--wf-hair); }
  th { font-weight: 600; color: var(--wf-soft); }
  td:first-child { white-space: nowrap; }
  .calls td:first-child { width: 55%; white-space: normal; overflow-wrap: anywhere; }
  .calls code { display: block; }
  summary { cursor: pointer; padding-block: 0.7rem; }
  :focus-visible { outline: 2px solid var(--wf-ink); outline-offset: 2px; }`;

/** Attributes that all elements share: listed once, above them. */
const everywhere = ["group", "theme", "heading", "compact", "lang"];

/** Text with `code` in it, as HTML. */
const inline = (text) => escaped(text).replace(/`([^`]*)`/g, '<code translate="no">$1</code>');
const code = (text) => `<code translate="no">${escaped(text)}</code>`;

function table(words, heads, rows) {
  if (!rows.length) return "";
  const head = heads.map((name) => `<th scope="col">${words.columns[name]}</th>`).join("");
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`);
  return `<div class="numbers" tabindex="0" role="group" aria-label="${words.columns[heads[0]]}">
<table><thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
}

/** The tables of one element, or of the attributes that all share. */
function tablesOf({ attributes, members, events, cssParts, cssProperties }, words, said) {
  const text = (one, key) => inline(said(one, key));
  const type = (one) => (one.type ? code(one.type.text.replace(/ \| undefined$/, "")) : "");
  const bare = members.filter(({ attribute }) => !attribute);
  return [
    table(
      words,
      ["attribute", "property", "type", "what"],
      attributes.map((one) => [
        code(one.name),
        one.fieldName ? code(one.fieldName) : "",
        type(one),
        text(one),
      ]),
    ),
    table(
      words,
      ["readonly", "type", "what"],
      bare.map((one) => [code(one.name), type(one), text(one)]),
    ),
    table(
      words,
      ["event", "what"],
      events.map((one) => [code(one.name), text(one)]),
    ),
    table(
      words,
      ["part", "what"],
      cssParts.map((one) => [code(one.name), text(one, `::part(${one.name})`)]),
    ),
    table(
      words,
      ["custom", "what"],
      cssProperties.map((one) => [code(one.name), text(one)]),
    ),
  ].join("\n");
}

function sectionOf(element, words, said, up) {
  const { tagName, attributes, members, events, cssParts } = element;
  const isSpecific = ({ name }) => !everywhere.includes(name);
  const specific = {
    attributes: attributes.filter(isSpecific),
    members: [],
    events,
    cssParts,
    cssProperties: [],
    ...(members.length ? {} : { events: [] }),
  };
  const live = exampleOf(tagName, attributes, `${up}models/`);
  const tag = exampleOf(tagName, attributes, "models/");
  const copied = `<script type="module">
  import "whereformer/elements/${tagName.slice(3)}";
</script>
${tag}`;
  return `<section id="${tagName}">
<h2 translate="no">&lt;${tagName}&gt;</h2>
<p>${inline(said(element, "element"))}</p>
<div class="live">${live}</div>
<pre tabindex="0" lang="en"><code>${escaped(copied)}</code></pre>
<details><summary>${words.all}</summary>
${tablesOf(specific, words, said)}
</details>
</section>`;
}

/** The page's HTML in a language. */
export function elementsPage(manifest, language) {
  const words = allWords[language];
  const up = language === "en" ? "../" : "../../";
  const other = language === "en" ? "../zh/elements/" : "../../elements/";
  const elements = manifest.modules.flatMap(({ declarations }) => declarations);
  const saidOf =
    ({ tagName }) =>
    (one, key = one.fieldName ?? one.name) =>
      language === "en" ? one.description : inChinese(tagName, key);
  const [first] = elements.filter(({ cssParts }) => cssParts.length);
  const isEverywhere = ({ name }) => everywhere.includes(name);
  const common = { ...first, attributes: first.attributes.filter(isEverywhere), cssParts: [] };
  const list = elements.map(({ tagName }) => `<li><a href="#${tagName}">${tagName}</a></li>`);
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
<a href="${up}reference/index.html">${words.reference}</a> ·
<a href="${up}examples/index.html">${words.examples}</a> ·
<a href="../notebook/index.html">${words.notebook}</a> ·
<a href="${other}" lang="${words.other.lang}"
hreflang="${words.other.lang}">${words.other.name}</a></nav>
<h1>${words.title}</h1>
${words.opening.map((text) => `<p>${inline(text)}</p>`).join("\n")}
<pre tabindex="0" lang="en"><code>${escaped(words.install)}</code></pre>
<details><summary>${words.common}</summary>
${tablesOf(common, words, saidOf(first))}
</details>
<ul class="list">${list.join("")}</ul>
${elements.map((element) => sectionOf(element, words, saidOf(element), up)).join("\n")}
</html>
`;
}

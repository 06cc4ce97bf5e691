// The page of one scheme: the text of docs/schemes, and numbers from the engine and the trained
// models.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../setup/ensure.mjs";
import { typeset } from "../scheme-words.mjs";
import { articleFrom, documentOf, folders, modelsFrom } from "./frame.mjs";
import { machineOf } from "./machine.mjs";
import { escaped } from "./markup.mjs";
import {
  costsOf,
  factsOf,
  familiesOf,
  lengthsOf,
  optionsOf,
  termsOf,
  trainedOf,
} from "./parts.mjs";

/** The path of a scheme's page, relative to the site's root. */
export const pathOf = (id, language) => `${folders[language]}${id}/`;

/** A section of a page, with its heading. */
export const section = (id, heading, body) =>
  `<section id="${id}" aria-labelledby="${id}-h">
<h2 id="${id}-h">${heading}</h2>
${body}
</section>`;

/** The variants of a scheme, by year, as links from a page beside theirs. */
export function variantsOf(variants, { language, words }, current = "") {
  const items = variants.map(({ id, year, said }) => {
    const { title, summary } = said[language];
    const name =
      id === current
        ? `<strong aria-current="page">${escaped(title)}</strong>`
        : `<a href="../${id}/">${escaped(title)}</a>`;
    return `<li><span class="year">${year}</span> ${name}<br />${escaped(summary)}</li>`;
  });
  return `<p>${words.variantsAbout}</p>\n<ul class="related">\n${items.join("\n")}\n</ul>`;
}

/** All schemes of the family, by year, including this one. */
function relatedOf({ description }, all, { words, said }) {
  const family = all
    .filter((one) => one.description.family === description.family)
    .sort((a, b) => a.description.year - b.description.year);
  const items = family.map(({ description: { id, year } }) => {
    const title = escaped(said[id].title);
    const name =
      id === description.id
        ? `<strong aria-current="page">${title}</strong>`
        : `<a href="../${id}/">${title}</a>`;
    return `<li><span class="year">${year}</span> ${name}<br />${escaped(said[id].summary)}</li>`;
  });
  return `<p>${words.relatedAbout}</p>\n<ul class="related">\n${items.join("\n")}\n</ul>`;
}

/** Links to the sections of a page. */
export const contentsOf = (parts, { contents }) =>
  `<nav class="contents" aria-label="${contents}">
${parts.map(([id, heading]) => `<a href="#${id}">${heading}</a>`).join("\n")}
</nav>`;

/** The scheme in ten lines of NumPy and of PyTorch, if docs/code has it; folded. */
function codeOf(id, words) {
  const programs = Object.entries({ numpy: "NumPy", torch: "PyTorch" }).map(([library, name]) => {
    const file = join(root, `docs/code/${id}_${library}.py`);
    if (!existsSync(file)) return undefined;
    const code = escaped(readFileSync(file, "utf8").trimEnd());
    return (
      `<details><summary>${words.code(name)}</summary>\n` +
      `<pre tabindex="0" translate="no"><code>${code}</code></pre></details>`
    );
  });
  return programs.filter(Boolean).join("\n");
}

/** The gallery's figure of one scheme; without scripts its static content stays. */
function liveOf({ description }, { words }) {
  return `<p>${words.liveAbout}</p>
<wf-scheme class="live" id="live" scheme="${description.id}" tabindex="-1"></wf-scheme>`;
}

/**
 * `facts` are one scheme's, `all` those of all schemes; `context` is the language's (see
 * scheme-pages.mjs).
 */
export function schemePage(shell, facts, all, context) {
  const { words, said, markup, language } = context;
  const { id, family } = facts.description;
  const { title, summary, formula, symbols, ...text } = said[id];
  const path = pathOf(id, language);
  const withArticle = { ...context, article: articleFrom(path, language), sighted: all.sighted };
  const blind = all.schemes.find(({ description }) => description.id === all.blind);
  const kind = escaped(words.kinds[family]);
  const { paragraphs, inline, list } = markup;
  const { parts } = words;
  const bodies = {
    formula:
      `<div class="formula" tabindex="0" role="group" aria-label="${parts.formula}">` +
      `${typeset(formula, language)}</div>\n<p class="small">${inline(symbols)}</p>\n` +
      codeOf(id, words),
    logit: `${paragraphs(text.logit)}\n${termsOf(facts, withArticle)}`,
    try: liveOf(facts, withArticle),
    trained: trainedOf(facts, blind, withArticle),
    options: optionsOf(facts.description, text.options, withArticle),
    pitfalls: list(text.pitfalls),
    cost: `${paragraphs(text.cost)}\n${costsOf(facts, withArticle)}`,
    extrapolation: `${paragraphs(text.extrapolation)}\n${lengthsOf(facts, withArticle)}`,
    users: [
      paragraphs(text.users),
      familiesOf(facts.description, withArticle),
      modelsFrom(path, language, words.models),
    ].join("\n"),
    sources: list(text.sources),
    related: relatedOf(facts, all.schemes, withArticle),
  };
  const variants = all.variants.filter(({ scheme }) => scheme === id);
  if (variants.length) bodies.variants = variantsOf(variants, context);
  const named = Object.entries(bodies).map(([name, body]) => [name, parts[name], body]);
  return documentOf(shell, {
    path,
    language,
    words,
    id,
    title: words.pageTitle(title, words.kinds[family]),
    description: summary,
    body: `<header class="opening">
<p class="kicker"><span class="family ${family}">${kind}</span> · ${facts.description.year}</p>
<h1>${escaped(title)}</h1>
<p class="standfirst">${escaped(summary)}</p>
${machineOf(facts, withArticle)}
${factsOf(facts, withArticle)}
${contentsOf(named, words)}
</header>
<main id="text" tabindex="-1">
${named.map((part) => section(...part)).join("\n")}
</main>`,
  });
}

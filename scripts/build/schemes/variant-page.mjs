// The page of one variant of a scheme: the text of docs/variants, and numbers from the engine.

import { typeset } from "../scheme-words.mjs";
import { documentOf, modelsFrom } from "./frame.mjs";
import { kindOf } from "./list.mjs";
import { escaped, table } from "./markup.mjs";
import { contentsOf, pathOf, section, variantsOf } from "./page.mjs";

const fullCircle = 2 * Math.PI;

function frequencyTable({ rows, attentionFactor }, sizes, { words, grouped }) {
  const says = words.variant.frequencies;
  const tokens = (angle) =>
    angle ? grouped(Number((fullCircle / angle).toPrecision(4))) : says.still;
  const factor = attentionFactor === 1 ? "" : says.factor(attentionFactor.toFixed(3));
  const about = says.about(sizes, factor);
  const cells = rows.map(([pair, before, after]) => [
    String(pair),
    tokens(before),
    tokens(after),
    after ? (before / after).toFixed(2) : "",
  ]);
  return `<p>${about}</p>\n${table(about, says.columns, cells)}`;
}

function slopeTable({ rows }, _, { words, plain }) {
  const says = words.variant.slopes;
  const about = says.about(rows.length);
  const cells = rows.map(([head, slope]) => [
    String(head),
    plain(slope),
    Math.exp(-slope).toFixed(3),
  ]);
  return `<p>${about}</p>\n${table(about, says.columns, cells)}`;
}

const tableOf = { frequencies: frequencyTable, slopes: slopeTable };

const formulaOf = (math, language, label) =>
  `<div class="formula" tabindex="0" role="group" aria-label="${label}">` +
  `${typeset(math, language)}</div>`;

function stepsOf(steps, { words, markup, language }) {
  const items = steps.map(({ math, text }) => {
    const formula = math ? `${formulaOf(math, language, words.parts.formula)}\n` : "";
    return `<li>${formula}<p>${markup.inline(text)}</p></li>`;
  });
  return `<ol class="steps">\n${items.join("\n")}\n</ol>`;
}

/** The element with the variant's options, as in the address; another figure if there is one. */
function liveOf({ scheme, state, figure }, { words }) {
  const tag = figure ?? "wf-scheme";
  const named = tag === "wf-scheme" ? ` scheme="${scheme}"` : "";
  const options = state ? ` data-state="${escaped(state)}"` : "";
  return `<p>${figure ? words.variant.figure : words.variant.live}</p>
<${tag} class="live" id="live"${named}${options} tabindex="-1"></${tag}>`;
}

/** `all` are the facts of all pages; `context` is the language's (see scheme-pages.mjs). */
export function variantPage(shell, variant, all, context) {
  const { words, said, markup, language } = context;
  const { id, scheme, year, numbers, names, sizes } = variant;
  const { title, summary, formula, symbols, steps, users, pitfalls, sources } =
    variant.said[language];
  const { parts } = words;
  const path = pathOf(id, language);
  const related = all.variants.filter((other) => other.scheme === scheme);
  const bodies = {
    formula:
      `${formulaOf(formula, language, parts.formula)}\n` +
      `<p class="small">${markup.inline(symbols)}</p>`,
    steps: stepsOf(steps, context),
    ...(numbers && {
      numbers: tableOf[numbers.kind](numbers, sizes?.[language] ?? "", context),
    }),
    try: liveOf(variant, context),
    users: `${markup.paragraphs(users)}\n${modelsFrom(path, language, words.models)}`,
    pitfalls: markup.list(pitfalls),
    sources: markup.list(sources),
    ...(related.length > 1 && { related: variantsOf(related, context, id) }),
  };
  const headings = { ...parts, related: words.variant.related };
  const named = Object.entries(bodies).map(([name, body]) => [name, headings[name], body]);
  const linked = (to) => `<a href="../${to}/">${escaped(said[to].title)}</a>`;
  const kind = kindOf(scheme, words.variant, linked);
  return documentOf(shell, {
    path,
    language,
    words,
    id,
    title: words.variant.pageTitle(title),
    description: summary,
    body: `<header class="opening">
<p class="kicker">${kind} · ${year}</p>
<h1>${escaped(title)}</h1>
<p class="standfirst">${escaped(summary)}</p>
<p class="small">${escaped(words.variant.names(names[language].join(words.comma)))}</p>
${contentsOf(named, words)}
</header>
<main id="text" tabindex="-1">
${named.map((part) => section(...part)).join("\n")}
</main>`,
  });
}

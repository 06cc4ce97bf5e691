// The list of all schemes, by family and year.

import { documentOf, folders } from "./frame.mjs";
import { escaped, table } from "./markup.mjs";
import { actsOn } from "./parts.mjs";

function familyOf(name, schemes, { words, said }) {
  const [heading, about] = words.index.families[name];
  const items = schemes
    .filter(({ description }) => description.family === name)
    .sort((a, b) => a.description.year - b.description.year)
    .map(({ description: { id, year } }) => {
      const { title, summary } = said[id];
      return (
        `<li><span class="year">${year}</span> <a href="${id}/">${escaped(title)}</a>` +
        `<br />${escaped(summary)}</li>`
      );
    });
  return `<section aria-labelledby="${name}">
<h2 id="${name}" class="family ${name}">${heading}</h2>
<p>${about}</p>
<ul class="related">
${items.join("\n")}
</ul>
</section>`;
}

/** The name in a title: its abbreviation if it has one, else what comes before its explanation. */
export function shortName(title) {
  const [, inside] = /[(（]([A-Za-z][\w .-]*)[)）]/.exec(title) ?? [];
  const [before] = title.split(/[:：]/);
  const bare = before.replace(/\s*[(（].*$/, "");
  return inside && inside.length < bare.length && !/[=_]/.test(inside) ? inside : bare;
}

/** Schemes and variants by year and idea; the idea of a variant is that of its scheme. */
function timelineOf(schemes, variants, { words, said, language }) {
  const { index } = words;
  const ideaOf = new Map(schemes.map(({ description: { id, family } }) => [id, family]));
  const all = [
    ...schemes.map(({ description: { id, year, family } }) => {
      return { id, year, idea: family, title: said[id].title };
    }),
    ...variants.map(({ id, year, scheme, said: { [language]: of } }) => {
      return { id, year, idea: ideaOf.get(scheme), title: of.title };
    }),
  ];
  const ideas = [...new Set(all.map(({ idea }) => idea))];
  const partOf = (year, idea) => {
    const links = all
      .filter((one) => one.year === year && one.idea === idea)
      .map(({ id, title }) => `<a href="${id}/">${escaped(shortName(title))}</a>`);
    const name = idea ? index.families[idea][0] : index.anyIdea;
    return links.length ? `<dd><span>${name}</span> ${links.join(words.comma)}</dd>` : "";
  };
  const years = [...new Set(all.map(({ year }) => year))].sort((a, b) => a - b);
  const rows = years.map(
    (year) => `<div><dt>${year}</dt>${ideas.map((idea) => partOf(year, idea)).join("")}</div>`,
  );
  return `<section id="timeline" aria-labelledby="timeline-h">
<h2 id="timeline-h">${index.timeline}</h2>
<p>${index.timelineAbout}</p>
<dl class="timeline">
${rows.join("\n")}
</dl>
</section>`;
}

/** What a variant belongs to: a scheme, attention with any scheme, or no scheme but itself. */
export function kindOf(scheme, { kind, anyScheme, writtenScheme }, titleOf) {
  if (scheme === "formula") return writtenScheme;
  return scheme ? kind(titleOf(scheme)) : anyScheme;
}

/** The variants, with the schemes that they vary. */
function variantsOf(variants, { words, said, language }) {
  const { index, variant } = words;
  const items = variants.map(({ id, year, scheme, said: { [language]: of } }) => {
    const kind = kindOf(scheme, variant, (id) => said[id].title);
    return (
      `<li><span class="year">${year}</span> <a href="${id}/">${escaped(of.title)}</a>` +
      ` <span class="small">${escaped(kind)}</span><br />${escaped(of.summary)}</li>`
    );
  });
  return `<section aria-labelledby="variants">
<h2 id="variants">${index.variants}</h2>
<p>${index.variantsOf(variants.length)}</p>
<ul class="related">
${items.join("\n")}
</ul>
</section>`;
}

const firstSentence = (text) => /^.*?(?:[。！？]|[.!?](?= |$)|$)/s.exec(text)[0];

/** All schemes in one table: where each acts, on what it depends, who uses it. */
function comparisonOf(schemes, { words, said, markup }) {
  const { index, facts } = words;
  const rows = schemes.map((one) => {
    const { id, year, family } = one.description;
    return [
      `<a href="${id}/">${escaped(said[id].title)}</a>`,
      String(year),
      escaped(actsOn(one, facts)),
      `<span class="family ${family}">${index.kinds[family]}</span>`,
      one.cost.parameters ? index.yes : index.no,
      markup.inline(firstSentence(said[id].users)),
    ];
  });
  // The table is a landmark with that name, so the section is none.
  return `<section id="compare">
<h2>${index.compare}</h2>
${table(index.compare, index.columns, rows)}
</section>`;
}

/** The sources of all schemes in one list, by their text, each once. */
function sourcesOf(schemes, { words, said, markup }) {
  const all = new Set(schemes.flatMap(({ description: { id } }) => said[id].sources));
  return `<section id="sources" aria-labelledby="sources-h">
<h2 id="sources-h">${words.parts.sources}</h2>
${markup.list([...all].sort())}
</section>`;
}

export function listPage(shell, { schemes, variants }, context) {
  const { words, language } = context;
  const { index } = words;
  const families = [...new Set(schemes.map(({ description }) => description.family))];
  return documentOf(shell, {
    path: folders[language],
    language,
    words,
    title: index.pageTitle,
    description: index.description(schemes.length),
    body: `<header class="opening">
<h1>${index.title}</h1>
<p class="standfirst">${index.standfirst(schemes.length)}</p>
</header>
<main id="text" tabindex="-1">
${timelineOf(schemes, variants, context)}
${comparisonOf(schemes, context)}
${families.map((name) => familyOf(name, schemes, context)).join("\n")}
${variantsOf(variants, context)}
${sourcesOf(schemes, context)}
</main>`,
  });
}

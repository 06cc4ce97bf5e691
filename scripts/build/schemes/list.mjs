// The list of all schemes, by family and year.

import { documentOf, folders } from "./frame.mjs";
import { escaped } from "./markup.mjs";

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
<h2 id="${name}">${heading}</h2>
<p>${about}</p>
<ul class="related">
${items.join("\n")}
</ul>
</section>`;
}

export function listPage(shell, { schemes }, context) {
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
${families.map((name) => familyOf(name, schemes, context)).join("\n")}
</main>`,
  });
}

// The frame of every page beside the article: head, bar, footer, and its path.

import { escaped } from "./markup.mjs";

/** Folders of the pages in each language, relative to the site's root. */
export const folders = { en: "schemes/", zh: "zh/schemes/" };

/** The relative path from a page to the site's root. */
export const upFrom = (path) => "../".repeat(path.split("/").length - 1);

/** The path of the same page in the other language. */
export const otherPath = (path, language) =>
  language === "en" ? `zh/${path}` : path.replace(/^zh\//, "");

/** Addresses of a page: absolute if the site's is known, else relative to the page. */
const addressOf = (site, path, from) => (site ? new URL(path, site).href : upFrom(from) + path);

function alternates({ path, language, site }) {
  const paths = { [language]: path, [language === "en" ? "zh" : "en"]: otherPath(path, language) };
  const link = (code, to) =>
    `<link rel="alternate" hreflang="${code}" href="${addressOf(site, to, path)}" />`;
  return [
    `<link rel="canonical" href="${addressOf(site, path, path)}" />`,
    link("en", paths.en),
    link("zh-Hans", paths.zh),
    link("x-default", paths.en),
  ].join("\n");
}

/** The article in a language; more state may be appended. */
export const articleFrom = (path, language) => `${upFrom(path)}#v=1&amp;l=${language}`;

/** A link to the index of models, in a language. */
export const modelsFrom = (path, language, name) =>
  `<p><a href="${upFrom(path)}tools/models/#v=1&amp;l=${language}">${name}</a></p>`;

function bar({ path, language, words, isList }) {
  const { other } = words;
  const to = upFrom(path) + otherPath(path, language);
  const all = isList
    ? `<span aria-current="page">${words.all}</span>`
    : `<a href="${upFrom(path)}${folders[language]}">${words.all}</a>`;
  return `<nav class="bar" aria-label="${words.bar}">
<a class="name" href="${articleFrom(path, language)}" translate="no">Whereformer</a>
<span class="sections"><a href="${articleFrom(path, language)}">${words.home}</a>${all}</span>
<a class="always" lang="${other.lang}" hreflang="${other.lang}" href="${to}">${other.name}</a>
<button class="theme" hidden></button>
</nav>`;
}

/**
 * A whole page. `shell` has the head elements of the built article (`head`, with addresses relative
 * to the site's root) and the page's own `styles`; `page` has language, path, words, title,
 * description, `id` of the scheme if it is about one, and `body`.
 */
export function documentOf(shell, page) {
  const { path, words, title, description, id = "", body } = page;
  const up = upFrom(path);
  const relinked = (html) => html.replace(/((?:src|href)=")\.\//g, `$1${up}`);
  return `<!doctype html>
<html lang="${words.lang}" data-page="${id || "list"}" data-wf-site="${up}">
<head>
<meta charset="utf-8" />
${shell.policy}
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>${escaped(title)}</title>
<meta name="description" content="${escaped(description)}" />
${alternates({ ...page, site: shell.site })}
<meta property="og:type" content="article" />
<meta property="og:title" content="${escaped(title)}" />
<meta property="og:description" content="${escaped(description)}" />
<meta property="og:locale" content="${words.locale}" />
${relinked(shell.head)}
${relinked(shell.styles)}
</head>
<body>
<a class="skip" href="#text">${words.skip}</a>
${bar({ ...page, isList: !id })}
${body}
<footer>
<p>${words.footer}</p>
</footer>
</body>
</html>
`;
}

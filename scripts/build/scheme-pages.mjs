// A page for every scheme and every variant in each language, and the lists of them: schemes/<id>/
// and zh/schemes/<id>/. A Vite plugin, which writes them beside the article from docs/schemes and
// docs/variants, the engine's descriptions and the trained models. SITE, the site's future address,
// makes its canonical addresses absolute.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/ensure.mjs";
import { openSources } from "./page-sources.mjs";
import { readFacts } from "./schemes/facts.mjs";
import { folders } from "./schemes/frame.mjs";
import { listPage } from "./schemes/list.mjs";
import { machineSources } from "./schemes/machine.mjs";
import { shadesCss } from "./schemes/maps.mjs";
import { inlineHtml } from "./schemes/markup.mjs";
import { pathOf, schemePage } from "./schemes/page.mjs";
import { variantPage } from "./schemes/variant-page.mjs";
import { pageWords } from "./schemes/words.mjs";
import { smallCss } from "./small-templates.mjs";

const languages = Object.keys(folders);
const stylesFile = "web/styles/schemes.css";
const styles = () => `${readFileSync(join(root, stylesFile), "utf8")}\n${shadesCss()}`;

/** Texts of the pages in one language, beside the facts. */
function contextOf(language, modules, machine) {
  const [inline, numbers, tokens, gallery, shared, text] = modules;
  const file = join(root, `bindings/ts/generated/words.${language}.json`);
  return {
    language,
    words: pageWords[language],
    machine,
    said: JSON.parse(readFileSync(file, "utf8")),
    markup: inlineHtml(inline),
    gallery: gallery.galleryWords[language],
    shared: shared.sharedWords[language],
    join: text.textFor(language).join.items,
    labelsOf: tokens.labelsOf,
    grouped: numbers.grouped,
    percent: numbers.percent,
    plain: numbers.plain,
  };
}

/** All data that the pages are made from. */
async function readSite() {
  const sources = await openSources();
  try {
    const modules = await Promise.all(
      [
        "/text/inline.ts",
        "/text/numbers.ts",
        "/text/token-labels.ts",
        "/figures/scheme-gallery/words.ts",
        "/figures/shared/figure/words.ts",
        "/text/index.ts",
      ].map(sources.load),
    );
    const machine = await Promise.all(machineSources.map(sources.load));
    const facts = await readFacts(sources);
    const contexts = languages.map((language) => contextOf(language, modules, machine));
    return { facts, contexts };
  } finally {
    await sources.close();
  }
}

/** Every page by its path. */
function pagesOf({ facts, contexts }, shell) {
  return contexts.flatMap((context) => [
    [folders[context.language], listPage(shell, facts, context)],
    ...facts.schemes.map((one) => [
      pathOf(one.description.id, context.language),
      schemePage(shell, one, facts, context),
    ]),
    ...facts.variants.map((one) => [
      pathOf(one.id, context.language),
      variantPage(shell, one, facts, context),
    ]),
  ]);
}

const tag = /<(?:link|script)\b[^>]*(?:href|src)="\.\/[^"]*"[^>]*>(?:<\/script>)?/g;

/** Head elements of the built article: its styles and scripts, with its policy first. */
function shellOf(html, stylesName) {
  return {
    site: process.env.SITE,
    policy: /<meta\s+http-equiv="Content-Security-Policy"[^>]*>/.exec(html)[0],
    head: html.match(tag).join("\n"),
    styles: `<link rel="stylesheet" href="./${stylesName}" />`,
  };
}

/** Head elements in development, where the server has the sources. */
const draftShell = {
  policy: "",
  head:
    '<script src="./before-paint.mjs"></script>\n' +
    '<link rel="stylesheet" href="./styles/page.css" />\n' +
    '<link rel="stylesheet" href="./styles/later-faces.css" />\n' +
    '<script type="module" src="./main.ts"></script>',
  styles: '<link rel="stylesheet" href="./styles/schemes.css" />',
};

export function schemePages() {
  return {
    name: "scheme-pages",
    generateBundle: {
      order: "post",
      async handler(_, bundle) {
        const script = this.emitFile({
          type: "asset",
          name: "schemes.css",
          source: smallCss(styles()),
        });
        const shell = shellOf(String(bundle["index.html"].source), this.getFileName(script));
        for (const [path, source] of pagesOf(await readSite(), shell))
          this.emitFile({ type: "asset", fileName: `${path}index.html`, source });
      },
    },
    configureServer(server) {
      let pages;
      server.middlewares.use(async (request, response, next) => {
        const path = new URL(request.url, "http://page").pathname.slice(1);
        if (!languages.some((language) => path.startsWith(folders[language]))) return next();
        pages ??= readSite().then((site) => new Map(pagesOf(site, draftShell)));
        const html = (await pages).get(path);
        if (!html) return next();
        const shades = `<style>${shadesCss()}</style></head>`;
        response.setHeader("Content-Type", "text/html; charset=utf-8");
        response.end(await server.transformIndexHtml(request.url, html.replace("</head>", shades)));
      });
    },
  };
}

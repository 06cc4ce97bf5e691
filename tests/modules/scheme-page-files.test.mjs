// The files of the pages of schemes and variants: every one has a page in both languages, with the
// content of docs/schemes, and no link is broken.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { documentOf } from "../../scripts/build/schemes/frame.mjs";
import { readVariants } from "../../scripts/build/schemes/variants.mjs";
import { pageWords } from "../../scripts/build/schemes/words.mjs";
import { openSources } from "./sources.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const built = new URL("../../dist-web/", import.meta.url);
const { load } = await import(`${root}dist/index.js`);

const folders = { en: "schemes/", zh: "zh/schemes/" };
const languages = Object.keys(folders);
const said = Object.fromEntries(
  languages.map((language) => [
    language,
    JSON.parse(readFileSync(`${root}bindings/ts/generated/words.${language}.json`, "utf8")),
  ]),
);
const read = (path) => readFileSync(new URL(`${path}index.html`, built), "utf8");

const entities = { amp: "&", lt: "<", gt: ">", quot: '"' };
/** Returns the visible text of a page, with single spaces. */
const textOf = (html) =>
  html
    .replace(/<[^>]*>/g, "")
    .replace(/&(amp|lt|gt|quot);/g, (_, name) => entities[name])
    .replace(/\s+/g, " ");
/** Returns the text of Markdown without its marks, superscripts and subscripts. */
const spoken = (markdown) =>
  markdown
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replace(/[`*]/g, "")
    .replace(/\s+/g, " ");
const bare = (text) => text.replace(/[\^_(){}]/g, "");

const { variants } = readVariants();

let wf;
let sources;
const pages = new Map();
before(async () => {
  wf = await load();
  sources = await openSources();
  for (const [language, folder] of Object.entries(folders)) {
    pages.set(folder, { language, html: read(folder) });
    for (const { id } of wf.schemes)
      pages.set(`${folder}${id}/`, { language, id, html: read(`${folder}${id}/`) });
    for (const { id } of variants)
      pages.set(`${folder}${id}/`, { language, html: read(`${folder}${id}/`) });
  }
});

after(() => sources.close());

test("every scheme and every variant has a page in both languages, and nothing else", () => {
  const ids = [...wf.schemes, ...variants].map(({ id }) => id).sort();
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.length > 20);
  for (const folder of Object.values(folders)) {
    const found = readdirSync(new URL(folder, built)).filter((name) => name !== "index.html");
    assert.deepEqual(found.sort(), ids, folder);
  }
});

test("a page contains the whole content of docs/schemes for its scheme", () => {
  for (const { language, id, html } of pages.values()) {
    if (!id) continue;
    const {
      title,
      summary,
      symbols,
      logit,
      options,
      pitfalls,
      cost,
      extrapolation,
      users,
      sources,
    } = said[language][id];
    const text = bare(textOf(html));
    const prose = [symbols, logit, cost, extrapolation, users].flatMap((one) => one.split("\n\n"));
    const all = [title, summary, ...prose, ...Object.values(options), ...pitfalls, ...sources];
    for (const one of all) assert.ok(text.includes(bare(spoken(one))), `${language} ${id}: ${one}`);
    for (const key of Object.keys(options)) assert.ok(html.includes(`>${key}</code>`), key);
    assert.match(html, /<math/);
    const alternatives = /<mtext>[^<]*or[^<]*<\/mtext>/;
    if (language === "zh") assert.doesNotMatch(html, alternatives, id);
    assert.doesNotMatch(html, /[">]undefined|NaN|\[object|\sstyle=/, `${language} ${id}`);
  }
});

test("a machine at the head of a page lights the socket of the scheme's family", () => {
  // Query and key have a socket each; the score is one for both.
  const lit = { none: 0, absolute: 2, relative: 1, rotary: 2, latent: 2 };
  const first = { absolute: "+", relative: "+", rotary: "rotation", latent: "rotation" };
  const families = new Map(wf.schemes.map(({ id, family }) => [id, family]));
  let count = 0;
  for (const { language, id, html } of pages.values()) {
    if (!id) continue;
    const [machine] = /<svg class="machine".*?<\/svg>/s.exec(html) ?? [];
    assert.ok(machine, `${language} ${id}`);
    const family = families.get(id);
    if (family === "grid") continue;
    const circles = machine.match(/stroke-width="2" fill="var\(--wf-position\)"/g) ?? [];
    assert.equal(circles.length, lit[family], `${language} ${id}`);
    // The sign in the lit socket is in the colour of the paper: + is one path, a rotation two.
    const signs = machine.match(/stroke="var\(--wf-paper\)"/g) ?? [];
    const each = first[family] === "rotation" ? 2 : 1;
    assert.equal(signs.length, lit[family] * each, `${language} ${id}`);
    count++;
  }
  assert.ok(count > 30, `${count}`);
});

test("titles and descriptions are unique, and in the page's language", () => {
  const titles = new Set();
  for (const [path, { language, id, html }] of pages) {
    const title = /<title>(.*)<\/title>/.exec(html)[1];
    assert.ok(!titles.has(title), title);
    titles.add(title);
    const [, description] = /<meta name="description" content="([^"]*)"/.exec(html);
    if (id) {
      assert.ok(textOf(title).includes(said[language][id].title), path);
      assert.equal(textOf(description), said[language][id].summary);
    }
    assert.match(html, new RegExp(`<html lang="${language === "en" ? "en" : "zh-Hans"}"`));
  }
});

/** Resolves an address relative to a page: returns a file's path and an anchor in it. */
function target(path, address) {
  const url = new URL(address, `http://page/${path}`);
  return { host: url.host, path: decodeURIComponent(url.pathname.slice(1)), place: url.hash };
}

test("a page links to its other language and to itself", () => {
  for (const [path, { html }] of pages) {
    const links = [...html.matchAll(/<link rel="(\w+)"(?: hreflang="([\w-]+)")? href="([^"]*)"/g)];
    const to = Object.fromEntries(
      links.map(([, rel, code, href]) => [code ?? rel, target(path, href).path]),
    );
    assert.equal(to.canonical, path);
    assert.ok([to.en, to["zh-Hans"]].includes(path));
    assert.equal(to["zh-Hans"], `zh/${to.en}`);
    assert.equal(to["x-default"], to.en);
  }
});

test("no link, script or picture of a page is broken", () => {
  for (const [from, { html }] of pages)
    for (const [, address] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
      if (address.startsWith("https:")) continue;
      const { host, path, place } = target(from, address.replaceAll("&amp;", "&"));
      assert.equal(host, "page", address);
      assert.doesNotMatch(address, /^\//, "an address does not work below every path");
      const file = new URL(path.endsWith("/") || !path ? `${path}index.html` : path, built);
      assert.ok(existsSync(file) && statSync(file).isFile(), `${from}: ${address}`);
      const id = place.slice(1);
      if (!id || id.startsWith("v=")) continue;
      const there = readFileSync(file, "utf8");
      assert.ok(there.includes(`id="${id}"`), `${from}: ${address}`);
    }
});

test("a scheme with a trained model shows its heads; another says that there is no model", () => {
  const trained = JSON.parse(readFileSync(new URL("models/index.json", built), "utf8")).schemes;
  const image = JSON.parse(readFileSync(`${root}models/image.json`, "utf8")).results;
  for (const { language, id, html } of pages.values()) {
    if (!id) continue;
    assert.equal(html.includes('<svg class="heads"'), trained.includes(id), `${language} ${id}`);
    const hasNone = !trained.includes(id) && !(id in image);
    assert.equal(html.includes(pageWords[language].untrained), hasNone, `${language} ${id}`);
    const ofPictures = html.includes('<svg class="picture-heads"');
    assert.equal(ofPictures, !trained.includes(id) && !hasNone, `${language} ${id}`);
  }
});

test("the maps of a page are computed from the committed weights", async () => {
  const id = "alibi";
  const { en } = JSON.parse(readFileSync(`${root}models/${id}/heads.json`, "utf8")).results;
  const max = Math.max(
    ...Object.entries(en).map(([name, { previous }]) => (name === "uniform" ? 0 : previous)),
  );
  const text = textOf(pages.get(`${folders.en}${id}/`).html);
  assert.ok(text.includes(`${Math.round(100 * max)}%`), `${max}`);
  const { heldOut } = JSON.parse(readFileSync(`${root}models/${id}/training.json`, "utf8"));
  for (const { bitsPerToken } of heldOut.en.lengths)
    assert.ok(text.includes(bitsPerToken.toFixed(2)));
  assert.ok(text.includes(heldOut.zh.bitsPerCharacter.toFixed(2)));
});

test("the shares under the maps of a picture model are computed from its weights", async () => {
  const id = "learned_2d";
  const file = (name) => readFileSync(`${root}models/image/${id}/${name}`);
  const model = await wf.model({
    config: JSON.parse(file("config.json")),
    weights: file("model.safetensors"),
  });
  const { askedPicture } = await sources.load("/defaults.ts");
  const { asks, ground, speck, ink } = askedPicture;
  const signs = { "?": asks, ".": ground, s: speck, t: speck, "#": ink };
  const ids = [...askedPicture.rows.join("")].map((sign) => signs[sign]);
  const { data } = model.run(ids, { record: ["weights"] }).weights;
  const { numHeads, numLayers } = model.config;
  const cells = ids.length;
  const shareOf = (row, head) => {
    const start = (((numLayers - 1) * numHeads + head) * cells + row) * cells;
    return `${Math.round(100 * Math.max(...data.subarray(start, start + cells)))}%`;
  };
  const wanted = [0, 2 * 8 + 2].flatMap((row) => [0, 1, 2, 3].map((head) => shareOf(row, head)));
  for (const folder of Object.values(folders)) {
    const { html } = pages.get(`${folder}${id}/`);
    const [, drawn] = /<svg class="picture-heads"(.*?)<\/svg>/.exec(html);
    assert.deepEqual(
      [...drawn.matchAll(/>(\d+%)<\/text>/g)].map(([, share]) => share),
      wanted,
    );
  }
});

test("if the site's address is set, canonical addresses are absolute", () => {
  const html = documentOf(
    { site: "https://example.org/w/", policy: "", head: "", styles: "" },
    {
      path: "zh/schemes/a/",
      language: "zh",
      words: pageWords.zh,
      title: "a",
      description: "b",
      id: "a",
      body: "",
    },
  );
  assert.match(html, /rel="canonical" href="https:\/\/example\.org\/w\/zh\/schemes\/a\/"/);
  assert.match(html, /hreflang="en" href="https:\/\/example\.org\/w\/schemes\/a\/"/);
});

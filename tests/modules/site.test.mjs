// The site as a server would send it: every address in it is relative and leads to an existing
// file, so it works below any path.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { after, before, test } from "node:test";
import { writeSite } from "../../scripts/build/site.mjs";

const folder = mkdtempSync(join(tmpdir(), "whereformer-site-"));
after(() => rmSync(folder, { recursive: true, force: true }));
before(() => writeSite(folder));

const pages = () =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".html"))
    // Sources of projects, which are read by their bundlers.
    .filter((name) => !/^examples\/(?!html|slides)/.test(name));

/** Returns the addresses in the tags of a page, without those in its scripts. */
function addressesOf(html) {
  const tags = html.replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, (script) =>
    script.slice(0, script.indexOf(">") + 1),
  );
  return [...tags.matchAll(/<[a-z][^>]*?\s(?:href|src)="([^"]*)"/g)].map(([, address]) => address);
}

const isElsewhere = (address) => /^(?:(?!site:)[a-z]+:|#|\?|$)/.test(address);

test("the site has article, schemes, reference, guides and examples", () => {
  for (const page of [
    "index.html",
    "schemes/index.html",
    "zh/schemes/rope/index.html",
    "reference/index.html",
    "reference/interfaces/whereformer.Engine.html",
    "reference/documents/guides_tensors.html",
    "elements/index.html",
    "zh/elements/index.html",
    "notebook/index.html",
    "zh/notebook/index.html",
    "examples/html/index.html",
    "examples/slides/index.html",
  ])
    assert.ok(existsSync(join(folder, page)), page);
});

test("no address begins at the root of a host, and none is broken", () => {
  const lost = [];
  for (const page of pages()) {
    for (const address of addressesOf(readFileSync(join(folder, page), "utf8"))) {
      if (isElsewhere(address)) continue;
      const path = decodeURIComponent(address.replace(/[?#].*$/, ""));
      const place = join(folder, dirname(page), path);
      const target = path.endsWith("/") || path === "" ? join(place, "index.html") : place;
      const isWithin = !address.startsWith("/") && !relative(folder, target).startsWith("..");
      if (!isWithin || !existsSync(target) || !statSync(target).isFile())
        lost.push(`${page}: ${address}`);
    }
  }
  assert.deepEqual(lost, []);
});

test("every element is live on its page, with all its properties, in both languages", () => {
  const manifest = JSON.parse(
    readFileSync(new URL("../../dist/custom-elements.json", import.meta.url), "utf8"),
  );
  const elements = manifest.modules.flatMap(({ declarations }) => declarations);
  for (const path of ["elements/index.html", "zh/elements/index.html"]) {
    const html = readFileSync(join(folder, path), "utf8");
    for (const { tagName, attributes } of elements) {
      const [, section] = html.split(`<section id="${tagName}">`);
      const own = section.slice(0, section.indexOf("</section>"));
      assert.match(own, new RegExp(`<div class="live"><${tagName}[ >]`), `${path}: ${tagName}`);
      for (const { name } of attributes)
        if (!["group", "theme", "heading", "compact", "lang"].includes(name))
          assert.ok(own.includes(`>${name}</code>`), `${path}: ${tagName} ${name}`);
    }
  }
  const chinese = readFileSync(join(folder, "zh/elements/index.html"), "utf8");
  const cells = [...chinese.matchAll(/<td>([^<]*)<\/td><\/tr>/g)].map(([, text]) => text);
  assert.ok(cells.length > 100);
  assert.deepEqual(
    cells.filter((text) => !/\p{Script=Han}/u.test(text)),
    [],
  );
});

test("the reference has a search, and contains the guides", () => {
  assert.ok(existsSync(join(folder, "reference/assets/search.js")));
  const index = readFileSync(join(folder, "reference/index.html"), "utf8");
  assert.match(index, /guides_worker\.html/);
});

// Opens the pages printed in README.md, the guides and docs/install.md unchanged: with the package
// installed from its tarball, and built by Vite if they import by name.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build } from "vite";
import { writeModelsPackage } from "../../scripts/build/models-package.mjs";
import { installTarball, root } from "../package/tarball.mjs";
import { awaitText, numbersOf, openBrowser, openPage, pageFolder } from "./browser.mjs";
import { servePlainly } from "./plain-site.mjs";

const { folder, installed } = installTarball("guide-pages");
const modules = join(folder, "node_modules");
for (const name of ["lit", "@huggingface"])
  symlinkSync(join(root, "node_modules", name), join(modules, name), "dir");
const published = join(modules, "whereformer-models");
writeModelsPackage(published);

const guides = readdirSync(join(root, "docs/guides")).map((name) => `docs/guides/${name}`);
const pages = ["README.md", "docs/install.md", ...guides];
const programsOf = (name) =>
  [...readFileSync(join(root, name), "utf8").matchAll(/^```html\n(.*?)^```$/gms)].map(
    ([, html]) => html,
  );
const fileOf = (name, index) => `${name.replaceAll("/", "-")}-${index}.html`;
const head = '<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,">';
// Replaces the placeholder for a CDN by a folder of the same server.
const withoutCdn = (html) => html.replaceAll(/https:\/\/cdn\.example\/whereformer@[\d.]+/g, "/cdn");

/** Builds the pages that import by name, and puts the files that they load beside them. */
async function builtSite() {
  const source = join(folder, "pages");
  const site = join(folder, "site");
  mkdirSync(source);
  const wanted = [];
  const plain = [];
  for (const name of pages)
    for (const [index, html] of programsOf(name).entries()) {
      const file = fileOf(name, index);
      const isBuilt = /(?:from|import) "whereformer/.test(html);
      if (isBuilt) {
        writeFileSync(join(source, file), head + html);
        wanted.push(join(source, file));
      } else plain.push([file, head + withoutCdn(html)]);
    }
  await build({
    root: source,
    configFile: false,
    logLevel: "error",
    build: { outDir: site, rolldownOptions: { input: wanted } },
  });
  for (const [file, html] of plain) writeFileSync(join(site, file), html);
  cpSync(join(installed, "dist"), join(site, "cdn/dist"), { recursive: true });
  cpSync(join(installed, "dist/standalone-inline.js"), join(site, "standalone-inline.js"));
  symlinkSync(join(pageFolder, "models"), join(site, "models"), "dir");
  return site;
}

let session;
let server;
before(async () => {
  server = await servePlainly(await builtSite());
  session = await openBrowser();
});
after(async () => {
  server?.close();
  await session?.close();
});

/** Waits until a repeated observation satisfies a condition. */
async function until(look, isSo, why) {
  const end = Date.now() + 60_000;
  for (;;) {
    const seen = await look();
    if (isSo(seen)) return seen;
    assert.ok(Date.now() < end, `${why}: ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function drawsOneOf(page) {
  const { largestDifference } = await numbersOf(page, "wf-who-chases");
  assert.ok(largestDifference < 1e-5);
}

/** In the page: records the contents of the origin private file system at each change. */
async function watchStorage() {
  window.seen = [];
  const namesIn = async (folder) => {
    const names = [];
    for await (const [name, entry] of folder)
      names.push(...(entry.kind === "file" ? [name] : await namesIn(entry)));
    return names;
  };
  const top = await navigator.storage.getDirectory();
  for (;;) {
    // A folder may disappear while it is read.
    const names = await namesIn(top).catch(() => undefined);
    if (names && `${names}` !== `${window.seen.at(-1)}`) window.seen.push(names);
  }
}

/** For each page, in order, a check of its figure, sum, text, line or storage. */
const checks = {
  "README.md": [
    async ({ page }) => {
      const { query, key } = await numbersOf(page, "wf-turning-pairs");
      assert.deepEqual([query, key], [20, 4]);
    },
  ],
  "docs/install.md": [
    ({ page }) => drawsOneOf(page),
    ({ logs }) =>
      until(
        () => logs,
        ([variant]) => variant === "simd",
        "the variant",
      ),
  ],
  "docs/guides/elements.md": [
    ({ page }) => drawsOneOf(page),
    async ({ page }) => {
      const { query, key } = await numbersOf(page, "wf-turning-pairs");
      assert.deepEqual([query, key], [20, 4]);
      const read = await numbersOf(page, "wf-real-heads");
      assert.deepEqual([read.layer, read.head], [2, 1]);
      assert.equal(read.tokens.join(""), "To be, or not to be");
      const { sums } = await numbersOf(page, "wf-score-terms");
      assert.deepEqual(
        sums.map(({ scheme }) => scheme),
        read.byScheme.map(({ scheme }) => scheme),
      );
    },
    async ({ page }) => {
      await drawsOneOf(page);
      const headings = (tag) => page.locator(`${tag} [part=heading]`);
      assert.equal(
        (await headings("wf-who-chases").textContent()).trim(),
        "Word order, seen by one head",
      );
      await numbersOf(page, "wf-turning-pairs");
      assert.equal(await headings("wf-turning-pairs").count(), 0);
      await numbersOf(page, "wf-causal-order");
      assert.equal(await page.locator("wf-causal-order [part=actions]").isVisible(), false);
    },
    async ({ page }) => {
      await drawsOneOf(page);
      const colours = await page
        .locator("wf-who-chases [part=heading]")
        .evaluateAll((all) => all.map((one) => getComputedStyle(one).color));
      assert.equal(colours.length, 2);
      assert.notEqual(colours[0], colours[1]);
    },
    async ({ page }) => {
      await numbersOf(page, "wf-attention-map");
      // The first token attends only to itself.
      await awaitText(page.locator("wf-attention-map .reading"), /row 1 .the. → column 1 .the./);
    },
  ],
  "docs/guides/tensors.md": [
    async ({ page }) => {
      const opacities = await until(
        () =>
          page.evaluate(() => {
            const canvas = document.querySelector("canvas");
            const { width, height } = canvas;
            const copy = new OffscreenCanvas(width, height).getContext("2d");
            copy.drawImage(canvas, 0, 0);
            const { data } = copy.getImageData(0, 0, width, height);
            const at = (x, y) => data[4 * (y * width + x) + 3];
            return [at(31, 31), at(30, 31), at(27, 31), at(32 + 15, 31), at(31, 0)];
          }),
        ([diagonal]) => diagonal > 0,
        "the map",
      );
      // Slopes 1/4 and 1/16; cells hidden by the causal mask are not drawn.
      const wanted = [1, Math.exp(-1 / 4), Math.exp(-1), Math.exp(-1), 0];
      for (const [index, share] of wanted.entries())
        assert.ok(Math.abs(opacities[index] - 255 * share) <= 1, `${opacities} at ${index}`);
    },
  ],
  "docs/guides/models.md": [
    async ({ page }) => {
      const [write, stop] = await page.locator("button").all();
      const text = () => page.locator("p").textContent();
      await until(
        () => page.evaluate(() => !!document.querySelector("button").onclick),
        Boolean,
        "a model",
      );
      await write.click();
      const begun = await until(text, (said) => said.length > 40, "a text");
      assert.ok(begun.startsWith("And God said"), begun);
      await stop.click();
      const stopped = await text();
      await page.locator("input").fill("In the beginning");
      await write.click();
      const again = await until(text, (said) => said.length > 40 && said !== stopped, "another");
      assert.ok(again.startsWith("In the beginning"), again);
    },
    async ({ page }) => {
      const has = () => page.evaluate(() => !!document.querySelector("button").onclick);
      await until(has, Boolean, "a model");
      await page.locator("button").click();
      await page.getByText(/^3\d × 3\d cells/).waitFor();
      await awaitText(page.locator("body > p"), /^In the beginning.{30}/);
    },
    async ({ page, logs }) => {
      const files = [
        "rope/config.json",
        "rope/model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
      ];
      await page.locator("input").setInputFiles(files.map((name) => join(published, name)));
      const numberOf = () => logs.map(Number).filter((share) => share > 0 && share <= 1);
      await until(
        () => logs,
        () => numberOf().at(-1) === 1,
        "all is loaded",
      );
      await until(
        () => logs,
        (said) => said.length > numberOf().length + 10,
        "a text",
      );
    },
    async ({ page }) => {
      const template = join(folder, "chat_template.jinja");
      writeFileSync(template, "{% for one in messages %}{{ one.content }}. {% endfor %}");
      const files = [
        "rope/config.json",
        "rope/model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
      ];
      const chosen = [...files.map((name) => join(published, name)), template];
      await page.locator("input[type=file]").setInputFiles(chosen);
      await page.locator("button:enabled").waitFor();
      await page.locator("input[name=said]").fill("And God said");
      const [send, stop] = await page.locator("button").all();
      await send.click();
      const talk = () => page.locator("#talk").textContent();
      const said = await until(talk, (text) => /Model: .{40}/s.test(text), "an answer");
      assert.match(said, /^You: And God saidModel: /);
      await stop.click();
      await page.locator("input[name=said]").fill("And the king");
      await send.click();
      await until(talk, (text) => /kingModel: .{40}/s.test(text), "a second answer");
    },
    {
      prepare: (page) => page.addInitScript(watchStorage),
      check: async ({ page, asked, missed }) => {
        const seen = await until(
          () => page.evaluate(() => window.seen),
          (seen) => seen.length > 1 && seen.at(-1).length === 0,
          "kept, deleted",
        );
        assert.ok(
          seen.some((names) => names.includes("model.safetensors")),
          `${seen}`,
        );
        assert.deepEqual(seen.at(-1), []);
        const fetched = asked.filter((url) => url.endsWith("models/rope/model.safetensors"));
        assert.equal(fetched.length, 1, `${fetched}`);
        // Optional files of a model's folder.
        const names = ["tokenizer", "tokenizer_config", "generation_config"];
        const optional = [...names.map((name) => `${name}.json`), "chat_template.jinja"];
        const isOptional = (text) => optional.some((name) => text.endsWith(`/${name}`));
        missed.splice(0, missed.length, ...missed.filter((text) => !isOptional(text)));
      },
    },
  ],
  "docs/guides/training.md": [
    async ({ page }) => {
      const count = () =>
        page.evaluate(
          () => document.querySelector("polyline").getAttribute("points")?.split(" ").length ?? 0,
        );
      await until(count, (points) => points >= 20, "a line");
      await page.locator("button").click();
      // Updates on their way still arrive; then training has ended.
      await page.locator("button:disabled").waitFor();
      const last = await count();
      assert.ok(last < 300, `${last} steps`);
    },
  ],
};

for (const name of pages) {
  const programs = programsOf(name);
  test(`${name}: each of its pages has a check here`, () => {
    assert.equal(checks[name]?.length ?? 0, programs.length);
  });
  for (const [index, one] of (checks[name] ?? []).entries())
    test(`${name}: page ${index + 1} works`, async () => {
      const logs = [];
      const asked = [];
      const missed = [];
      const { check, prepare: also } = typeof one === "function" ? { check: one } : one;
      const prepare = (page) => {
        page.on("console", (message) => message.type() === "log" && logs.push(message.text()));
        page.context().on("request", (request) => asked.push(request.url()));
        // This server has no policy and does not report missing files, so failed responses are
        // collected here.
        page.on("response", (response) => {
          const status = response.status();
          if (status >= 400) missed.push(`status ${status}: ${response.url()}`);
        });
        return also?.(page);
      };
      const { page, complaints, close } = await openPage(
        { ...session, address: server.address },
        { hash: fileOf(name, index), prepare, isAlone: true },
      );
      await check({ page, logs, asked, missed });
      assert.deepEqual(complaints, []);
      assert.deepEqual(missed, []);
      const isForeign = (url) => !/^(?:data|blob):/.test(url) && !url.startsWith(server.address);
      assert.deepEqual(asked.filter(isForeign), []);
      await close();
    });
}

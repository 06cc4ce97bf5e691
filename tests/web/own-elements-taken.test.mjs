// Elements for the reader's own numbers: two on a page, events of changes, saved files, tables.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brokenRules } from "./access-rules.mjs";
import { awaitText, numbersOf, openPage, settled } from "./browser.mjs";
import { about, isDrawn, openOwnElements, set, tags } from "./own-elements-page.mjs";

const codes = fileURLToPath(new URL("../../build/figure-code/", import.meta.url));

let session;
before(async () => {
  mkdirSync(codes, { recursive: true });
  ({ session } = await openOwnElements("host-own-taken"));
});
after(() => session.close());

const opened = () => openPage(session, { hash: "own.html" });

let reader;
/** Opens the page for tests that set nothing: each opens other tables and code. */
const readerPage = async () => {
  reader ??= await opened();
  return reader.page;
};

const frameOf = (page, selector) =>
  page.locator(selector).evaluate((node) => {
    const { heading, caption, note } = node.shadowRoot.querySelector("wf-frame");
    return { heading, caption, note };
  });

/**
 * Returns the file that a figure saves, from the link that it clicks, because Chromium drops a
 * frame's eleventh download within a second. takeaway.test.mjs tests downloads.
 */
async function taken(page, selector, kind) {
  await page.evaluate(() => {
    const files = new Map();
    const { createObjectURL } = URL;
    const { click } = HTMLAnchorElement.prototype;
    URL.createObjectURL = (file) => {
      const address = createObjectURL(file);
      files.set(address, file);
      return address;
    };
    window.taken = new Promise((resolve) => {
      HTMLAnchorElement.prototype.click = function () {
        URL.createObjectURL = createObjectURL;
        HTMLAnchorElement.prototype.click = click;
        resolve(files.get(this.href).text());
      };
    });
  });
  await page.locator(`${selector} wf-takeaway button.${kind}`).click();
  return page.evaluate(() => window.taken);
}

test("two elements of one tag are independent, and one inserted again is as it was", async () => {
  const { page, close } = await opened();
  for (const tag of tags.filter(isDrawn)) {
    await numbersOf(page, `${tag}#en`);
    await numbersOf(page, `${tag}#zh`);
    const [en, zh] = [await frameOf(page, `${tag}#en`), await frameOf(page, `${tag}#zh`)];
    assert.doesNotMatch(en.heading + en.caption + en.note, /\p{Script=Han}/u, tag);
    assert.match(zh.heading + zh.caption, /\p{Script=Han}/u, tag);
  }
  const dials = "wf-rotation-dials";
  await set(page, `${dials}#en`, { position: 7 });
  await awaitText(page.locator(`${dials}#en h3`), /At position 7/);
  assert.equal(await page.locator(`${dials}#zh`).evaluate((node) => node.position), 40);
  await page.locator(`${dials}#en`).evaluate((node) => {
    const { parentNode } = node;
    node.remove();
    node.dim = 32;
    parentNode.append(node);
  });
  await numbersOf(page, `${dials}#en`, ({ after }) => Object.keys(after).length === 16);
  await awaitText(page.locator(`${dials}#en h3`), /At position 7: where 16 pairs point/);
  await close();
});

test("a reader's changes fire wf-change, a program's do not", async () => {
  const { page, close } = await opened();
  await page.evaluate(() => {
    window.told = [];
    document.addEventListener("wf-change", ({ target, detail }) =>
      window.told.push([target.localName, detail]),
    );
  });
  await numbersOf(page, "wf-rotation-dials#en");
  await set(page, "wf-rotation-dials#en", { position: 3 });
  const slider = page.locator("wf-rotation-dials#en wf-slider.position input");
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await numbersOf(page, "wf-bias-by-distance#en");
  await page.locator("wf-bias-by-distance#en wf-choice.head label").nth(2).click();
  assert.deepEqual(await page.evaluate(() => window.told), [
    ["wf-rotation-dials", { position: 4 }],
    ["wf-bias-by-distance", { head: 2 }],
  ]);
  await close();
});

test("pictures and data can be saved, and saved data can be read again", async () => {
  const { page, complaints, close } = await opened();
  for (const tag of tags.filter(isDrawn)) {
    await numbersOf(page, `${tag}#en`);
    const svg = await taken(page, `${tag}#en`, "svg");
    assert.match(svg, /^<svg /, tag);
    assert.doesNotMatch(svg, /NaN|undefined/, tag);
    const png = await taken(page, `${tag}#en`, "png");
    assert.equal(png.slice(1, 4), "PNG", tag);
    assert.ok((await taken(page, `${tag}#en`, "csv")).split("\r\n").length > 3, tag);
  }
  const before = await numbersOf(page, "wf-bias-by-distance#en");
  const csv = await taken(page, "wf-bias-by-distance#en", "csv");
  await page.route("**/taken.csv", (route) => route.fulfill({ body: csv }));
  await set(page, "wf-bias-by-distance#en", { src: "taken.csv" });
  const after = await numbersOf(page, "wf-bias-by-distance#en", ({ scheme }) => !scheme);
  assert.deepEqual(
    after.lines.map(({ values }) => values),
    before.lines.map(({ values }) => values),
  );
  assert.deepEqual(complaints, []);
  await close();
});

/** Returns the numbers at the ends of the lines that a figure's code prints. */
async function printed(page, selector) {
  await page.locator(`${selector} wf-takeaway button.code`).click();
  const code = await page.locator(`${selector} wf-takeaway code`).textContent();
  const file = `${codes}${selector.split("#")[0]}.mjs`;
  writeFileSync(file, code);
  const { stdout } = await promisify(execFile)(process.execPath, [file], { encoding: "utf8" });
  return stdout
    .trim()
    .split("\n")
    .map((line) => Number(line.split(" ").at(-1)));
}

test("the code that an element shows prints its numbers", async () => {
  const page = await readerPage();
  const rows = await numbersOf(page, "wf-encoding-heatmap#en");
  const corners = [0, 12, 23].flatMap((position) =>
    [0, 7].map((channel) => rows.values[position * 8 + channel]),
  );
  for (const [at, value] of (await printed(page, "wf-encoding-heatmap#en")).entries())
    about(value, corners[at]);
  const { lines } = await numbersOf(page, "wf-bias-by-distance#en");
  const ends = lines.flatMap(({ values }) => [values[0], values.at(-1)]);
  for (const [at, value] of (await printed(page, "wf-bias-by-distance#en")).entries())
    about(value, ends[at]);
  for (const tag of ["wf-rotation-dials", "wf-frequency-chart"]) {
    const { after } = await numbersOf(page, `${tag}#en`);
    const found = await printed(page, `${tag}#en`);
    assert.deepEqual(found, Object.values(after));
  }
  const { caches } = await numbersOf(page, "wf-cache-bars#en");
  assert.deepEqual(
    await printed(page, "wf-cache-bars#en"),
    caches.map(({ numbers }) => numbers),
  );
});

test("the code of elements with a text, or with measured data, prints their numbers", {
  skip: ["wf-weight-by-distance", "wf-loss-by-length", "wf-logit-terms"].every(isDrawn)
    ? false
    : "the models are not trained yet",
}, async () => {
  const page = await readerPage();
  for (const tag of ["wf-weight-by-distance", "wf-logit-terms"]) {
    const { answer } = await numbersOf(page, `${tag}#en`);
    const found = await printed(page, `${tag}#en`);
    assert.equal(found.length, answer.schemes.length);
    for (const [at, value] of found.entries())
      about(value, Object.values(answer.maps[at].values).at(-1));
  }
  const { lines } = await numbersOf(page, "wf-loss-by-length#en");
  const losses = await printed(page, "wf-loss-by-length#en");
  assert.equal(losses.length, lines.length);
  for (const [at, loss] of losses.entries()) about(loss, lines[at].values.at(-1));
});

test("the heatmap has a table of evenly spaced rows, in both languages", async () => {
  const page = await readerPage();
  for (const [id, label] of [
    ["en", "The numbers as a table, evenly spread"],
    ["zh", "数值表（均匀抽取）"],
  ]) {
    const { values, channels, length } = await numbersOf(page, `wf-encoding-heatmap#${id}`);
    const figure = page.locator(`wf-encoding-heatmap#${id}`);
    await figure.getByText(label, { exact: true }).click();
    const rows = figure.locator("tbody tr");
    const last = await rows.last().locator("th, td").allTextContents();
    assert.equal(last[0], String(length - 1));
    const numbers = last.slice(1).map((text) => Number(text.replace("−", "-")));
    assert.ok(Math.abs(numbers.at(-1) - values[length * channels - 1]) < 0.01, `${last}`);
  }
});

test("a table has the picture's numbers, and its cells are walked by keys", async () => {
  const page = await readerPage();
  await numbersOf(page, "wf-cache-bars#en");
  await page.locator("wf-cache-bars#en summary").click();
  const table = page.locator("wf-cache-bars#en table");
  const cells = await table.locator("tbody tr").last().locator("th, td").allTextContents();
  assert.deepEqual(
    cells.map((text) => text.replace("\u00a0", " ")),
    ["MLA", "160", "640 B", "83.9 MB"],
  );
  const cell = page.locator("wf-cache-bars#en wf-scene [role=gridcell]").first();
  await cell.focus();
  await page.keyboard.press("ArrowDown");
  await awaitText(
    page.locator("wf-cache-bars#en wf-scene [role=status]").first(),
    /^GQA: 2.05 KB a token/,
  );
});

test("selecting a cell fires wf-pick, with the figure's numbers", async () => {
  const { page, close } = await opened();
  await page.evaluate(() => {
    window.picked = [];
    document.addEventListener("wf-pick", ({ target, detail }) =>
      window.picked.push([target.localName, detail]),
    );
  });
  const found = {};
  for (const tag of tags.filter(isDrawn)) {
    await numbersOf(page, `${tag}#en`);
    // Moving the pointer selects nothing.
    const cell = page.locator(`${tag}#en [role=gridcell]`).first();
    await cell.focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((name) => window.picked.at(-1)?.[0] === name, tag);
    found[tag] = (await page.evaluate(() => window.picked.at(-1)))[1];
  }
  const data = (tag) => numbersOf(page, `${tag}#en`);
  const rows = await data("wf-encoding-heatmap");
  const { position, channel, value } = found["wf-encoding-heatmap"];
  assert.equal(value, rows.values[position * rows.channels + channel]);
  assert.ok(position + channel > 0);
  const { caches } = await data("wf-cache-bars");
  assert.equal(found["wf-cache-bars"].cache, caches[1].name);
  assert.equal(found["wf-cache-bars"].numbers_a_token_and_layer, caches[1].numbers);
  for (const tag of ["wf-bias-by-distance", "wf-weight-by-distance", "wf-loss-by-length"]) {
    if (!isDrawn(tag)) continue;
    const { x, lines } = await data(tag);
    const { name, x: at, value: number } = found[tag];
    // A curve without a name has the name that the picture shows.
    assert.deepEqual([name, at], [lines[1].name || "head 2", x[1]], tag);
    assert.equal(number, lines[1].values[1], tag);
  }
  const { after } = await data("wf-frequency-chart");
  const { pair, tokens_a_turn_now: turn } = found["wf-frequency-chart"];
  about(turn, (2 * Math.PI) / after[pair - 1]);
  const dials = await data("wf-rotation-dials");
  const dial = found["wf-rotation-dials"];
  assert.equal(dial.radians_a_position, dials.after[dial.pair - 1]);
  if (isDrawn("wf-logit-terms")) {
    const { totals } = await data("wf-logit-terms");
    const { key, score } = found["wf-logit-terms"];
    assert.equal(score, totals[key]);
  }
  await close();
});

test("no rule of axe is broken, light or dark, and nothing is wider than a phone", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const { page, close } = await openPage(session, {
      hash: "own.html",
      width: 390,
      colorScheme,
      bypassCSP: true,
    });
    for (const tag of tags.filter(isDrawn))
      for (const id of ["en", "zh"]) await numbersOf(page, `${tag}#${id}`);
    await settled(page.locator("main"));
    assert.deepEqual(await brokenRules(page, "main"), []);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `the page is ${wide} px wide`);
    await close();
  }
});

// Files and code that a reader saves: pictures, data, code, link.
import assert from "node:assert/strict";
import { buffer } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { follow, fragment, numbersOf, openBrowser, openPage, pathOfFigure } from "./browser.mjs";

let session;
let reader;
before(async () => {
  session = await openBrowser();
  reader = await openPage(session, { path: pathOfFigure("wf-who-chases") });
});
after(() => session.close());

/** Resets the shared page to its first state; returns the first figure's numbers. */
async function atBeginning() {
  const { page, complaints } = reader;
  await follow(page, fragment("en"));
  const data = await numbersOf(page, "wf-who-chases", ({ tokensA }) => tokensA[0] === "cat");
  return { page, complaints, data };
}

async function download(page, kind) {
  const figure = page.locator("wf-who-chases");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    figure.locator(`wf-takeaway button.${kind}`).click(),
  ]);
  return { name: file.suggestedFilename(), content: await buffer(await file.createReadStream()) };
}

test("picture and data of a figure can be saved", async () => {
  const { page, complaints, data } = await atBeginning();
  const csv = await download(page, "csv");
  assert.equal(csv.name, "whereformer-chase.csv");
  const lines = csv.content
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trim()
    .split("\r\n");
  assert.equal(lines.length, 1 + 3 * 9);
  assert.equal(lines[0], "map,row,query,column,key,weight");
  assert.equal(Number(lines[1].split(",").at(-1)), data.mapA[0]);
  const svg = (await download(page, "svg")).content.toString("utf8");
  assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  assert.match(svg, />chases<\/text>/);
  const heading = await page.locator("wf-who-chases h3").textContent();
  assert.ok(svg.includes(`>${heading.trim().split(" ").slice(0, 3).join(" ")}`), "its title");
  assert.match(svg, />[\d.]+\s+attention weight/, "its scale");
  assert.doesNotMatch(svg, /NaN|undefined/);
  const parsed = await page.evaluate(
    (text) =>
      new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror") === null,
    svg,
  );
  assert.ok(parsed);
  const png = (await download(page, "png")).content;
  assert.deepEqual([...png.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  assert.deepEqual(complaints, []);
});

test("the actions of a figure are visible before the pointer is over it", async () => {
  const { page } = await atBeginning();
  await page.mouse.move(0, 0);
  const line = page.locator("wf-who-chases wf-takeaway");
  assert.equal(await line.evaluate((node) => getComputedStyle(node).opacity), "1");
  assert.ok(await line.locator("button.code").isVisible());
});

test("the code of a figure is shown, and contains its tokens and its scheme", async () => {
  const { page } = await atBeginning();
  const figure = page.locator("wf-who-chases");
  await figure.locator("wf-takeaway button.code").click();
  const code = await figure.locator("wf-takeaway code").textContent();
  await figure.locator("wf-takeaway button.code").click();
  assert.match(code, /import \{ load \} from "whereformer"/);
  assert.match(code, /cat chases mouse/);
  assert.match(code, /scheme: "nope"/);
});

test("the link contains the state", async () => {
  const { page } = await atBeginning();
  await page.locator("wf-who-chases input[type=text]").fill("dog bites man");
  await numbersOf(page, "wf-who-chases", ({ tokensA }) => tokensA[0] === "dog");
  await page.locator("wf-who-chases wf-takeaway button.link").click();
  await page.waitForFunction(() => location.hash.includes("at=chase"));
  const { hash } = new URL(page.url());
  assert.ok(hash.includes("at=chase") && hash.length < 200, hash);
});

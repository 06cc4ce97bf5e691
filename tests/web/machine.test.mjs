// The machine with three sockets: which schemes plug in where, by the engine and by key.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { awaitText, follow, fragment, numbersOf, openBrowser, openPage } from "./browser.mjs";
import { runCodeOf } from "./figure-code.mjs";

const tag = "wf-machine";
const root = fileURLToPath(new URL("../../", import.meta.url));
const { load } = await import(`${root}dist/index.js`);
const sockets = ["word", "rotation", "bias"];

let session;
let reader;
before(async () => {
  session = await openBrowser();
  reader = await openPage(session);
});
after(() => session.close());

const picturedMarks = (page) =>
  page.locator(`${tag} wf-scene`).evaluate(async (view) => {
    await view.updateComplete;
    const { marks, width } = view.picture;
    return { marks, width };
  });

/** The circles that are filled with the colour of positions: the sockets that are lit. */
async function litCircles(page) {
  const { marks } = await picturedMarks(page);
  const colour = await page
    .locator(tag)
    .evaluate((figure) => figure.shadowRoot.querySelector("wf-scene").palette.position);
  return marks.filter(({ fill, width, kind }) => kind === "path" && fill === colour && width === 2);
}

test("each scheme stands at the sockets that act on a vector, an angle or a score", async () => {
  const wf = await load({ wasm: readFileSync(`${root}dist/simd.wasm`), variant: "simd" });
  const { schemes, counts } = await numbersOf(reader.page, tag);
  assert.equal(counts.all, wf.schemes.length);
  for (const { id, family } of wf.schemes) {
    const found = sockets.filter((socket) => schemes[socket].includes(id));
    assert.equal(schemes.none.includes(id), !found.length, id);
    const expected = {
      none: [],
      absolute: ["word"],
      relative: ["bias"],
      rotary: ["rotation"],
      latent: ["rotation"],
    }[family];
    if (expected) assert.deepEqual(found, expected, id);
  }
  // Of the schemes for grids, in the order of the list: vectors, vectors, angles, biases.
  const grids = wf.schemes.filter(({ family }) => family === "grid").map(({ id }) => id);
  const at = grids.map((id) => sockets.filter((socket) => schemes[socket].includes(id)).join());
  assert.deepEqual(at, ["word", "word", "rotation", "bias"]);
  assert.equal(counts.steady.word, 0);
  assert.equal(counts.steady.rotation, counts.at.rotation);
});

test("the schemes named at a socket are among those that plug in there", async () => {
  const { schemes } = await numbersOf(reader.page, tag);
  for (const [socket, ids] of Object.entries({
    word: ["sinusoidal", "learned"],
    rotation: ["rope"],
    bias: ["t5", "alibi", "kerple"],
  }))
    for (const id of ids) assert.ok(schemes[socket].includes(id), `${socket}: ${id}`);
  const { marks } = await picturedMarks(reader.page);
  const texts = marks.flatMap(({ text }) => text ?? []).join(" ");
  for (const name of ["sinusoids", "learned tables", "RoPE", "T5, ALiBi, KERPLE"])
    assert.ok(texts.includes(name), name);
});

test("no socket is lit at first; keys and words of the text light one", async () => {
  const { page, complaints } = reader;
  await follow(page, fragment("en"));
  await numbersOf(page, tag);
  assert.equal((await litCircles(page)).length, 0);
  const cell = page.locator(`${tag} [data-grid="sockets"]`);
  await cell.focus();
  await cell.press("ArrowRight");
  await awaitText(page.locator(`${tag} h3`), /query and key/i);
  assert.match(await cell.getAttribute("aria-label"), /RoPE/);
  // Query and key are rotated each by itself; the score is one.
  assert.equal((await litCircles(page)).length, 2);
  await page.waitForFunction(() => location.hash.includes("so=rotation"));
  await cell.press("ArrowRight");
  await awaitText(page.locator(`${tag} h3`), /score/);
  assert.equal((await litCircles(page)).length, 1);
  await page.locator('a[data-shows="machineSocket:word"]:visible').click();
  await awaitText(page.locator(`${tag} h3`), /word/);
  assert.equal((await litCircles(page)).length, 2);
  assert.deepEqual(complaints, []);
});

for (const [language, name] of [
  ["en", "ALiBi"],
  ["zh", "ALiBi"],
])
  test(`a pointer at a socket sees its schemes, and links lead to them, ${language}`, async () => {
    const { page } = reader;
    await follow(page, fragment(language, "&so=bias"));
    await numbersOf(page, tag, ({ socket }) => socket === "bias");
    const links = page.locator(`${tag} .lists p:visible a`);
    await awaitText(page.locator(`${tag} .lists p:not([hidden])`), new RegExp(name));
    const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    const { schemes } = await page.locator(tag).evaluate((figure) => figure.data);
    const folder = language === "zh" ? "zh/schemes/" : "schemes/";
    assert.deepEqual(hrefs, [...schemes.bias.map((id) => `${folder}${id}/`), "#distance"]);
    const scene = page.locator(`${tag} wf-scene`);
    const { x, y, width, height } = await scene.boundingBox();
    await page.mouse.move(x + (width * 5.5) / 7, y + height / 2);
    await page.waitForFunction((view) => view.active !== undefined, await scene.elementHandle());
    const { marks } = await picturedMarks(page);
    assert.ok(marks.some(({ text }) => text?.includes(name)));
    await page.mouse.move(0, 0);
  });

test("the heights stay while sockets are chosen, on a phone too", async () => {
  for (const width of [1280, 390]) {
    const { page, close } = await openPage(session, { width });
    await numbersOf(page, tag);
    const heights = [];
    for (const socket of ["none", ...sockets]) {
      await follow(page, fragment("en", `&so=${socket}`));
      await numbersOf(page, tag, (data) => data.socket === socket);
      heights.push(
        await page.locator(tag).evaluate(async (figure) => {
          await figure.updateComplete;
          return Math.round(figure.querySelector("*")?.offsetHeight ?? figure.offsetHeight);
        }),
      );
    }
    assert.equal(new Set(heights).size, 1, `${width}: ${heights}`);
    await close();
  }
});

test("the code prints the sockets of each scheme", async () => {
  const { schemes } = await numbersOf(reader.page, tag);
  const lines = await runCodeOf(reader.page, tag);
  for (const line of lines) {
    const [id, ...found] = line.split(" ");
    assert.deepEqual(
      found,
      sockets.filter((socket) => schemes[socket].includes(id)),
      id,
    );
  }
});

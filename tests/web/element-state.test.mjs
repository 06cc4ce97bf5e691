// Figures in another page: each has a state of its own, set by attributes and properties.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { numbersOf, openBrowser, openPage } from "./browser.mjs";
import { buildHost, headOf } from "./host-page.mjs";

const pages = {
  state: [
    `${headOf("state")}<main>
<wf-turning-pairs id="a" query="30" base="1.0001" step="all"></wf-turning-pairs>
<wf-turning-pairs id="b" lang="zh"></wf-turning-pairs>
<wf-turning-pairs id="c" group="one"></wf-turning-pairs>
<wf-turning-pairs id="d" group="one" theme="dark"></wf-turning-pairs></main></html>`,
    'import "whereformer/elements/turning-pairs";\n',
  ],
  refused: [
    `${headOf("refused")}<wf-turning-pairs base="twelve"></wf-turning-pairs></html>`,
    'import "whereformer/elements/turning-pairs";\n',
  ],
  schemes: [
    `${headOf("schemes")}<wf-scheme id="none" scheme="twelve"></wf-scheme>
<wf-scheme id="first" lang="zh"></wf-scheme></html>`,
    'import "whereformer/elements/scheme";\n',
  ],
};

let session;
before(async () => {
  session = await openBrowser(await buildHost("host-state", pages));
});
after(() => session.close());

const opened = async (hash) => {
  const found = await openPage(session, { hash, height: 2400 });
  return { ...found, figure: (id) => found.page.locator(`#${id}`) };
};

test("attributes set the first state, and two figures do not follow each other", async () => {
  const { page, figure, complaints, close } = await opened("state.html");
  const first = await numbersOf(page, "#a");
  assert.deepEqual([first.query, first.key, first.theta], [30, 1, 1.0001]);
  assert.equal((await numbersOf(page, "#b")).query, 3);
  await figure("a").evaluate((node) => {
    node.key = 7;
  });
  assert.equal((await numbersOf(page, "#a", ({ key }) => key === 7)).query, 30);
  await figure("b").evaluate((node) => node.setAttribute("query", "20"));
  assert.equal((await numbersOf(page, "#b", ({ query }) => query === 20)).key, 1);
  assert.equal(await figure("a").evaluate((node) => node.query), 30);
  assert.deepEqual(complaints, []);
  await close();
});

test("figures of one group show the same state", async () => {
  const { page, figure, close } = await opened("state.html");
  await numbersOf(page, "#c");
  await figure("c").evaluate((node) => {
    node.query = 44;
  });
  for (const id of ["#c", "#d"]) await numbersOf(page, id, ({ query }) => query === 44);
  assert.equal(await figure("b").evaluate((node) => node.query), 3);
  // A figure that leaves the group loses its state.
  await figure("d").evaluate((node) => node.removeAttribute("group"));
  await numbersOf(page, "#d", ({ query }) => query === 3);
  await close();
});

test("a reader's changes fire one event, changes by a program none", async () => {
  const { page, figure, close } = await opened("state.html");
  await numbersOf(page, "#a");
  await page.evaluate(() => {
    window.told = [];
    document.addEventListener("wf-change", ({ target, detail }) =>
      window.told.push([target.id, detail]),
    );
    document.querySelector("#a").base = "10000";
  });
  await numbersOf(page, "#a", ({ theta }) => theta === 10000);
  await figure("a").locator("wf-choice.base label").first().click();
  await numbersOf(page, "#a", ({ theta }) => theta !== 10000);
  const told = await page.evaluate(() => window.told);
  const base = await figure("a").evaluate((node) => node.base);
  assert.deepEqual(told, [["a", { base }]]);
  await close();
});

test("a figure that is removed and inserted again keeps its state", async () => {
  const { page, figure, complaints, close } = await opened("state.html");
  await numbersOf(page, "#a");
  await figure("a").evaluate((node) => {
    node.query = 33;
    const { parentNode } = node;
    node.remove();
    node.key = 9;
    parentNode.append(node);
  });
  const { query, key } = await numbersOf(page, "#a", (data) => data.key === 9);
  assert.deepEqual([query, key], [33, 9]);
  assert.deepEqual(complaints, []);
  await close();
});

test("each figure follows the language and theme around it", async () => {
  const { page, figure, close } = await opened("state.html");
  const textOf = (id) =>
    figure(id).evaluate((node) => node.shadowRoot.querySelector("wf-frame").heading);
  for (const id of ["#a", "#b", "#d"]) await numbersOf(page, id);
  assert.doesNotMatch(await textOf("a"), /\p{Script=Han}/u);
  assert.match(await textOf("b"), /\p{Script=Han}/u);
  await page.evaluate(() => {
    document.querySelector("#b").lang = "en";
    document.querySelector("main").lang = "zh";
  });
  const isHan = (id, wanted) =>
    page.waitForFunction(
      ([one, has]) =>
        /\p{Script=Han}/u.test(
          document.querySelector(one).shadowRoot.querySelector("wf-frame").heading,
        ) === has,
      [id, wanted],
    );
  await isHan("#a", true);
  await isHan("#b", false);
  const inkOf = (id) => figure(id).evaluate((node) => getComputedStyle(node).color);
  const paletteOf = (id) =>
    figure(id)
      .locator("wf-scene")
      .first()
      .evaluate(async (scene) => {
        while (!scene.palette) await new Promise(requestAnimationFrame);
        return scene.palette.ink;
      });
  assert.notEqual(await inkOf("a"), await inkOf("d"));
  assert.notEqual(await paletteOf("a"), await paletteOf("d"));
  await close();
});

test("an invalid property gives a message in the figure until it is corrected", async () => {
  const { page, complaints, close } = await opened("refused.html");
  const figure = page.locator("wf-turning-pairs");
  const notice = figure.locator("wf-frame .failure");
  await notice.waitFor();
  // biome-ignore lint/performance/useDomNodeTextContent: only what is shown counts
  const said = await notice.innerText();
  assert.match(said, /base: "twelve" \(expected one of 1.0001, 10000/);
  await figure.evaluate((node) => {
    node.base = "10000";
  });
  await notice.waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
  await close();
});

test("an unknown scheme gives a message; without a scheme the default is shown", async () => {
  const { page, figure, complaints, close } = await opened("schemes.html");
  const notice = figure("none").locator(".failure");
  await notice.waitFor();
  assert.match(await notice.textContent(), /scheme: "twelve" \(expected one of .*alibi/);
  await figure("none").evaluate((node) => {
    node.scheme = "alibi";
  });
  await notice.waitFor({ state: "detached" });
  for (const id of ["none", "first"])
    await page.waitForFunction(
      (one) =>
        document.querySelector(`#${one}`).shadowRoot.querySelector("wf-scheme-portrait")?.data,
      id,
    );
  assert.deepEqual(complaints, []);
  await close();
});

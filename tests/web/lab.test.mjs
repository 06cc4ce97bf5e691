// Maps with zoom: the reader's numbers and the engine's, zoomed together, stored in the address.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  awaitText,
  bringIntoView,
  follow,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pageFolder,
  pathOfFigure,
} from "./browser.mjs";

const home = pathOfFigure("wf-lab");

const engine = fileURLToPath(new URL("../../dist/index.js", import.meta.url));
const has = (id) => existsSync(`${pageFolder}/models/${id}/model.safetensors`);
const skip = ["rope", "alibi"].every(has) ? false : "the models are not trained yet";
const lab = "wf-lab";
const map = "wf-attention-map";

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

const open = (more = "", { language = "en", ...options } = {}) =>
  openPage(session, { path: home, hash: fragment(language, more), ...options });

/** Waits until every map of a figure is painted: maps outside the window are not. */
async function painted(page, tag, count) {
  await page
    .locator(`${tag} wf-map-view`)
    .nth(count - 1)
    .scrollIntoViewIfNeeded();
  await page.waitForFunction(
    ([name, wanted]) => {
      const views = [...document.querySelector(name).shadowRoot.querySelectorAll("wf-map-view")];
      return views.length === wanted && views.every(({ frame, paints }) => frame && paints > 0);
    },
    [tag, count],
  );
}

const viewOf = (page, tag, index = 0) =>
  page
    .locator(`${tag} wf-map-view`)
    .nth(index)
    .evaluate(({ frame, link }) => ({ ...frame.view, active: link.active, whole: frame.isWhole }));

test("the lab's maps are the engine's numbers, and their difference is a map too", {
  skip,
}, async () => {
  const { page, complaints, close } = await open("&z=s~rope.alibi!l~2!h~1!d~1");
  const data = await numbersOf(page, lab, ({ layer }) => layer === 2);
  const { load } = await import(engine);
  const wf = await load();
  const n = data.tokens.length;
  const expected = [];
  for (const scheme of ["rope", "alibi"]) {
    const folder = `${pageFolder}/models/${scheme}`;
    const model = await wf.model({
      config: JSON.parse(readFileSync(`${folder}/config.json`, "utf8")),
      weights: readFileSync(`${folder}/model.safetensors`),
    });
    const result = model.run(data.ids, {
      record: ["weights"],
      region: { layers: [2], heads: [1] },
    });
    expected.push(result.weights.data);
  }
  await painted(page, lab, 3);
  const shown = await page
    .locator(`${lab} wf-map-view`)
    .evaluateAll((views) => views.map(({ frame }) => [...frame.pyramid.levels[0].values]));
  for (let row = 0; row < n; row++)
    for (let column = 0; column < n; column++) {
      const at = row * n + column;
      const isMasked = column > row;
      for (const [index, list] of [
        ...expected,
        expected[1].map((v, i) => v - expected[0][i]),
      ].entries())
        if (isMasked) assert.ok(Number.isNaN(shown[index][at]));
        else assert.ok(Math.abs(shown[index][at] - list[at]) < 1e-5, `${index} ${row} ${column}`);
    }
  assert.deepEqual(complaints, []);
  await close();
});

/** The map by word, as the package makes it, of one head of a trained model. */
async function wordsOf(id, data, layer, head) {
  const { byGroup, load } = await import(engine);
  const wf = await load();
  const folder = `${pageFolder}/models/${id}`;
  const model = await wf.model({
    config: JSON.parse(readFileSync(`${folder}/config.json`, "utf8")),
    weights: readFileSync(`${folder}/model.safetensors`),
  });
  const region = { layers: [layer], heads: [head] };
  const { weights } = model.run(data.ids, { record: ["weights"], region });
  let word = -1;
  // Every word but the first begins with a space.
  const groups = data.tokens.map((token, at) => (!at || token.startsWith(" ") ? ++word : word));
  return byGroup(weights, groups);
}

const said = {
  en: "Some words are several tokens: their columns are summed",
  zh: "有的词由几个词元组成：它们的列相加",
};

test("the lab reads a typed text by word, and tokens if the reader wants them", {
  skip,
}, async () => {
  const text = encodeURIComponent("the cat chases the mouse");
  for (const language of ["en", "zh"]) {
    const { page, complaints, close } = await open(`&z=t~${text}!s~rope!l~2!h~1`, { language });
    const data = await numbersOf(page, lab, ({ tokens }) => tokens.join("").includes("mouse"));
    const { data: expected, shape } = await wordsOf("rope", data, 2, 1);
    assert.deepEqual(shape.slice(-2), [5, 5]);
    assert.ok(data.tokens.length > 5);
    await painted(page, lab, 1);
    const view = page.locator(`${lab} wf-map-view`).first();
    const [rows, shown] = await view.evaluate(({ rows, frame }) => [
      rows,
      [...frame.pyramid.levels[0].values],
    ]);
    assert.deepEqual(rows, ["the", "cat", "chases", "the", "mouse"]);
    shown.forEach((value, at) => {
      if (at % 5 > Math.floor(at / 5)) assert.ok(Number.isNaN(value));
      else assert.ok(Math.abs(value - expected[at]) < 1e-5, `${at}`);
    });
    const figure = page.locator(lab);
    assert.ok(await figure.getByText(said[language]).isVisible());
    await figure.locator("wf-choice.by label").nth(1).click();
    await page.waitForFunction(
      ([tag, n]) =>
        document.querySelector(tag).shadowRoot.querySelector("wf-map-view").rows.length === n,
      [lab, data.tokens.length],
    );
    assert.equal(await figure.getByText(said[language]).count(), 0);
    await page.waitForFunction(() => /b(%7E|~)token/.test(location.hash));
    // Scores have no sum.
    await figure.locator("wf-choice.part label").nth(1).click();
    await figure.locator("wf-choice.by").waitFor({ state: "detached" });
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("the map by itself reads a text by word; given numbers stay as they are", {
  skip,
}, async () => {
  const { page, complaints, close } = await open();
  const figure = page.locator(map);
  await figure.evaluate((element) => {
    element.model = "rope";
    element.layer = 2;
    element.head = 1;
    element.text = "the cat chases the mouse";
  });
  await figure.scrollIntoViewIfNeeded();
  const data = await numbersOf(
    page,
    map,
    ({ answer, unit }) => unit === "word" && answer?.tokens.join("").includes("mouse"),
  );
  const { data: expected } = await wordsOf("rope", data.answer, 2, 1);
  const view = figure.locator("wf-map-view");
  await page.waitForFunction(
    (tag) =>
      document.querySelector(tag).shadowRoot.querySelector("wf-map-view")?.frame?.pyramid.levels[0]
        .rows === 5,
    map,
  );
  const shown = await view.evaluate(({ frame }) => [...frame.pyramid.levels[0].values]);
  shown.forEach((value, at) => {
    if (at % 5 <= Math.floor(at / 5)) assert.ok(Math.abs(value - expected[at]) < 1e-5, `${at}`);
  });
  assert.ok(await figure.getByText(said.en).isVisible());
  await figure.evaluate((element) => {
    element.weights = [
      [1, 0],
      [0.25, 0.75],
    ];
    element.tokens = [" ca", "t"];
  });
  const given = await numbersOf(page, map, ({ by }) => by === "given");
  assert.equal(given.unit, "token");
  await figure.locator("wf-choice.by label").first().click();
  await numbersOf(page, map, ({ unit }) => unit === "word");
  await page.waitForFunction(
    (tag) =>
      document.querySelector(tag).shadowRoot.querySelector("wf-map-view").rows.join() === "cat",
    map,
  );
  assert.deepEqual(complaints, []);
  await close();
});

test("space is reserved for a list of models that arrives late", { skip }, async () => {
  let release;
  const held = new Promise((resolve) => {
    release = resolve;
  });
  const prepare = (page) =>
    page.route("**/models/index.json", async (route) => {
      await held;
      await route.continue();
    });
  const { page, complaints, close } = await open("", { prepare, isAlone: true });
  await numbersOf(page, lab);
  // Returns the distance from the lab to the content below the list.
  const below = () =>
    page.locator(lab).evaluate((figure) => {
      const hint = figure.shadowRoot.querySelector(".hint");
      return hint.getBoundingClientRect().top - figure.getBoundingClientRect().top;
    });
  const models = page.locator(`${lab} wf-several.schemes input`);
  assert.equal(await models.count(), 0);
  const before = await below();
  release();
  await models.nth(10).waitFor();
  // With other fonts the list may have a row more or less.
  assert.ok(Math.abs((await below()) - before) < 40, `from ${before} to ${await below()}`);
  assert.deepEqual(complaints, []);
  await close();
});

test("a selected cell, and a zoom, apply to every map and to the address", {
  skip,
}, async () => {
  const { page, complaints, close } = await open("&z=n~128!s~rope.alibi");
  await numbersOf(page, lab, ({ tokens }) => tokens.length === 128);
  await painted(page, lab, 2);
  const cell = page.locator(`${lab} wf-map-view`).first().locator(".cell");
  await cell.focus();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight", "+", "+"])
    await page.keyboard.press(key);
  const status = page.locator(`${lab} wf-map-view`).first().locator("[role=status]");
  await awaitText(status, /^row 3 .* → column 2 .*: [\d.]/);
  const [first, second] = [await viewOf(page, lab, 0), await viewOf(page, lab, 1)];
  assert.deepEqual(first, second);
  assert.deepEqual(first.active, { row: 2, column: 1 });
  assert.ok(!first.whole && first.across < 128, `${first.across}`);
  await page.waitForFunction(() => /c%7E2\.1/.test(location.hash) && /v%7E/.test(location.hash));
  const { hash } = new URL(page.url());
  await close();
  const again = await openPage(session, { path: home, hash });
  await numbersOf(again.page, lab, ({ tokens }) => tokens.length === 128);
  await painted(again.page, lab, 2);
  const restored = await viewOf(again.page, lab, 1);
  assert.deepEqual(restored.active, first.active);
  assert.ok(Math.abs(restored.across - first.across) < 0.06, `${restored.across}`);
  await again.page.locator(`${lab} button.whole`).click();
  assert.ok((await viewOf(again.page, lab, 0)).whole);
  assert.deepEqual(complaints, []);
  await again.close();
});

test("content and position sum to the score, in an untrained layer, in Chinese on a phone", {
  skip,
}, async () => {
  const parts = {};
  const { page, complaints, close } = await open("", { language: "zh", width: 390, height: 800 });
  for (const part of ["sum", "content", "position"]) {
    await follow(page, fragment("zh", `&z=m~scheme!s~alibi!p~${part}`));
    const { maps, tokens } = await numbersOf(page, lab, (data) => data.part === part);
    parts[part] = Object.values(maps[0].values);
    assert.equal(parts[part].length, tokens.length ** 2);
    if (part === "sum") {
      await painted(page, lab, 1);
      await awaitText(page.locator(`${lab} .reading`), /^共 \d+ 个词元/);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 390, `the page is ${wide} px wide`);
    }
  }
  assert.deepEqual(complaints, []);
  await close();
  for (const [at, sum] of parts.sum.entries())
    if (Number.isFinite(sum))
      assert.ok(Math.abs(parts.content[at] + parts.position[at] - sum) < 1e-4, `${at}`);
});

test("own numbers: heads, tokens, a cell, a file, messages in place, both languages", async () => {
  const { page, complaints, close } = await open();
  await numbersOf(page, map);
  await page.locator(map).evaluate((figure) => {
    figure.weights = [
      [
        [1, 0],
        [0.25, 0.75],
      ],
      [
        [1, 0],
        [0.5, 0.5],
      ],
    ];
    figure.tokens = ["who", "whom"];
  });
  await numbersOf(page, map, ({ heads, rows }) => heads === 2 && rows === 2);
  await painted(page, map, 1);
  const cell = page.locator(`${map} .cell`).last();
  await cell.focus();
  await page.keyboard.press("ArrowDown");
  await awaitText(page.locator(`${map} .reading`), "row 2 whom → column 1 who: 0.25");
  await page.locator(map).evaluate((figure) => {
    figure.head = 1;
  });
  await awaitText(page.locator(`${map} .reading`), "row 2 whom → column 1 who: 0.5");

  // Fewer numbers than tokens need are refused with a message in the picture's place.
  await page.locator(map).evaluate((figure) => {
    figure.tokens = ["who", "whom", "why"];
  });
  await awaitText(
    page.locator(`${map} .failure`),
    /tokens: \["who", "whom", "why"\] \(expected a list of 2 texts/,
  );
  await page.locator(map).evaluate((figure) => {
    figure.lang = "zh";
    figure.requestUpdate();
    figure.tokens = undefined;
  });
  await numbersOf(page, map, ({ rowLabels }) => rowLabels.every((label) => label === ""));

  const requests = [];
  page.on("request", (request) => requests.push(request.method()));
  await page.locator(`${map} input[type=file]`).setInputFiles({
    name: "own.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(",a,b\nx,0.5,\ny,0.125,1\n"),
  });
  const own = await numbersOf(page, map, ({ title }) => title === "own.csv");
  assert.deepEqual(
    [own.rowLabels, own.columnLabels],
    [
      ["x", "y"],
      ["a", "b"],
    ],
  );
  await awaitText(page.locator(`${map} h3`), "你自己的图：own.csv");
  await page.locator(`${map} input[type=file]`).setInputFiles({
    name: "bad.npy",
    mimeType: "application/octet-stream",
    buffer: Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 255]),
  });
  await awaitText(page.locator(`${map} .failure`), /不是一张由数字组成的图.*ends inside its head/);
  assert.deepEqual(
    requests.filter((method) => method !== "GET"),
    [],
  );
  assert.deepEqual(complaints, []);
  await close();
});

test("maps of one group show the same part, also after being moved", async () => {
  const { page, complaints, close } = await open();
  await numbersOf(page, map);
  await page.evaluate((tag) => {
    const [first] = document.querySelectorAll(tag);
    const data = Float32Array.from({ length: 64 * 64 }, (_, at) => (at % 64) / 64);
    first.group = "pair";
    first.weights = { data, shape: [64, 64] };
    const second = document.createElement(tag);
    second.id = "second";
    second.group = "pair";
    second.weights = { data, shape: [64, 64] };
    second.minus = { data: data.map((value) => value / 2), shape: [64, 64] };
    first.after(second);
  }, map);
  await bringIntoView(page.locator("#second"));
  await page.waitForFunction(() => document.querySelector("#second").data);
  await painted(page, "#second", 1);
  await page.locator("#second button.closer").click();
  await page.waitForFunction((tag) => {
    const views = [document.querySelector(tag), document.querySelector("#second")].map(
      ({ shadowRoot }) => shadowRoot.querySelector("wf-map-view"),
    );
    return views.every(({ frame, link }) => frame && link.view?.across === 32);
  }, map);
  // The difference has its own scale, symmetric about zero.
  const scale = await page
    .locator("#second wf-scale")
    .evaluate(({ signed, low, high }) => ({ signed, low, high }));
  assert.deepEqual(scale, { signed: true, low: "−0.5", high: "+0.5" });
  const before = await page.locator("#second wf-map-view").evaluate(({ paints }) => paints);
  await page.evaluate(() => {
    const second = document.querySelector("#second");
    const { parentNode, nextSibling } = second;
    second.remove();
    parentNode.insertBefore(second, nextSibling);
  });
  await bringIntoView(page.locator("#second"));
  await page.locator("#second button.farther").click();
  await page.waitForFunction(
    (count) =>
      document.querySelector("#second").shadowRoot.querySelector("wf-map-view").paints > count,
    before,
  );
  assert.deepEqual(complaints, []);
  await close();
});

test("surgery in the lab: the changed map equals the engine's, and is in the address", {
  skip,
}, async () => {
  const { page, complaints, close } = await open("&z=s~alibi.rope!l~2!h~1!d~1");
  await numbersOf(page, lab, ({ layer }) => layer === 2);
  // By keyboard alone: the surgery, the model, the term, the layer.
  const choose = async (name, value) => {
    const input = page.locator(`${lab} wf-choice.${name} input[value="${value}"]`);
    await input.focus();
    await page.keyboard.press("Space");
  };
  await choose("operation", "zero");
  await page.locator(`${lab} wf-choice.operated`).waitFor();
  await choose("operated", "rope");
  await choose("scope", "head");
  const { operated, ids, tokens } = await numbersOf(
    page,
    lab,
    (data) => data.operated?.inForce?.where === "head" && data.operated.scheme === "rope",
  );
  const { load } = await import(engine);
  const wf = await load();
  const folder = `${pageFolder}/models/rope`;
  const model = await wf.model({
    config: JSON.parse(readFileSync(`${folder}/config.json`, "utf8")),
    weights: readFileSync(`${folder}/model.safetensors`),
  });
  const request = { record: ["weights"], region: { layers: [2], heads: [1] } };
  const before = model.run(ids, request).weights.data;
  const surgery = { layers: [2], heads: [1], zero: [operated.inForce.value] };
  const after = model.run(ids, { ...request, surgery }).weights.data;
  assert.ok(after.some((value, at) => Math.abs(value - before[at]) > 1e-3));
  await painted(page, lab, 4);
  const shown = await page
    .locator(`${lab} wf-map-view`)
    .evaluateAll((views) => views.map(({ frame }) => [...frame.pyramid.levels[0].values]));
  const n = tokens.length;
  for (let row = 0; row < n; row++)
    for (let column = 0; column <= row; column++) {
      const at = row * n + column;
      const expected = [before[at], after[at], after[at] - before[at]];
      for (const [index, number] of expected.entries())
        assert.ok(Math.abs(shown[index + 1][at] - number) < 1e-5, `${index} ${row} ${column}`);
    }
  await awaitText(page.locator(`${lab} .reading`), /Without “.+” in layer 3, head 2, .*from \d/);
  for (const { before: own, after: changed } of operated.losses) assert.notEqual(own, changed);
  await page.waitForFunction(() =>
    [/o%7Ezero/, /e%7Erope/, /q%7Ehead/].every((part) => part.test(location.hash)),
  );
  const { hash } = new URL(page.url());
  assert.deepEqual(complaints, []);
  await close();

  const again = await openPage(session, { path: home, hash: hash.replace("l=en", "l=zh") });
  await numbersOf(again.page, lab, (data) => data.operated?.inForce?.where === "head");
  await awaitText(again.page.locator(`${lab} .reading`), /拿掉“.+”（第 3 层第 2 个头）/);
  await awaitText(again.page.locator(`${lab} h4`).nth(2), /改动后/);
  assert.deepEqual(again.complaints, []);
  await again.close();
});

test("a moved token keeps its new position; a missing position gives a message", {
  skip: skip || (has("learned") ? false : "the models are not trained yet"),
}, async () => {
  const { page, complaints, close } = await open("&z=n~512!s~rope.alibi!o~move!k~300!a~3");
  const { operated } = await numbersOf(page, lab, (data) => data.operated?.values);
  assert.deepEqual([operated.inForce.token, operated.inForce.to], [299, 302]);
  assert.deepEqual(operated.losses, []);
  await awaitText(page.locator(`${lab} .reading`), /no window of the held-out text is so long/);
  await follow(page, fragment("en", "&z=n~128!s~learned.rope!o~move!k~128!a~5"));
  const isOther = ({ operated: now, maps }) => now?.inForce && maps[0].scheme === "learned";
  const own = await numbersOf(page, lab, isOther);
  // The last position: a token does not move beyond the trained length.
  assert.equal(own.operated.inForce.to, 127);
  assert.deepEqual(complaints, []);
  await close();
});

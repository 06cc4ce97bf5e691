// "Write your own": formulas of the reader, and the classics as formulas.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { load } from "../../dist/index.js";
import {
  awaitNumbers,
  awaitText,
  follow,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pathOfFigure,
} from "./browser.mjs";
import { runCodeOf } from "./figure-code.mjs";
import { buildHost, headOf as pageOf } from "./host-page.mjs";

const tag = "wf-formula";
const home = pathOfFigure(tag);
const [heads, channels, tokens] = [4, 16, 48];
const list = (numbers) => Object.values(numbers);

let session;
let page;
let complaints;
before(async () => {
  session = await openBrowser();
  ({ page, complaints } = await openPage(session, { path: home }));
});
after(() => session.close());

const largest = (a, b) =>
  list(a).reduce((most, value, at) => {
    const other = b[at];
    const difference = value === other ? 0 : Math.abs(value - other);
    return Math.max(most, difference);
  }, 0);

async function figureAt(more, ready = () => true, language = "en") {
  await follow(page, fragment(language, more));
  return numbersOf(page, tag, ready);
}

/** The editor of a part of the encoding, when it has replaced the text area. */
const editorOf = (on, part) =>
  on.locator(`${tag} wf-formula-field${part ? `.${part}` : ""} .cm-content`);

const ofPreset = (name, part) => (data) => data.written[part]?.includes(name) ?? false;

/** The weights of a scheme of this project among equal words, to which it may add vectors. */
function builtIn(wf, id, more = {}) {
  const scheme = wf.scheme(id, { numHeads: heads, headDim: channels, ...more });
  const data = new Float32Array(heads * tokens * channels).fill(1);
  if (scheme.description.hooks.includes("embeddings")) {
    const rows = scheme.embeddings([...Array(tokens).keys()]).data;
    for (const at of data.keys()) {
      const head = Math.floor(at / channels / tokens);
      const token = Math.floor(at / channels) % tokens;
      data[at] += rows[(token * heads + head) * channels + (at % channels)];
    }
  }
  const x = { data, shape: [heads, tokens, channels] };
  const attention = wf.attention({ scheme, isCausal: true });
  return attention.run({ q: x, k: x, v: x, record: ["weights"] }).weights.data;
}

test("the classics: a formula has the weights of the scheme that is built in", async () => {
  const wf = await load();
  for (const [id, preset, part, sign, more] of [
    ["alibi", "alibi", "bias", "2^", {}],
    ["kerple", "kerple", "bias", "p[h]", { parameters: undefined }],
    ["t5", "t5", "bias", "bucket", { parameters: undefined }],
    ["rope", "rope", "frequency", "base", {}],
    ["xpos", "xpos", "queryScale", "s0", {}],
    ["sinusoidal", "sinusoidal", "add", "sin", {}],
    ["nope", "nope", "", "", {}],
  ]) {
    const isThere = part ? ofPreset(sign, part) : ({ written }) => !Object.keys(written).length;
    const { weights } = await figureAt(`&fp=${preset}`, isThere);
    const given = { ...more };
    if ("parameters" in given) {
      const plain = wf.scheme(id, { numHeads: heads, headDim: channels });
      const first = id === "t5" ? 0 : 1;
      given.parameters = Object.fromEntries(
        Object.entries(plain.parameters()).map(([name, { data, shape }]) => [
          name,
          { data: data.map(() => first), shape },
        ]),
      );
    }
    const expected = builtIn(wf, id, given);
    assert.ok(largest(weights, expected) < 1e-5, `${id}: ${largest(weights, expected)}`);
  }
});

test("a typed formula is drawn at once, and a slider moves the map and the address", async () => {
  await figureAt("");
  await editorOf(page, "bias").fill("-w * abs(r) / (h + 1)");
  await editorOf(page, "parameters").fill("frozen w = 1");
  const first = await numbersOf(page, tag, ofPreset("w = 1", "parameters"));
  assert.equal(first.refusal, undefined);
  const slider = page.locator(`${tag} wf-slider.w input`);
  await slider.fill("2");
  const moved = await awaitNumbers(page, tag, ofPreset("w = 2", "parameters"));
  const at = tokens * tokens - 1 - 8;
  assert.ok(Math.abs(first.added[at] + 8) < 1e-5 && Math.abs(moved.added[at] + 16) < 1e-5);
  assert.ok(largest(first.weights, moved.weights) > 0.1);
  await page.waitForFunction(() => new URLSearchParams(location.hash).get("fm") === "frozen w = 2");

  // The link carries the formula, and Back leads to the one before.
  const address = page.url();
  await figureAt("", ofPreset("2^", "bias"));
  await follow(page, new URL(address).hash);
  const again = await numbersOf(page, tag, ofPreset("w = 2", "parameters"));
  assert.equal(largest(again.weights, moved.weights), 0);
  assert.deepEqual(complaints, []);
});

test("an error marks its character and says what is expected; the last picture stays", async () => {
  const before = await figureAt("&fb=-abs(r)", ({ written }) => written.bias === "-abs(r)");
  const field = page.locator(`${tag} wf-formula-field.bias`);
  const editor = editorOf(page, "bias");
  await editor.fill("-abss(r) * 2");
  const wrong = await awaitNumbers(page, tag, ({ refusal }) => refusal !== undefined);
  assert.equal(largest(wrong.weights, before.weights), 0);
  assert.equal(wrong.refusal.part, "bias");
  assert.equal(await field.locator("mark").textContent(), "abss");
  await awaitText(
    field.locator(".remark"),
    'Character 2: "abss" (expected a function; did you mean abs?).',
  );
  assert.equal(await editor.getAttribute("aria-invalid"), "true");
  await awaitText(page.locator(`${tag} .reading`), /^The picture is of the last formulas/);
  await editor.fill("-abs(r) *");
  await awaitText(field.locator(".remark"), /^Character 10: end of formula/);
  await editor.fill("log(2 + r)");
  await awaitText(field.locator(".remark"), /log\(-1\) at i = 3, j = 0/);
  await editor.fill("-abs(r) * 2");
  const mended = await awaitNumbers(page, tag, ({ written }) => written.bias.endsWith("2"));
  assert.equal(mended.refusal, undefined);
  assert.equal(await field.locator("mark").count(), 0);

  const parameters = page.locator(`${tag} wf-formula-field.parameters`);
  for (const [text, marked] of [
    ["a[H] = 2^q", "q"],
    ["b = 1\na[H] =", "a[H] ="],
    ["a b", "a b"],
  ]) {
    await editorOf(page, "parameters").fill(text);
    await awaitNumbers(page, tag, ({ refusal }) => refusal?.part === "parameters");
    await awaitText(parameters.locator("mark"), marked);
  }
});

test("words of other languages, and names not yet declared, are answered with advice", async () => {
  const before = complaints.length;
  await figureAt("&fb=-abs(r)/3", (data) => data.written.bias === "-abs(r)/3" && !data.refusal);
  const remark = page.locator(`${tag} wf-formula-field.bias .remark`);
  for (const [text, advice] of [
    ["-w[h] * r", /expected a known name\)\. A name of your own needs a line below/],
    ["r = 0 ? 0 : 1", /compared with ==\.$/],
    ["r < 0 and r > 3 ? 0 : 1", /“And” is written &&/],
    ["-|r|", /written abs\(r\)\.$/],
    ["−abs(r)", /Minus is the - of the keyboard/],
    ["r**2", /A power is written r\^2\.$/],
    ["if (r < 3) 1", /condition \? value : other value\.$/],
    ["-log(abs(r))", /There the distance r is 0/],
  ]) {
    await editorOf(page, "bias").fill(text);
    await awaitText(remark, advice);
  }
  await figureAt("&fb=t*r&fm=t[H]=1", ofPreset("", "bias"));
  await awaitText(remark, /read with an index, such as w\[h\]\.$/);
  assert.equal(complaints.length, before);
});

test("what is being typed is completed, and Esc takes the offer away", async () => {
  await figureAt("&fb=-abs(r)&fm=frozen+slope+%3D+2", ofPreset("abs", "bias"));
  const editor = editorOf(page, "bias");
  const offered = page.locator(`${tag} wf-formula-field.bias .cm-tooltip-autocomplete li`);
  await editor.fill("");
  await editor.pressSequentially("-sl");
  await awaitText(offered, "slope");
  await page.keyboard.press("Enter");
  await awaitText(editor, "-slope");
  await page.keyboard.type(" * lo");
  await offered.nth(2).waitFor();
  assert.deepEqual(await offered.allTextContents(), ["log", "log1p", "logbucket"]);
  await offered.nth(1).click();
  await page.keyboard.type("(abs(r))");
  const { refusal } = await awaitNumbers(page, tag, ofPreset("log1p(abs(r))", "bias"));
  assert.equal(refusal, undefined);
  await page.keyboard.type(" + fl");
  await offered.first().waitFor();
  await page.keyboard.press("Escape");
  await offered.first().waitFor({ state: "detached" });
  // Without an offer, Tab leads on.
  await page.keyboard.press("Tab");
  assert.equal(await editor.evaluate((node) => node.matches(":focus")), false);
});

test("a change is undone, and no text is longer than an address carries", async () => {
  await figureAt("&fb=-abs(r)", ofPreset("abs", "bias"));
  const editor = editorOf(page, "bias");
  await editor.press("End");
  await page.keyboard.type(" * 2");
  await awaitText(editor, "-abs(r) * 2");
  await page.keyboard.press("ControlOrMeta+z");
  await awaitText(editor, "-abs(r)");
  await page.keyboard.insertText(` + ${"1".repeat(600)}`);
  await awaitText(editor, "-abs(r)");
});

test("if the editor's files do not arrive, a text area stays, and the error is told", async () => {
  const { page: other, close } = await openPage(session, {
    path: home,
    isAlone: true,
    prepare: (opened) => opened.route("**/*formula-editor*", (route) => route.abort()),
  });
  await numbersOf(other, tag);
  const field = other.locator(`${tag} wf-formula-field.bias`);
  await field.locator("textarea").fill("-abss(r)");
  await awaitText(field.locator(".remark"), /^Character 2: "abss"/);
  await field.locator("textarea").fill("-3 * abs(r)");
  await awaitNumbers(other, tag, ({ written }) => written.bias === "-3 * abs(r)");
  await close();
});

test("Chinese: the page, and the commonest errors", async () => {
  await figureAt("&fb=-abss(r)", ({ refusal }) => refusal !== undefined, "zh");
  const remark = page.locator(`${tag} wf-formula-field.bias .remark`);
  await awaitText(remark, '第 2 个字符："abss"（应为函数；是不是想写 abs？）。');
  for (const [text, said] of [
    ["1 +", "第 4 个字符：公式到此结束（应为数、名称或“(”）。"],
    ["2 $ r", '第 3 个字符："$"（应为运算符，或者到此结束）。'],
    ["rr", '第 1 个字符："rr"（应为已知的名称；是不是想写 r？）。'],
    ["max(1)", '第 1 个字符："max(1)"（应为 2 个参数，而不是 1 个）。'],
  ]) {
    await editorOf(page, "bias").fill(text);
    await awaitText(remark, said);
  }
});

test("a cell of the map says its score as a sum of terms", async () => {
  const { terms } = await figureAt("&fb=-abs(r)/2&fh=0", ofPreset("/2", "bias"));
  assert.deepEqual(Object.keys(terms), ["content", "bias"]);
  const said = await page
    .locator(`${tag} wf-scene`)
    .first()
    .evaluate(({ picture }) => picture.grids.find(({ id }) => id === "map").describe(9, 4));
  assert.match(said, /^query 9, key 4: weight \S+, score 1.5 = content 4 \+ bias −2.5$/);
});

test("a rotation has its hands, a vector its columns, each part a field", async () => {
  const turned = await figureAt("&fp=rope", ofPreset("base", "frequency"));
  const [pairs, dials] = [8, 16];
  for (const [pair, dial] of [
    [0, 3],
    [4, 15],
    [7, 9],
  ]) {
    const angle = dial * 10000 ** (-pair / 8);
    const found = turned.angles[(2 * pairs + pair) * dials + dial];
    const apart = Math.abs(Math.sin((found - angle) / 2));
    assert.ok(apart < 1e-5, `pair ${pair} at ${dial}: ${found}`);
  }
  const added = await figureAt("&fp=sinusoidal", ofPreset("sin", "add"));
  assert.ok(Math.abs(added.vectors[5 * 64] - Math.sin(5)) < 1e-5);
  const grids = await page
    .locator(`${tag} wf-scene`)
    .first()
    .evaluate(({ picture }) => picture.grids.map(({ id }) => id));
  assert.deepEqual(grids, ["curves", "vectors", "map"]);
  await page.locator(`${tag} wf-several input[value=keyScale]`).check();
  await awaitNumbers(page, tag, ({ written }) => written.keyScale === "1");
  await editorOf(page, "keyScale").waitFor();
});

test("on a grid: a map for each head, and the attention of the cell in the middle", async () => {
  const side = 7;
  const cells = side * side;
  const middle = Math.floor(cells / 2);
  const gridsOf = () =>
    page
      .locator(`${tag} wf-scene`)
      .first()
      .evaluate(({ picture }) => picture.grids.map(({ id }) => id));
  const near = await figureAt("&fp=grid_distance&fh=1", ofPreset("r.x", "bias"));
  assert.deepEqual([near.side, near.tokens], [side, cells]);
  for (const [head, cell] of [
    [0, 0],
    [1, 12],
    [3, 48],
  ]) {
    const [row, column] = [Math.floor(cell / side), cell % side];
    const expected = -(Math.abs(row - 3) + Math.abs(column - 3)) / (head + 1);
    const found = near.added[(head * cells + middle) * cells + cell];
    assert.ok(Math.abs(found - expected) < 1e-5, `${found}, not ${expected}`);
  }
  assert.deepEqual(await gridsOf(), ["added-0", "added-1", "added-2", "added-3", "map"]);
  await awaitText(page.locator(`${tag} .reading`), /the cell in the middle puts .* of head 2/);
  const codes = await runCodeOf(page, tag);
  assert.equal(codes.length, 4);
  for (const [line, cell] of codes.map((text, at) => [
    text,
    [middle, middle + 1, middle - side, 0][at],
  ])) {
    const [, sum, weight] = /added (\S+) weight (\S+)$/.exec(line);
    const at = (cells + middle) * cells + cell;
    assert.ok(Math.abs(sum - near.added[at]) < 1e-4 && Math.abs(weight - near.weights[at]) < 1e-5);
  }
  const turned = await figureAt("&fp=grid_rotation", ofPreset("i.y", "angle"));
  const pairs = 8;
  // Cell (1, 2) of 4 × 4: pair 1 turns by the row, pair 5 by the column.
  for (const [pair, steps] of [
    [1, 1],
    [5, 2],
  ]) {
    const found = turned.angles[pair * 16 + 6];
    const angle = steps * 100 ** ((-2 * (pair % 4)) / pairs);
    assert.ok(Math.abs(Math.sin((found - angle) / 2)) < 1e-5, `pair ${pair}: ${found}, ${angle}`);
  }
  const added = await figureAt("&fp=grid_sines", ofPreset("i.x", "add"));
  const channels = 64;
  assert.equal(added.vectors.length, cells * channels);
  // Channel 0 has the sine of the column, channel 32 that of the row.
  const cell = 3 * side + 5;
  assert.ok(Math.abs(added.vectors[cell * channels] - Math.sin(5)) < 1e-5);
  assert.ok(Math.abs(added.vectors[cell * channels + 32] - Math.sin(3)) < 1e-5);
  const code = await runCodeOf(page, tag);
  const [, , weight] = /added (\S+) weight (\S+)$/.exec(code[1]);
  assert.ok(Math.abs(weight - added.weights[middle * cells + middle + 1]) < 1e-5);
});

test("the code computes the shown numbers", async () => {
  for (const [more, head, isThere] of [
    ["&fp=window&fh=1", 1, ofPreset("-w", "bias")],
    ["&fp=sinusoidal&fh=2", 2, ofPreset("sin", "add")],
    ["&fp=t5&fh=0", 0, ofPreset("bucket", "bias")],
  ]) {
    const { weights, added } = await figureAt(more, isThere);
    const lines = await runCodeOf(page, tag);
    const last = (head + 1) * tokens * tokens - 1;
    assert.equal(lines.length, 4);
    for (const [at, back] of [0, 1, 8, 47].entries()) {
      const [, sum, weight] = /added (\S+) weight (\S+)$/.exec(lines[at]);
      assert.ok(Math.abs(Number(weight) - weights[last - back]) < 1e-5, lines[at]);
      const expected = added[last - back];
      assert.ok(Number(sum) === expected || Math.abs(sum - expected) < 1e-4, lines[at]);
    }
  }
});

test("anybody's page: attributes, and wf-change with the property", async () => {
  const body = `<wf-formula bias="-abs(r)" query-scale="2" head="3"></wf-formula></html>`;
  const script = `import "whereformer/elements/formula";
const figure = document.querySelector("wf-formula");
window.heard = [];
figure.addEventListener("wf-change", ({ detail }) => window.heard.push(detail));
`;
  const host = await buildHost("host-formula", { own: [pageOf("own") + body, script] });
  const other = await openBrowser(host);
  const { page: guest, close } = await openPage(other, { hash: "own.html" });
  const { written, added } = await numbersOf(guest, tag);
  assert.deepEqual(written, { bias: "-abs(r)", queryScale: "2" });
  // A query of twos doubles the content, of which the scale of a query of ones is 4.
  assert.ok(Math.abs(added[tokens * tokens - 1 - 3] - (4 - 3)) < 1e-4);
  await editorOf(guest, "bias").fill("-2 * abs(r)");
  await awaitNumbers(guest, tag, ({ written: now }) => now.bias === "-2 * abs(r)");
  assert.deepEqual(await guest.evaluate(() => window.heard.at(-1)), { bias: "-2 * abs(r)" });
  assert.equal(new URL(guest.url()).hash, "");
  await close();
  await other.close();
});

test("a link leads to its training beside other schemes, with its text", async () => {
  await figureAt("&fb=-2%5E(-m*(h%2B1)%2FH)*abs(r)&fm=frozen+m+%3D+8", ofPreset("m*", "bias"));
  await page.locator('a[data-shows*="formula.alibi"]:visible').first().click();
  const trainer = "wf-train-short";
  const fresh = await numbersOf(page, trainer);
  assert.deepEqual([fresh.stage, fresh.runs.length], ["ready", 0]);
  const figure = page.locator(trainer);
  await awaitText(figure.locator("pre.formula"), /^bias: -2\^\(-m\*\(h\+1\)\/H\)\*abs\(r\)/);
  await figure.locator("wf-several input[value=rope]").uncheck();
  await figure.locator("button.train").click();
  await page.waitForFunction(
    (name) => {
      const { progress } = document.querySelector(name).data;
      return progress.done >= 40;
    },
    trainer,
    { timeout: 100_000 },
  );
  const { runs } = await awaitNumbers(page, trainer);
  const first = (id) => list(runs.find((run) => run.scheme === id && run.seed === 1).losses)[0];
  // ALiBi and the formula have equal slopes and equal first weights, so equal first losses.
  assert.ok(Math.abs(first("formula") - first("alibi")) < 1e-4, `${first("formula")}`);
  await figure.locator("button.cancel").click();
});

test("a link leads to its training on a task, and the address has formula and task", async () => {
  const hash = fragment("en", "&fb=-abs(r)");
  const { page: other, close } = await openPage(session, { path: home, hash });
  await numbersOf(other, tag);
  await other.locator('a[data-shows*="lengthTask:induction"]:visible').first().click();
  const { task, stage } = await numbersOf(other, "wf-train-short");
  assert.deepEqual([task, stage], ["induction", "ready"]);
  const written = new URLSearchParams(new URL(other.url()).hash.slice(1));
  assert.deepEqual(
    ["fb", "ls", "lt"].map((key) => written.get(key)),
    ["-abs(r)", "formula.alibi.rope", "induction"],
  );
  await close();
});

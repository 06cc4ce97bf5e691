// The code that figures hand out reproduces the figures' numbers, in Node, with the built package:
// that of every figure of the pages, here or in a file that is named at the end.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { format } from "node:util";
import { tagsOfPages } from "../../scripts/build/prose.mjs";
import {
  fragment,
  goTo,
  numbersOf,
  openBrowser,
  openPage,
  pageFolder,
  pathOfFigure,
} from "./browser.mjs";

const folder = fileURLToPath(new URL("../../build/figure-code/", import.meta.url));

let session;
let page;
before(async () => {
  mkdirSync(folder, { recursive: true });
  session = await openBrowser();
  ({ page } = await openPage(session));
});
after(() => session.close());

/** Goes to a figure in a state with the shared page; parts that the address omits are reset. */
const follows = (tag, language, more = "") =>
  goTo(session, page, pathOfFigure(tag), fragment(language, more));

const ran = new Set();
let runs = 0;

/** Runs a program in this process, whose engine is compiled once; returns the lines it prints. */
async function printedBy(file) {
  const lines = [];
  const { log } = console;
  console.log = (...values) => lines.push(...format(...values).split("\n"));
  try {
    // A new address for each run: a module is run once per address.
    await import(`${pathToFileURL(file)}?run=${++runs}`);
  } finally {
    console.log = log;
    delete globalThis.document;
    delete globalThis.location;
  }
  return lines;
}

/**
 * Runs the code that a figure shows, as in a page at the session's address; returns the lines that
 * it prints. `before` is code that runs first; `changed` maps the shown code to the code that runs.
 */
async function linesOf(tag, { before = "", changed = (code) => code } = {}) {
  const figure = page.locator(tag);
  const button = figure.locator("wf-takeaway button.code");
  // Not with the pointer: in the essay the button is in closed details.
  const click = () => button.evaluate((node) => node.click());
  await click();
  const code = await figure.locator("wf-takeaway code").textContent();
  await click();
  const file = `${folder}${tag}.mjs`;
  const place = `globalThis.location = { href: ${JSON.stringify(session.address)} };\n`;
  writeFileSync(file, place + before + changed(code));
  ran.add(tag);
  // The file is inside the package, so that it can import the package by name; the page's server
  // keeps running, for code that fetches a model from it.
  return printedBy(file);
}

const lastOf = (line) => Number(line.split(" ").at(-1));

/** Runs a figure's code and returns the numbers at the ends of the lines that it prints. */
const runCodeOf = async (tag, options) => (await linesOf(tag, options)).map(lastOf);

const about = (a, b) =>
  assert.ok(Math.abs(a - b) <= 1e-4 * Math.max(1, Math.abs(b)), `${a} and ${b}`);

const isEqual = (printed, expected) => {
  assert.equal(printed.length, expected.length);
  for (const [index, number] of printed.entries()) about(number, expected[index]);
};

const skip = existsSync(`${pageFolder}/models/rope/model.safetensors`)
  ? false
  : "the models are not trained yet";

test("the first map, in the order of its words", async () => {
  await follows("wf-word-swap", "zh", "&o=1.2.0");
  const tag = "wf-word-swap";
  const isThere = ({ order, first }) => order.join() === "1,2,0" && first === "猫";
  const { mapB } = await numbersOf(page, tag, isThere);
  isEqual(await runCodeOf(tag), Object.values(mapB));
});

test("who chases whom", async () => {
  await follows("wf-who-chases", "en", "&ap=rope");
  const isThere = ({ scheme, tokensA }) => scheme === "rope" && tokensA[0] === "cat";
  const data = await numbersOf(page, "wf-who-chases", isThere);
  const [printed] = await runCodeOf("wf-who-chases");
  about(printed, data.largestDifference);
});

test("causal order", async () => {
  await follows("wf-causal-order", "zh");
  const isChinese = ({ tokens }) => /\p{Script=Han}/u.test(tokens[0]);
  const { cases } = await numbersOf(page, "wf-causal-order", isChinese);
  const printed = await runCodeOf("wf-causal-order");
  assert.equal(printed.length, 3);
  for (const [index, number] of printed.entries()) about(number, cases[index].lastDifference);
});

test("one pair of channels, and all pairs of a query and a key", async () => {
  await follows("wf-turning-pairs", "zh", "&m=11.6");
  const one = await numbersOf(page, "wf-turning-pairs", ({ key }) => key === 6);
  const hands = await runCodeOf("wf-turning-pairs");
  assert.deepEqual(hands.length, 3);
  const { query: turned, key: other, product } = one.hands;
  for (const [index, number] of [turned[1], other[1], product].entries())
    about(hands[index], number);
  await follows("wf-turning-pairs", "en", "&m=40.9&mb=500000&ms=sum");
  const isThere = ({ key, theta }) => key === 9 && theta === 500000;
  const { pairs, score } = await numbersOf(page, "wf-turning-pairs", isThere);
  const printed = await runCodeOf("wf-turning-pairs");
  const expected = [...Object.values(pairs), score];
  assert.equal(printed.length, expected.length);
  for (const [index, number] of printed.entries()) about(number, expected[index]);
});

test("the vector added to a word: products, and products with a model's weights", async () => {
  for (const scheme of ["sinusoidal", "learned"]) {
    await follows("wf-added-position", "en", `&w=${scheme}&wh=1`);
    const { products, projected } = await numbersOf(page, "wf-added-position", (data) =>
      [data, data.projected].every((one) => one?.scheme === scheme),
    );
    const printed = await runCodeOf("wf-added-position");
    const places = [0, 1, 8, 63];
    const expected = [0, 1, 2].flatMap((query) =>
      places.flatMap((distance) => {
        const at = query * 64 + distance;
        return [products[at], projected.products[at]];
      }),
    );
    assert.equal(printed.length, expected.length);
    for (const [index, number] of printed.entries()) about(number, expected[index]);
  }
});

const shown = [0, 1, 8, 64, 119];

test("biases that depend on distance alone: a formula's, and a trained one", async () => {
  await follows("wf-distance-bias", "zh", "&d=alibi&dk=12&dh=10");
  const tag = "wf-distance-bias";
  for (const [scheme, more = ""] of [
    ["alibi"],
    ["t5"],
    ["transformer_xl"],
    ["alibi", "&dn=20.3.0"],
    ["t5", "&dk=64&dn=10.0.0"],
    ["kerple", "&dn=2.70.0"],
    ["fire", "&dk=256&dn=900.0.0"],
  ]) {
    if (scheme !== "alibi" || more)
      await follows("wf-distance-bias", "en", `&d=${scheme}&dl=1&dh=2${more}`);
    const isThere = ({ scheme: shownScheme, numbers }) =>
      shownScheme === scheme && (!more || numbers.some((value) => value > 0));
    const { lines, head } = await numbersOf(page, tag, isThere);
    const printed = await runCodeOf(tag);
    const own = lines.find(({ kind, name }) => kind === "head" && name === head);
    if (own) {
      // A trained model prints the content first.
      const biases = printed.slice(-shown.length);
      for (const [index, number] of biases.entries()) about(number, own.values[shown[index]]);
    } else {
      // With other words: four terms, of which that of the distance is the same.
      assert.equal(printed.length, 4 * shown.length);
      const distance = lines.find(({ name }) => name === "distanceBias").values;
      const last = printed.slice(-shown.length);
      for (const [index, number] of last.entries()) about(number, distance[shown[index]]);
    }
  }
});

test("the lab: maps of two models and of one after surgery, weights and the content term", {
  skip,
}, async () => {
  for (const [operation, more, part = "weights"] of [
    ["drop", "a~2!q~head"],
    ["move", "a~4!p~sum", "sum"],
    ["zero", "a~content!p~content", "content"],
  ]) {
    await follows("wf-lab", "en", `&z=s~rope.alibi!l~2!o~${operation}!${more}`);
    const isThere = ({ operated, part: shownPart }) =>
      operated?.values && operated.inForce?.operation === operation && shownPart === part;
    const data = await numbersOf(page, "wf-lab", isThere);
    const printed = await runCodeOf("wf-lab");
    const expected = [...data.maps, data.operated].map(({ values }) =>
      Object.values(values).at(-1),
    );
    assert.equal(printed.length, expected.length, more);
    for (const [index, number] of printed.entries()) about(number, expected[index]);
  }
});

test("the attention map alone", async () => {
  await follows("wf-attention-map", "en");
  const tag = "wf-attention-map";
  const { answer } = await numbersOf(page, tag);
  isEqual(
    await runCodeOf(tag),
    answer.maps.map(({ values }) => Object.values(values).at(-1)),
  );
});

const heads = "wf-real-heads";
/** Figures about one head, reading the same text with two models. */
const twoModels = "&c=And+God+said&cs=rope.alibi&cl=1&ch=2&cc=2.1";

test("trained heads: the whole map of one head, its score in terms, its weight by distance", {
  skip,
}, async () => {
  await follows(heads, "en", twoModels);
  const isThere = ({ tokens, byScheme }) =>
    tokens.join("") === "And God said" &&
    byScheme.map(({ scheme }) => scheme).join() === "rope,alibi";
  const { byScheme, layer, head, numHeads } = await numbersOf(page, heads, isThere);
  const rows = (await linesOf(heads)).map((line) => line.split(" ").slice(3).map(Number));
  const maps = byScheme.flatMap(({ weights }) =>
    Object.values(weights).slice((layer * numHeads + head) * 9, (layer * numHeads + head + 1) * 9),
  );
  isEqual(rows.flat(), maps);

  const { sums } = await numbersOf(page, "wf-score-terms", ({ row }) => row === 2);
  isEqual(
    await runCodeOf("wf-score-terms"),
    sums.flatMap(({ terms, total }) => [...terms.map(({ value }) => value), total]),
  );
  const { curves } = await numbersOf(page, "wf-distance-curve", (data) => data.curves.length === 2);
  isEqual(
    await runCodeOf("wf-distance-curve"),
    curves.flatMap(({ values }) => Object.values(values)),
  );
});

test("surgery: the largest change of a weight, and losses before and after", { skip }, async () => {
  for (const [operation, value, more] of [
    ["zero", "content", ""],
    ["move", "3", "&st=2"],
  ]) {
    await follows("wf-surgery", "en", `${twoModels}&su=rope&sd=${operation}&sv=${value}${more}`);
    const isThere = (data) =>
      [data.operation, data.value, data.ids.length, data.layer, data.head].join() ===
      `${operation},${value},3,1,2`;
    const { before, after, losses } = await numbersOf(page, "wf-surgery", isThere);
    const change = Math.max(
      ...Object.values(after).map((value, at) => Math.abs(value - before[at])),
    );
    const expected = [change, ...losses.flatMap((one) => [one.before, one.after])];
    isEqual(await runCodeOf("wf-surgery"), expected);
  }
});

test("which channels make a pair: matrices, their rotations, losses in three readings", {
  skip,
}, async () => {
  await follows("wf-pair-layouts", "en", "&md=5");
  const tag = "wf-pair-layouts";
  const data = await numbersOf(page, tag, ({ distance, mixed }) => distance === 5 && mixed);
  const turned = ["neighbours", "halves"].flatMap((layout) => [
    ...Object.values(data[layout]).filter((value) => value !== 0),
    ...Object.values(data.rows[layout].sum),
  ]);
  const losses = ["en", "zh"].flatMap((language) =>
    ["trained", "mixed", "reordered"].map((how) => data.mixed.losses[how][language]),
  );
  isEqual(await runCodeOf(tag), [...turned, ...losses]);
});

test("measured results: loss by length, and tasks", { skip }, async () => {
  await follows("wf-length-curves", "en", "&lc=rope.learned");
  const { chosen, curves } = await numbersOf(page, "wf-length-curves", (data) => data.chosen);
  const printed = await linesOf("wf-length-curves");
  const spreads = chosen.flatMap((id) => [...curves[id].en, ...curves[id].zh]);
  assert.equal(printed.length, spreads.length);
  for (const [index, line] of printed.entries())
    if (spreads[index]) about(lastOf(line), spreads[index].mean);
    else assert.match(line, /not defined$/);
  await follows("wf-probes", "en", "&p=reverse");
  const { rows } = await numbersOf(page, "wf-probes", ({ task }) => task === "reverse");
  const tasks = await linesOf("wf-probes");
  assert.equal(tasks.length, rows.length);
  for (const { scheme, score } of rows)
    about(lastOf(tasks.find((line) => line.startsWith(`${scheme} `))), score.mean);
});

test("train short, test long: the loss falls within a tenth of the steps", async () => {
  await follows("wf-train-short", "en", "&ls=rope.learned");
  const tag = "wf-train-short";
  await numbersOf(page, tag);
  // The full code takes minutes, so it runs with one seed, fewer steps and shorter texts.
  const changed = (code) =>
    code
      .replace(/for \(const seed of \[[\d,]+\]\)/, "for (const seed of [1])")
      .replace(/trainer\.step\((\d+)\)/, (_, steps) => `trainer.step(${steps / 10})`)
      .replace(/Math\.floor\(\d+ \/ length\)/, "Math.floor(1024 / length)");
  const lines = await linesOf(tag, { changed });
  assert.deepEqual(
    lines.map((line) => line.split(" ").slice(0, 2).join(" ")),
    ["rope", "learned"].flatMap((id) => [1, 2, 4, 8].map(() => `${id} 1`)),
  );
  // The table has 128 rows, and no answer for a text of 256 letters.
  assert.match(lines.pop(), /invalid_argument$/);
  const losses = lines.map(lastOf);
  // A loss near six bits means that the model cannot tell characters apart.
  for (const loss of losses) assert.ok(loss > 2 && loss < 6.5, `${loss}`);
  assert.ok(losses[0] < 5, `${losses[0]}`);
});

test("train short on a task, a formula among the schemes: shares of right answers", async () => {
  await follows("wf-train-short", "en", "&ls=formula.learned&lt=copy&fb=-abs(r)");
  const tag = "wf-train-short";
  await numbersOf(page, tag, ({ task }) => task === "copy");
  // With one seed and fewer steps.
  const changed = (code) =>
    code
      .replace(/for \(const seed of \[[\d,]+\]\)/, "for (const seed of [1])")
      .replace(/trainer\.step\((\d+)\)/, (_, steps) => `trainer.step(${steps / 10})`);
  const lines = await linesOf(tag, { changed });
  assert.deepEqual(
    lines.map((line) => line.split(" ").slice(0, 3).join(" ")),
    ["formula", "learned"].flatMap((id) => [32, 64, 128, 256].map((length) => `${id} 1 ${length}`)),
  );
  assert.match(lines.pop(), /invalid_argument$/);
  const shares = lines.map(lastOf);
  // One of eight symbols is right by chance.
  for (const share of shares) assert.ok(share > 0.05 && share < 0.9, `${share}`);
});

test("costs: each scheme's cost by formula, beside a time", async () => {
  await follows("wf-costs", "en", "&k=64.16.2");
  const tag = "wf-costs";
  const { base, rows } = await numbersOf(page, tag, ({ sizes }) => sizes.tokens === 64);
  // Times are not compared, so each call runs once.
  const changed = (code) =>
    code.replace("calls = 20", "calls = 1").replace("length: 7", "length: 1");
  const lines = await linesOf(tag, { changed });
  assert.equal(lines.length, 1 + rows.length);
  for (const { scheme, formula } of [base, ...rows]) {
    const line = lines.find((one) => one.startsWith(`${scheme} `));
    assert.match(line, /times as long [\d.]+ by formula [\d.]+$/);
    about(lastOf(line), formula);
  }
});

test("the reader's own model: its loss on the text", { skip }, async () => {
  await follows("wf-open-checkpoint", "en");
  const tag = "wf-open-checkpoint";
  const { loss } = await numbersOf(page, tag, (data) => data.loss?.trained);
  const paths = ["rope/config.json", "rope/model.safetensors", "tokenizer.json"];
  // Replaces the reader's choice of files.
  const folder = JSON.stringify(`${pageFolder}/models/`);
  const before = `import { readFileSync } from "node:fs";
const chosen = ${JSON.stringify(paths)}.map((path) =>
  new File([readFileSync(${folder} + path)], path.split("/").at(-1)));
globalThis.document = { querySelector: () => ({ files: chosen }) };
`;
  about((await runCodeOf(tag, { before })).at(-1), loss.trained.mean / Math.LN2);
});

/** True if another test file runs the code of a figure. */
const runsElsewhere = (tag) =>
  readdirSync(new URL(".", import.meta.url))
    .filter((name) => name.endsWith(".test.mjs") && name !== "codes.test.mjs")
    .some((name) => {
      const text = readFileSync(new URL(name, import.meta.url), "utf8");
      return text.includes(`"${tag}"`) && /wf-takeaway button\.code|runCodeOf\(/.test(text);
    });

test("no figure of the pages is missed", { skip }, () => {
  const others = tagsOfPages().filter((tag) => !ran.has(tag));
  assert.deepEqual(
    others.filter((tag) => !runsElsewhere(tag)),
    [],
  );
});

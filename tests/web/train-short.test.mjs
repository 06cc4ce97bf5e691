// Training in the tab, with the page's own recipe: pause, resume, cancel; the guess; saved weights;
// and no curve for an untrained scheme.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  awaitNumbers,
  awaitText,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pathOfFigure,
} from "./browser.mjs";

const home = pathOfFigure("wf-train-short");

const root = fileURLToPath(new URL("../../", import.meta.url));
const tag = "wf-train-short";
const recorded = JSON.parse(readFileSync(`${root}web/figures/train-short/recorded.json`, "utf8"));

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

const open = (more = "", options = {}) =>
  openPage(session, { path: home, hash: fragment(options.language ?? "en", more), ...options });

/** Waits for a stage or step of training, in the page because the runs' data are megabytes. */
const reached = (page, { stage, steps = 0 }) =>
  page.waitForFunction(
    ({ name, wanted, min }) => {
      const { data } = document.querySelector(name);
      return data.progress.done >= min && (!wanted || data.stage === wanted);
    },
    { name: tag, wanted: stage, min: steps },
    { timeout: 240_000 },
  );

/** In the page: keeps the requests to workers that have no answer yet in `window.unanswered`. */
function countQuestions() {
  const { postMessage } = Worker.prototype;
  const workers = [];
  window.unanswered = new Set();
  Worker.prototype.postMessage = function (message, ...rest) {
    if (!workers.includes(this)) {
      workers.push(this);
      this.addEventListener("message", ({ data }) => {
        if ("value" in data || "failure" in data)
          window.unanswered.delete(`${workers.indexOf(this)}:${data.id}`);
      });
    }
    if (message.method) window.unanswered.add(`${workers.indexOf(this)}:${message.id}`);
    return postMessage.call(this, message, ...rest);
  };
}

// Bounds of the loss, in bits a letter, at 4 times the training length: means over three seeds.
const above = { sinusoidal: 4, learned: 3.1 };
const below = { alibi: 2.9 };

/** Schemes to train: all of the default setting, or only those that have a bound above. */
const trained = process.env.WF_LONG
  ? { more: "", count: 4 }
  : { more: "&ls=sinusoidal.learned.alibi", count: 3 };

test("at 4 times the length sinusoids and tables are above, alibi below", {
  timeout: 400_000,
}, async () => {
  const { more, count } = trained;
  const { page, complaints, close } = await open(more);
  const fresh = await numbersOf(page, tag);
  assert.equal(fresh.stage, "ready");
  assert.deepEqual(fresh.runs, []);
  const kept = fresh.recorded.map(({ scheme, tested }) => [scheme, tested.length]);
  assert.deepEqual(kept.at(-1), ["alibi", 0], "the result to guess is drawn");
  assert.ok(kept.slice(0, -1).every(([, count]) => count === 4));

  const figure = page.locator(tag);
  await figure.locator(".ring").nth(2).fill("4.5");
  assert.deepEqual((await numbersOf(page, tag)).guesses, { alibi: [3.8, 3.8, 4.5, 3.8] });

  await figure.locator("button.train").click();
  await reached(page, { steps: 50 });
  const early = await awaitNumbers(page, tag);
  assert.equal(early.stage, "running");
  const busy = early.runs.filter(({ stage }) => stage === "training").length;
  const cores = await page.evaluate(() => navigator.hardwareConcurrency);
  assert.ok(busy <= cores, `${busy} at once on ${cores} cores`);
  assert.match(
    await figure.locator(".progress").textContent(),
    new RegExp(`of ${(900 * count).toLocaleString("en")} steps`),
  );
  assert.equal(await figure.locator(".ring").count(), 0, "a guess can be changed after the start");

  await reached(page, { stage: "done" });
  const { lines, runs } = await awaitNumbers(page, tag);
  assert.deepEqual(
    runs.map(({ stage, losses }) => [stage, losses.length]),
    runs.map(() => ["done", 300]),
  );
  const far = Object.fromEntries(lines.map(({ scheme, tested }) => [scheme, tested[2]]));
  for (const [scheme, bits] of Object.entries(above))
    assert.ok(far[scheme].min > bits, `${scheme}: ${far[scheme].min}`);
  for (const [scheme, bits] of Object.entries(below))
    assert.ok(far[scheme].max < bits, `${scheme}: ${far[scheme].max}`);
  // The recorded results are those of this training: another engine may round otherwise.
  for (const { scheme, tested } of lines)
    recorded.text[scheme].forEach((row, seed) => {
      const run = runs.find((one) => one.scheme === scheme && one.seed === seed + 1);
      row.forEach((value, at) => {
        assert.equal(value === null, (run.tested[at] ?? null) === null, scheme);
        if (value !== null)
          assert.ok(Math.abs(value - run.tested[at]) < 0.1, `${scheme}: ${run.tested[at]}`);
      });
      assert.equal(tested.length, row.length);
    });
  for (const { tested } of lines)
    for (const one of tested) if (one) assert.deepEqual([one.count, one.min < one.max], [3, true]);

  // Beyond the end of the table there is a word instead of a number.
  const learned = lines.find(({ scheme }) => scheme === "learned");
  assert.equal(learned.tested[3] ?? undefined, undefined);
  const table = figure.locator("table");
  assert.equal(await table.locator("tbody tr").count(), count);
  assert.match(await table.locator("tbody tr").nth(1).textContent(), /not defined/);
  const reading = await figure.locator(".reading").textContent();
  assert.match(reading, /At 256 Learned positions is not defined/);
  const { tested } = lines.find(({ scheme }) => scheme === "alibi");
  const off = [3.8, 3.8, 4.5, 3.8].map((guess, at) => Math.abs(guess - tested[at].mean));
  const mean = off.reduce((a, b) => a + b) / 4;
  assert.ok(reading.includes(`off by ${mean.toFixed(2)} on average, most at 4 ×`), reading);

  // A table has the numbers for readers who cannot see the chart.
  const cell = figure.locator("[role=gridcell]");
  await cell.focus();
  await page.keyboard.press("End");
  const spoken = figure.locator("wf-scene [role=status]");
  await awaitText(
    spoken,
    /^Sinusoidal positions, 256 letters: \d\.\d\d bits a letter, .* 3 seeds$/,
  );
  assert.deepEqual(complaints, []);

  // A saved model continues from its last step.
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    figure.locator("button.keep").last().click(),
  ]);
  assert.equal(download.suggestedFilename(), "whereformer-alibi-seed1-300.safetensors");
  const bytes = await buffer(await download.createReadStream());
  await figure.locator("input[type=file]").setInputFiles({
    name: "kept.safetensors",
    mimeType: "application/octet-stream",
    buffer: bytes,
  });
  await page.waitForFunction((name) => {
    const { data } = document.querySelector(name);
    return data.stage === "done" && data.lines.at(-1).steps === 600;
  }, tag);
  const after = await awaitNumbers(page, tag);
  const [before, longer] = after.lines.slice(-2);
  assert.equal(after.lines.length, count + 1);
  assert.deepEqual([longer.scheme, longer.firstStep, longer.steps], ["alibi", 300, 600]);
  const end = before.runs[0].losses.slice(-20).reduce((a, b) => a + b) / 20;
  const next = longer.runs[0].losses.slice(0, 20).reduce((a, b) => a + b) / 20;
  assert.ok(Math.abs(end - next) < 0.25, `${end}, then ${next}`);
  assert.ok(longer.tested[0].mean < before.tested[0].mean, "the loss did not fall");
  await close();
});

test("pause stops, resume continues, cancel leaves no partial state", {
  timeout: 120_000,
}, async () => {
  const { page, complaints, close } = await open("&ls=nope.t5", {
    language: "zh",
    prepare: (page) => page.addInitScript(countQuestions),
  });
  await numbersOf(page, tag);
  const figure = page.locator(tag);
  await figure.locator("button.train").click();
  await reached(page, { steps: 20 });
  assert.ok(await page.evaluate(() => window.unanswered.size > 0));
  await figure.locator("button.pause").click();
  // Requested steps are still computed; a run that has answered gets no further request.
  await page.waitForFunction(() => window.unanswered.size === 0);
  const held = await awaitNumbers(page, tag);
  assert.equal(held.stage, "paused");
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
  );
  assert.equal(await page.evaluate(() => window.unanswered.size), 0);
  assert.equal((await awaitNumbers(page, tag)).progress.done, held.progress.done);
  assert.match(await figure.locator(".progress").textContent(), /已暂停/);
  await figure.locator("button.resume").click();
  await reached(page, { steps: held.progress.done + 1 });
  await figure.locator("button.cancel").click();
  const { stage, runs } = await awaitNumbers(page, tag);
  assert.ok(["ready", "done"].includes(stage));
  assert.ok(runs.every((run) => run.stage === "done"));
  assert.equal(await figure.locator("button.train").count(), 1);
  assert.deepEqual(complaints, []);
  await close();
});

test("on a task, right answers are counted; another task begins anew", {
  timeout: 240_000,
}, async () => {
  const { page, complaints, close } = await open("&lt=induction&ls=nope.alibi");
  const fresh = await numbersOf(page, tag);
  assert.deepEqual([fresh.task, fresh.stage], ["induction", "ready"]);
  const figure = page.locator(tag);
  await awaitText(figure.locator(".why"), /^A row of 2 to 8 different symbols/);
  await figure.locator(".ring").nth(0).fill("90");
  assert.deepEqual((await numbersOf(page, tag)).guesses, { alibi: [90, 5, 5, 5] });
  await figure.locator("button.train").click();
  // The first model of each scheme.
  await page.waitForFunction(
    (name) => {
      const { runs } = document.querySelector(name).data;
      return runs.filter(({ seed, stage }) => seed === 1 && stage === "done").length === 2;
    },
    tag,
    { timeout: 200_000 },
  );
  const { runs } = await awaitNumbers(page, tag);
  const of = (id) => runs.find(({ scheme, seed }) => scheme === id && seed === 1);
  const right = Object.values(of("alibi").tested);
  assert.equal(right.length, 4);
  // Measured in Node with this seed: 100 % at each length.
  for (const share of right) assert.ok(share > 90 && share <= 100, `${right}`);
  const losses = Object.values(of("alibi").losses);
  assert.ok(losses.at(-1) < 0.5 && losses[0] > 2, `${losses[0]} to ${losses.at(-1)}`);
  await awaitText(figure.locator("tbody tr").nth(1), /%/);
  await figure.locator("button.cancel").click();
  await figure.locator("wf-choice.task input[value=copy]").check();
  const other = await awaitNumbers(page, tag, ({ task }) => task === "copy");
  assert.deepEqual([other.stage, other.runs, other.guesses], ["ready", [], {}]);
  await page.waitForFunction(() => location.hash.includes("lt=copy"));
  assert.deepEqual(complaints, []);
  await close();
});

test("files of another kind are named and refused", async () => {
  const { page, complaints, close } = await open();
  await numbersOf(page, tag);
  const figure = page.locator(tag);
  const load = (name, buffer) =>
    figure
      .locator("input[type=file]")
      .setInputFiles({ name, mimeType: "application/octet-stream", buffer });
  const said = figure.locator(".acts > [role=status]");
  for (const [name, buffer] of [
    ["empty", Buffer.alloc(0)],
    ["noise", Buffer.from(Array.from({ length: 400 }, (_, i) => (i * 37) % 256))],
    ["model.safetensors", readFileSync(`${root}models/alibi/model.safetensors`)],
  ]) {
    await load(name, buffer);
    await awaitText(said, `${name} was not saved here.`);
  }
  assert.deepEqual(complaints, []);
  await close();
});

test("two to five schemes, also by keyboard, and stored in the address", async () => {
  const { page, close } = await open("&ls=alibi.rope.nonsense");
  const data = await numbersOf(page, tag);
  assert.equal(data.stage, "ready");
  const boxes = page.locator(`${tag} wf-several input`);
  assert.equal(await page.locator(`${tag} wf-several input:checked:disabled`).count(), 2);
  const free = page.locator(`${tag} wf-several input:not(:checked):enabled`);
  for (let more = 0; more < 3; more++) {
    await free.first().focus();
    await page.keyboard.press("Space");
    await page
      .locator(`${tag} wf-several input:checked`)
      .nth(2 + more)
      .waitFor();
  }
  assert.equal(await page.locator(`${tag} wf-several input:checked`).count(), 5);
  assert.equal(await free.count(), 0);
  assert.ok((await boxes.count()) > 10);
  await page.waitForFunction(() => location.hash.includes("ls=nope.integer.one_hot.alibi.rope"));
  await close();
});

/** Widths of the lines without dashes in the chart. */
const solidWidths = (page) =>
  page
    .locator(`${tag} wf-scene`)
    .evaluate(({ picture }) =>
      picture.marks.flatMap(({ kind, width, dash }) =>
        kind === "path" && !dash?.length ? [width] : [],
      ),
    );

test("a ring moves by keyboard and announces its position", async () => {
  const { page, close } = await open("", { language: "zh" });
  await numbersOf(page, tag);
  const ring = page.locator(`${tag} .ring`).nth(3);
  // The curve of a guess, 5 pixels wide, is drawn once a ring has moved; before, there is a hint.
  const hint = page.locator(`${tag} .drag`);
  assert.equal(await hint.textContent(), "拖动");
  assert.ok(!(await solidWidths(page)).includes(5));
  await ring.focus();
  await page.keyboard.press("ArrowUp");
  await awaitNumbers(page, tag, ({ guesses }) => guesses.alibi[3] !== 3.8);
  assert.equal(await ring.getAttribute("aria-valuetext"), "每字母 3.85 比特");
  assert.equal(await ring.getAttribute("aria-label"), "你猜 ALiBi 在 256 个字母时的损失");
  assert.deepEqual((await numbersOf(page, tag)).guesses, { alibi: [3.8, 3.8, 3.8, 3.85] });
  await hint.waitFor({ state: "detached" });
  assert.ok((await solidWidths(page)).includes(5));
  await close();
});

test("before training the recorded results are drawn, the last after a guess", async () => {
  const { page, complaints, close } = await open("&ls=sinusoidal.rope.alibi");
  await numbersOf(page, tag);
  const figure = page.locator(tag);
  assert.match(
    await figure.locator(".reading").textContent(),
    /measured in advance.*One is missing/,
  );
  const atRest = await figure.locator(".reading").textContent();
  assert.doesNotMatch(atRest, /ignores the far text/, "the answer is given away");
  await figure.locator("button.show").click();
  const { recorded: lines, runs } = await awaitNumbers(page, tag, (data) =>
    data.recorded.every(({ tested }) => tested.length === 4),
  );
  assert.deepEqual(runs, []);
  for (const { scheme, tested } of lines)
    for (const [at, { mean, min, max }] of tested.entries()) {
      const values = recorded.text[scheme].map((row) => row[at]);
      assert.deepEqual([min, max], [Math.min(...values), Math.max(...values)]);
      assert.ok(Math.abs(mean - values.reduce((a, b) => a + b) / values.length) < 1e-9);
    }
  assert.equal(await figure.locator(".ring").count(), 0);
  await awaitText(figure.locator(".reading"), /^Measured in advance.*ALiBi [−+]0\.\d\d/);
  assert.match(await figure.locator(".reading").textContent(), /it ignores the far text/);
  await awaitText(figure.locator("h3 span"), /At 4 times the training length, ALiBi does best/);
  assert.equal(await figure.locator("tbody tr").count(), 3);
  assert.deepEqual(complaints, []);
  await close();
});

test("no file of the training is loaded before it is needed", async () => {
  const { page, close } = await open();
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await numbersOf(page, tag);
  assert.deepEqual(
    asked.filter((address) => /remote|worker-host/.test(address)),
    [],
  );
  assert.equal(asked.filter((address) => /genesis/.test(address)).length, 1);
  await close();
});

test("the guess begins with a scheme that has results at every length", async () => {
  for (const [schemes, guessed] of [
    ["learned.nope.t5", "T5’s bucketed bias"],
    ["one_hot.learned", "One-hot positions"],
  ]) {
    const { page, close } = await open(`&ls=${schemes}`);
    await numbersOf(page, tag);
    const pick = page.locator(`${tag} .guess wf-pick`);
    await awaitText(pick.locator("option:checked"), guessed);
    await close();
  }
});

test("every scheme that can be trained has recorded results of every task and seed", async () => {
  const { page, close } = await open();
  await numbersOf(page, tag);
  const ids = await page.evaluate(
    (name) => document.querySelector(name).experiment.schemes.map(({ id }) => id),
    tag,
  );
  await close();
  for (const task of ["text", "copy", "induction"]) {
    assert.deepEqual(Object.keys(recorded[task]), ids, task);
    for (const [id, rows] of Object.entries(recorded[task]))
      assert.deepEqual(
        rows.map(({ length }) => length),
        [4, 4, 4],
        `${task}, ${id}`,
      );
  }
});

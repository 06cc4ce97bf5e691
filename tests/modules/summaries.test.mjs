// Captions and summaries of measured or trained results, with made-up results.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { openSources } from "./sources.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));

let sources;
before(async () => {
  sources = await openSources();
});
after(() => sources.close());

test("a single round disturbed by other work does not make two schemes overlap", async () => {
  const { median, middleHalf } = await sources.load("/engine/worker/timing.ts");
  const dear = [2.2, 2.21, 0.9, 2.19, 2.2];
  const [low, high] = middleHalf(dear);
  assert.ok(low >= 2.19 && low <= median(dear) && median(dear) <= high, `${low} to ${high}`);
  // Rounds that vary all the time give a wider range.
  const [min, max] = middleHalf([1, 1.5, 2, 2.5, 3]);
  assert.deepEqual([min, max], [1.5, 2.5]);
});

test("the summary follows from the measurement", async () => {
  const { isUnsteady, summaryOf } = await sources.load("/figures/costs/summary.ts");
  const row = (scheme, ratio, formula, apart = 0) => ({
    scheme,
    ratio,
    formula,
    range: [ratio - apart, ratio + apart],
  });
  const { fast, cheap, dear, min, max, dearest } = summaryOf([
    row("a", 1.02, 1.01),
    row("b", 1.4, 1.02),
    row("c", 0.99, 1.0),
    row("d", 1.3, 1.5),
  ]);
  assert.deepEqual([cheap.length, dear.map(({ scheme }) => scheme)], [3, ["d"]]);
  assert.deepEqual([fast, min, max, dearest.map(({ scheme }) => scheme)], [2, 0.99, 1.4, ["b"]]);
  assert.equal(summaryOf([]), undefined);
  // The rounds of "b" begin at 1.38, which those of "c" reach but those of "a" (1.32) do not.
  const restless = [row("a", 1.2, 1, 0.12), row("b", 1.44, 1, 0.06), row("c", 1.25, 1, 0.13)];
  const named = summaryOf(restless).dearest.map(({ scheme }) => scheme);
  assert.deepEqual(named, ["b", "c"], "not the most expensive scheme and the one within its range");
  assert.deepEqual([isUnsteady([100, 120]), isUnsteady([100, 140])], [false, true]);
});

test("curves of runs, notes in files and the error of a guess, computed by hand", async () => {
  const { distanceOf, linesOfRuns } = await sources.load("/figures/train-short/summary.ts");
  const run = (scheme, seed, tested, firstStep = 0) => ({
    scheme,
    seed,
    firstStep,
    steps: firstStep + 300,
    losses: [],
    tested,
  });
  const lines = linesOfRuns([
    run("a", 1, [2, 3, 4, undefined]),
    run("b", 1, []),
    run("a", 2, [4, 3, 6, undefined]),
    run("a", 1, [1, 1, 1, 1], 300),
  ]);
  assert.deepEqual(
    lines.map(({ key }) => key),
    ["a", "b", "a+600"],
  );
  assert.deepEqual(lines[0].tested, [
    { mean: 3, min: 2, max: 4, count: 2 },
    { mean: 3, min: 3, max: 3, count: 2 },
    { mean: 5, min: 4, max: 6, count: 2 },
    undefined,
  ]);
  assert.deepEqual(lines[1].tested, []);
  assert.deepEqual(distanceOf([3, 4, 2, 9], lines[0].tested), {
    mean: 4 / 3,
    max: 3,
    multiple: 4,
  });
  assert.equal(distanceOf([1, 1, 1, 1], []), undefined);

  const { noteOf, withNote } = await sources.load("/engine/page/training-file.ts");
  const { load } = await import(`${root}dist/index.js`);
  const wf = await load({ training: true });
  const options = {
    config: { vocabSize: 5, hiddenSize: 8, numLayers: 1, numHeads: 2, intermediateSize: 8 },
    task: { id: "copy" },
    length: 6,
  };
  const trainer = wf.trainer(options);
  trainer.step(3);
  const note = { scheme: "alibi", seed: 7, recipe: "[1]" };
  const file = withNote(trainer.save(), note);
  assert.deepEqual(noteOf(file), { ...note, steps: 3 });
  const again = wf.trainer({ ...options, resume: file });
  assert.deepEqual(
    [...again.step(2)],
    [...trainer.step(2)],
    "the engine does not read a file with a note",
  );
  assert.equal(noteOf(trainer.save()), undefined);
  assert.equal(noteOf(file.slice(0, 40)), undefined);
});

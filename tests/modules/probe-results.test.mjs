// The results of `npm run probes` as the page reads them, and the article's statements about them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { openSources } from "./sources.mjs";

const file = JSON.parse(readFileSync(new URL("../../models/probes.json", import.meta.url)));

let sources;
let results;
let tasks;
before(async () => {
  sources = await openSources();
  const { readProbes } = await sources.load("/engine/page/probe-results.ts");
  ({ probeTasks: tasks } = await sources.load("/defaults.ts"));
  results = readProbes(file);
});
after(() => sources.close());

const score = (scheme, task) => results.scores.get(scheme)[task];
const schemesOf = () => [...results.scores.keys()].filter((id) => !["none", "nope"].includes(id));

test("every task and every model of the file is read, with mean and range over its seeds", () => {
  assert.deepEqual([...tasks].sort(), Object.keys(file.plan.probes.tasks).sort());
  assert.deepEqual([...results.scores.keys()], Object.keys(file.results));
  const { 1: a, 2: b, 3: c } = file.results.sinusoidal.k_back;
  const { mean, min, max, seeds } = score("sinusoidal", "k_back");
  assert.ok(Math.abs(mean - (a + b + c) / 3) < 1e-12);
  assert.deepEqual([min, max, seeds], [Math.min(a, b, c), Math.max(a, b, c), [a, b, c]]);
  assert.equal(results.command, "npm run probes");
  assert.equal(results.steps, file.plan.probes.training.steps);
});

test("a model without results for a task is left out", async () => {
  const { readProbes } = await sources.load("/engine/page/probe-results.ts");
  const { copy: _, ...others } = file.results.rope;
  const cut = readProbes({ ...file, results: { ...file.results, rope: others } });
  assert.ok(!cut.scores.has("rope"));
  assert.equal(cut.scores.size, results.scores.size - 1);
});

test("copy, four back: rotations and distance tables reach 100%, falling biases below 60%", () => {
  for (const task of ["copy", "k_back"]) {
    for (const id of ["rope", "xpos", "mla", "shaw", "deberta", "transformer_xl"])
      assert.equal(score(id, task).min, 1, `${id} ${task}`);
    for (const id of ["alibi", "kerple", "sandwich"])
      assert.ok(score(id, task).max < 0.6, `${id} ${task}`);
  }
});

test("reverse, recall by position: sinusoids and tables of positions beat all others", () => {
  const byPlace = ["one_hot", "learned", "sinusoidal"];
  for (const task of ["reverse", "ordered_recall"]) {
    const min = Math.min(...byPlace.map((id) => score(id, task).min));
    const others = schemesOf().filter((id) => !byPlace.includes(id) && id !== "integer");
    for (const id of others) assert.ok(score(id, task).max < min, `${id} ${task}`);
  }
});

test("who acts: 50% without positions, above 88% with sinusoids and RoPE", () => {
  for (const id of ["none", "nope"]) assert.ok(Math.abs(score(id, "agent").mean - 0.5) < 0.01, id);
  for (const id of ["sinusoidal", "rope"]) assert.ok(score(id, "agent").min > 0.88, id);
  const guessing = schemesOf().filter((id) => score(id, "agent").max < 0.51);
  assert.ok(guessing.length >= 4, `${guessing}`);
});

test("count: the mask gives half the gain; sort: most gain little; addition: all below 50%", () => {
  const best = Math.max(...schemesOf().map((id) => score(id, "count").mean));
  const [bag, masked] = [score("none", "count").mean, score("nope", "count").mean];
  assert.ok(Math.abs((masked - bag) / (best - bag) - 0.5) < 0.05);
  const sorted = schemesOf().map((id) => score(id, "sort").mean - score("none", "sort").mean);
  assert.ok(sorted.filter((more) => more < 0.03).length > sorted.length / 2);
  for (const id of schemesOf()) assert.ok(score(id, "addition").min < 0.5, id);
});

// Sentences of the essay and the tools' pages that state what was measured: compares them with the
// recorded results. Each test first finds its sentence, so that it cannot outlive it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { textOf } from "./tree.mjs";

const results = (name) => JSON.parse(textOf(`models/${name}.json`)).results;
const english = (page) => textOf(`web/tools/${page}/en.html`).replace(/\s+/g, " ");

const extension = results("extension");
const longrope = results("longrope");
const probes = results("probes");

/** Bits per token of a method at so many times the trained length. */
const bits = (method, multiple, language) =>
  (method === "longrope" ? longrope : extension[method])[multiple][language].bitsPerToken;
const multiples = [2, 4, 8, 16];

test("stretching: YaRN at four times, in both languages", () => {
  assert.match(english("06-stretching"), /YaRN reads English within 0\.1 bits .* two bits above/);
  assert.ok(bits("yarn", 4, "en") - bits("none", 1, "en") < 0.1);
  const chinese = bits("yarn", 4, "zh") - bits("none", 1, "zh");
  assert.ok(Math.abs(chinese - 2) < 0.1, `${chinese}`);
  const saved = bits("none", 4, "zh") - bits("yarn", 4, "zh");
  assert.ok(saved > 0 && saved < 0.1, `${saved}`);
});

test("stretching: LongRoPE is best on Chinese at every length, YaRN on English at 4 and 8", () => {
  assert.match(english("06-stretching"), /LongRoPE<\/a> does best on Chinese at every length/);
  const methods = [...Object.keys(extension), "longrope"];
  const best = (multiple, language) =>
    methods.reduce((a, b) => (bits(b, multiple, language) < bits(a, multiple, language) ? b : a));
  for (const multiple of multiples) {
    assert.equal(best(multiple, "zh"), "longrope", `${multiple}`);
    assert.ok(longrope[multiple].tried > 200);
  }
  for (const multiple of [4, 8])
    assert.ok(bits("yarn", multiple, "en") < bits("longrope", multiple, "en"), `${multiple}`);
});

test("stretching: PI stands high from the first tokens on", () => {
  assert.match(english("06-stretching"), /stands high from the first token on/);
  for (const language of ["en", "zh"]) {
    const { byPosition } = extension.linear[4][language];
    assert.ok(byPosition[0] > bits("none", 1, language) + 0.5, language);
    assert.ok(byPosition.at(-1) - byPosition[0] < 0.1, language);
  }
  assert.ok(bits("linear", 4, "zh") > bits("none", 4, "zh"));
});

/** Mean share of right answers of a scheme over the seeds. */
const right = (scheme, task) => {
  const seeds = Object.values(probes[scheme][task]);
  return seeds.reduce((sum, share) => sum + share, 0) / seeds.length;
};
const min = (schemes, task) => Math.min(...schemes.map((id) => right(id, task)));
const max = (schemes, task) => Math.max(...schemes.map((id) => right(id, task)));

const rotary = ["rope", "xpos"];
const vectors = ["shaw", "transformer_xl", "deberta"];
const tables = ["learned", "one_hot"];
const biases = ["alibi", "t5", "kerple", "fire", "sandwich"];

test("tasks: at a fixed distance biases do worse than rotation, vectors and tables", () => {
  assert.match(english("08-tasks"), /only add a bias .* do worse in so few steps/);
  for (const task of ["copy", "k_back"])
    assert.ok(
      max(biases, task) < min([...rotary, ...vectors, ...tables], task),
      `${task}: ${max(biases, task)}`,
    );
});

test("tasks: where no distance stays, what is added to the word leads", () => {
  assert.match(english("08-tasks"), /no relative scheme makes up for/);
  const added = ["sinusoidal", ...tables];
  for (const task of ["reverse", "ordered_recall"])
    assert.ok(
      min(added, task) > max([...rotary, ...vectors, ...biases, "mla", "cope"], task),
      `${task}: ${min(added, task)}`,
    );
});

test("tasks: who acts is guessed without positions, and known with sinusoids or RoPE", () => {
  assert.match(english("08-tasks"), /about nine answers in ten or more are right/);
  for (const scheme of ["nope", "none"])
    assert.ok(Math.abs(right(scheme, "agent") - 0.5) < 0.05, scheme);
  for (const scheme of ["sinusoidal", "rope"]) assert.ok(right(scheme, "agent") > 0.87, scheme);
});

test("the slowest hands of the essay's clock come round as it says", () => {
  const essay = textOf("web/essay/05-clock/en.html").replace(/\s+/g, " ");
  assert.match(essay, /fastest comes round in 6\.3 tokens.* slowest of 64 takes about 54,000/);
  const turn = (pair) => 2 * Math.PI * 10_000 ** ((2 * pair) / 128);
  assert.equal(turn(0).toFixed(1), "6.3");
  assert.equal(Math.round(turn(63) / 1000), 54);
});

test("train short: the size of rows that no training reached", () => {
  const essay = textOf("web/essay/08-beyond/en.html").replace(/\s+/g, " ");
  assert.match(essay, /its vectors are a seventh of the size/);
  // A row of the table begins with normal numbers of this deviation; a sinusoid's mean square is ½.
  const [, deviation] = /lengthRecipe = \{[\s\S]*?initializerRange: ([\d.]+)/.exec(
    textOf("web/defaults.ts"),
  );
  assert.equal(Math.round(Math.SQRT1_2 / deviation), 7);
});

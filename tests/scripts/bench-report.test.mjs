// The bench's report of a run, in the terminal and in the documents.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { isFor, jobsOf } from "../../bench/jobs.mjs";
import { barsSvg } from "../../bench/report/bars.mjs";
import { readRun, writeDocs, writeRun } from "../../bench/report/docs.mjs";
import { lengthsSvg } from "../../bench/report/lengths-plot.mjs";
import { lengthCells, milliseconds, verdict } from "../../bench/report/numbers.mjs";
import { originText, withLines } from "../../bench/report/recorded.mjs";
import { terminalTable } from "../../bench/report/terminal.mjs";
import { readTable } from "../../bench/table.mjs";

const sections = {
  peers: { title: "Against peers", figure: "peer ÷ ours", direction: "atLeast" },
  quantised: { title: "Quantised", figure: "f32 ÷ this", direction: "atLeast" },
  lengths: { title: "Lengths", figure: "none", direction: "atMost", isLengths: true },
};
const common = { section: "peers", where: "node", threads: 1, direction: "atLeast", gflops: 31.4 };
const lines = [
  {
    ...common,
    work: "quick work",
    topic: "swift",
    must: 1.3,
    aim: 2,
    figure: 1.75,
    best: "Rival",
    times: { whereformer: 2, Slow: 9, Rival: 3.5 },
    operations: 4e6,
    met: true,
    reached: false,
  },
  {
    ...common,
    work: "slow <work>",
    topic: "swift",
    must: 3,
    figure: 1.234,
    best: "Rival",
    times: { whereformer: 123.4, Rival: 150 },
    met: false,
  },
  { ...common, work: "no work", must: 2, notOffered: "why", times: { Rival: 5 } },
  { ...common, section: "lengths", work: "n 16, a", tokens: 16, times: { A: 1 }, failures: {} },
  {
    ...common,
    section: "lengths",
    work: "n 32, a",
    tokens: 32,
    times: {},
    failures: { A: "out of memory" },
  },
];
const decoding = { ...common, section: "quantised", work: "int8, decode: f32 ÷ int8" };
lines.push({ ...decoding, figure: 2.5 }, { ...decoding, where: "chromium", figure: 3.5 });
const machine = { cpu: "a processor", cores: 2, places: ["Node 20"] };
const run = { lines, machine, command: "npm run bench", date: "2026-01-02", seconds: 5 };

test("the terminal shows times, ratio, bar and machine, and lists rows below their bar", () => {
  const text = terminalTable(run, sections);
  assert.match(text, /quick work +node +1 +2\.00 +2 +3\.50 +Rival +1\.75 +≥ 1\.3 +≥ 2 +met +31/);
  assert.match(text, /slow <work> +node +1 +123 +150 +Rival +1\.23 +≥ 3 +BELOW/);
  // A feature that the engine does not have shows no time of its own.
  assert.match(text, /no work +node +1 +– +5\.00 +Rival +– +≥ 2 +not offered/);
  assert.match(text, /^1 of 2 bars met/m);
  assert.match(text, /^below: slow <work>, node: 1\.23, ≥ 3$/m);
  assert.match(text, /npm run bench · 2026-01-02 · a processor, 2 cores · 5 s/);
});

test("rows that are measured later replace those of the record, and say when", () => {
  const line = (id, figure, where = "node") => ({
    id,
    work: `work ${id}`,
    where,
    threads: 1,
    figure,
  });
  const first = { ...run, lines: [line("a", 1), line("a", 2, "chromium"), line("gone", 3)] };
  const again = { ...run, command: "npm run bench -- --only b,a", date: "2026-01-03" };
  const ids = ["b", "a"];
  const second = withLines(first, { ...again, lines: [line("a", 4), line("b", 5)] }, ids);
  assert.deepEqual(second.lines, [line("b", 5), line("a", 4), line("a", 2, "chromium")]);
  assert.equal(second.command, run.command);
  const third = withLines(second, { ...again, date: "2026-01-04", lines: [line("a", 6)] }, ids);
  assert.deepEqual(third.lines, [line("b", 5), line("a", 6), line("a", 2, "chromium")]);
  assert.deepEqual(
    third.later.map(({ date, keys }) => [date, keys]),
    [
      ["2026-01-03", ["b node 1"]],
      ["2026-01-04", ["a node 1"]],
    ],
  );
  const said = originText(third, third.lines);
  assert.match(said[0], /^`npm run bench`, 2026-01-02/);
  assert.match(said[4], /^- work b: `npm run bench -- --only b,a`, 2026-01-03, on 2 virtual/);
  assert.match(said[5], /^- work a: .*2026-01-04/);
  // Where none of its lines is shown, a later run is not named.
  assert.equal(originText(third, [line("a", 2, "chromium")]).length, 2);
});

test("cost against length has a column for each form, with a reason if one fails", () => {
  assert.deepEqual(lengthCells(lines.slice(3, 5)), [
    ["n", "A"],
    ["16", "1.00"],
    ["32", "cannot"],
  ]);
  assert.match(terminalTable(run, sections), /^A, n 32: out of memory$/m);
});

test("a row with an error or without a figure is never reported as met", () => {
  assert.equal(verdict({ error: "x", figure: 9, must: 1, met: true }), "error");
  assert.equal(verdict({ figure: Number.NaN, must: 1 }), "");
  assert.equal(verdict({ figure: 2, must: 1, met: true, reached: true }), "aim reached");
  assert.equal(milliseconds(undefined), "–");
});

test("bars have one rectangle for each measured row, and escape names", () => {
  const svg = barsSvg(run);
  assert.equal(svg.match(/<rect /g).length, 2);
  assert.equal(svg.match(/<rect class="below"/g).length, 1);
  assert.ok(svg.includes("slow &#60;work&#62;") && !svg.includes("<work>"));
});

test("the plot has a curve for each form, and marks lengths at which it fails", () => {
  const svg = lengthsSvg(
    [
      { tokens: 16, times: { A: 1, B: 2 } },
      { tokens: 32, times: { A: 4 }, failures: { B: "no memory" } },
    ],
    "2026-01-02",
  );
  assert.equal(svg.match(/<polyline /g).length, 2);
  assert.equal(svg.match(/<circle /g).length, 3);
  assert.match(svg, />B<\/text>.*✕ cannot at 32/);
  assert.equal(svg.match(/cannot/g).length, 1);
  assert.ok(!/NaN|Infinity/.test(svg));
  assert.equal(lengthsSvg([], ""), undefined);
});

const documents = ["bench.md", "bench-rows.md", "quantisation.md"];
const committed = (name) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8");

/** Writes a run to copies of the documents, and passes a function that reads them to `use`. */
function written(run, use) {
  const root = mkdtempSync(join(tmpdir(), "whereformer-bench-"));
  try {
    mkdirSync(join(root, "docs"));
    for (const name of documents) writeFileSync(join(root, "docs", name), committed(name));
    writeRun(root, run);
    writeDocs(root, readRun(root), run === recorded ? readTable().sections : sections);
    use((name) => readFileSync(join(root, "docs", name), "utf8"));
  } finally {
    rmSync(root, { recursive: true });
  }
}

const recorded = JSON.parse(committed("bench.json"));

test("documents keep their prose and get the run's tables between their marks", () => {
  written(run, (read) => {
    for (const name of documents) {
      const page = committed(name);
      assert.ok(read(name).startsWith(page.slice(0, page.indexOf("<!-- begin: "))));
      assert.ok(read(name).endsWith(page.slice(page.indexOf("<!-- end -->"))));
    }
    assert.match(read("bench-rows.md"), /\| quick work \| node \| 1 \| 2\.00 \|/);
    assert.match(read("bench.md"), /\| swift \| 1\.23–1\.75 \| {2}\| {2}\| Rival \|/);
    assert.match(read("bench.md"), /1 of 2 bars met.*slow <work> \(≥ 3\): 1\.23 in Node/);
    assert.match(read("quantisation.md"), /\| decode: f32 ÷ this type \| 2\.50; 3\.50 \|/);
  });
});

test("documents and charts match the recorded run", () => {
  written(recorded, (read) => {
    for (const name of [...documents, "bench.json", "bench.svg", "bench-lengths.svg"])
      assert.equal(
        read(name),
        committed(name),
        `${name} is out of date (npm run bench -- --docs writes it)`,
      );
  });
});

test("each process of a place is a job; a row is measured in the places it names", () => {
  const jobs = jobsOf({ where: ["node", "firefox"], threads: [1, 2], processes: 3, settings: {} });
  assert.equal(jobs.length, 12);
  assert.deepEqual(jobs.find(({ where }) => where === "firefox").peers, ["ours"]);
  const row = { where: ["node"], draws: 1 };
  assert.equal(jobs.filter((job) => isFor(row, job)).length, 1);
  assert.equal(jobs.filter((job) => isFor({ threads: [1, 2] }, job)).length, 12);
  assert.equal(jobs.filter((job) => isFor({}, job)).length, 6);
});

// The bench's statistics, and the rules for its table and options.

import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { compareAll } from "../../bench/jobs.mjs";
import { compareBuilds, prepareBuild } from "../../bench/measure/against.mjs";
import { assemble, code, types } from "../../bench/measure/assemble.mjs";
import { deviation, exchangeAxes, uniform } from "../../bench/measure/inputs.mjs";
import { measureRounds, orderOfRound } from "../../bench/measure/rounds.mjs";
import { worthRounds } from "../../bench/measure/row.mjs";
import { bestDraw, bestPeer, isMet, median, medianTimes } from "../../bench/measure/statistics.mjs";
import { hosts, readOptions } from "../../bench/options.mjs";
import { openRecords } from "../../bench/records.mjs";
import { againstText } from "../../bench/report/against.mjs";
import { kinds, outerKinds } from "../../bench/rows/kinds.mjs";
import { chosenRows, readTable } from "../../bench/table.mjs";

const { sections, rows } = readTable();

test("the median is the middle number, or the mean of the middle two", () => {
  assert.equal(median([5, 1, 9]), 5);
  assert.equal(median([4, 1, 9, 2]), 3);
  assert.equal(median([10, 9, 100]), 10);
  assert.ok(Number.isNaN(median([])));
});

test("the ratio is formed inside each round, so a machine that slows down changes nothing", () => {
  const rounds = [1, 1, 10, 10, 10].map((slow) => ({ ours: 2 * slow, a: 3 * slow, b: 5 * slow }));
  assert.deepEqual(bestPeer(rounds, "ours", ["a", "b"]), { name: "a", ratio: 1.5 });
  assert.deepEqual(medianTimes(rounds), { ours: 20, a: 30, b: 50 });
});

test("the best peer has the smallest median ratio, not the luckiest round", () => {
  const rounds = [
    { ours: 1, steady: 2, lucky: 0.5 },
    { ours: 1, steady: 2, lucky: 4 },
    { ours: 1, steady: 2, lucky: 4 },
  ];
  assert.equal(bestPeer(rounds, "ours", ["lucky", "steady"]).name, "steady");
});

test("the best process has the highest or the lowest figure, by the bar's direction", () => {
  const draws = [{ figure: 1.2 }, { figure: undefined }, { figure: 1.4 }, { figure: 1.1 }];
  assert.equal(bestDraw(draws, "atLeast").figure, 1.4);
  assert.equal(bestDraw(draws, "atMost").figure, 1.1);
  assert.equal(bestDraw([{ notOffered: "why" }], "atMost").notOffered, "why");
});

test("a bar is met at the bar or beyond it, and never by a missing figure", () => {
  assert.equal(isMet(1.3, 1.3, "atLeast"), true);
  assert.equal(isMet(1.29, 1.3, "atLeast"), false);
  assert.equal(isMet(0.6, 0.6, "atMost"), true);
  assert.equal(isMet(0.61, 0.6, "atMost"), false);
  assert.equal(isMet(undefined, 1, "atMost"), undefined);
  assert.equal(isMet(3, undefined, "atLeast"), undefined);
});

test("a round runs each contender once, with changing start and direction", () => {
  assert.deepEqual(orderOfRound(3, 0), [0, 1, 2]);
  assert.deepEqual(orderOfRound(3, 1), [1, 0, 2]);
  assert.deepEqual(orderOfRound(3, 5), [2, 1, 0]);
});

/** Keeps the processor busy for about `ms` milliseconds. */
function spin(ms) {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test("rounds time one call of each contender, synchronous or not", async () => {
  const contenders = [
    { name: "quick", isAsync: false, run: () => spin(0.5) },
    { name: "slow", isAsync: true, run: async () => spin(5) },
  ];
  const settings = { rounds: 5, sampleMs: 2, budgetMs: 1000, probe: () => 7 };
  const { rounds, probes } = await measureRounds(contenders, settings);
  assert.equal(rounds.length, 5);
  assert.deepEqual(probes, [7, 7, 7, 7, 7]);
  const { ratio } = bestPeer(rounds, "quick", ["slow"]);
  assert.ok(ratio > 2 && ratio < 50, `${ratio}`);
});

test("far slower contenders are left out of the rounds, but never the fastest peer", () => {
  const all = [
    { name: "ours" },
    { name: "a" },
    { name: "b" },
    { name: "loops", isRuntime: false },
    { name: "bytes", isRuntime: false, isLimit: true },
  ];
  const kept = (once) => worthRounds(all, once).map(({ name }) => name);
  const bytes = 1e6;
  assert.deepEqual(kept({ ours: 30, a: 90, b: 400, loops: 5000, bytes }), ["ours", "a", "bytes"]);
  assert.deepEqual(kept({ ours: 10, a: 900, b: 400, loops: 5000, bytes }), ["ours", "b", "bytes"]);
  assert.equal(kept({ ours: 0.1, a: 20, b: 90, loops: 50, bytes }).length, 5);
});

test("slow work gets fewer rounds, but at least three", async () => {
  let calls = 0;
  const run = () => {
    calls++;
    spin(40);
  };
  const contenders = [{ name: "slow", isAsync: false, run }];
  const settings = { rounds: 50, sampleMs: 2, budgetMs: 60, probe: () => 0 };
  assert.equal((await measureRounds(contenders, settings)).rounds.length, 3);
  assert.ok(calls < 20, `${calls}`);
});

test("a deviation is relative to the largest number; NaN or another length is infinite", () => {
  assert.equal(deviation([2, -4], [2, -4]), 0);
  assert.equal(deviation([2, -4], [2.5, -4]), 0.125);
  assert.equal(deviation([1, 2], [1, Number.NaN]), Number.POSITIVE_INFINITY);
  assert.equal(deviation([1, 2], [1]), Number.POSITIVE_INFINITY);
});

test("inputs are the same for the same seed, and have both signs", () => {
  const numbers = uniform(1000, 3);
  assert.deepEqual(uniform(1000, 3), numbers);
  assert.notDeepEqual(uniform(1000, 4), numbers);
  assert.ok(numbers.every((x) => x >= -1 && x < 1) && numbers.some((x) => x < 0));
  const data = Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
  const exchanged = exchangeAxes(data, 3, 2, 2);
  assert.deepEqual([...exchanged], [1, 2, 5, 6, 9, 10, 3, 4, 7, 8, 11, 12]);
  assert.deepEqual(exchangeAxes(exchanged, 2, 3, 2), data);
});

test("the assembler's modules are valid and compute the right sum", () => {
  // A loop over vectors that adds 3 as many times as the argument says.
  const bytes = assemble({
    parameters: [types.i32],
    result: types.f32,
    locals: [types.v128],
    body: [
      code.loop(
        [code.get(1), code.f32(3), code.splat, code.addVectors, code.set(1)].flat(),
        [code.get(0), code.i32(1), code.subtract, code.tee(0)].flat(),
      ),
      [code.get(1), code.lane(2)].flat(),
    ],
  });
  const { run } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
  assert.equal(run(5), 15);
  assert.equal(run(200), 600);
});

test("every row of the table has a unique id, a known kind, a section and valid bars", () => {
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
  for (const row of rows) {
    const { id, kind, section, work, parameters, must, aim } = row;
    assert.match(id, /^[a-z0-9_-]+$/);
    assert.ok(kind in kinds || outerKinds.includes(kind), `${id}: ${kind}`);
    assert.ok(section in sections, `${id}: ${section}`);
    assert.ok(work.length > 0 && typeof parameters === "object", id);
    for (const bar of [must, aim]) assert.ok(bar === undefined || bar > 0, id);
    const { direction } = { ...sections[section], ...row };
    assert.ok(["atLeast", "atMost"].includes(direction), id);
    if (must !== undefined && aim !== undefined)
      assert.ok(
        direction === "atLeast" ? aim >= must : aim <= must,
        `${id}: the aim is easier than the bar`,
      );
    for (const place of row.where ?? []) assert.ok(hosts.includes(place), `${id}: ${place}`);
  }
});

test("options choose rows, and unknown options are refused", () => {
  const quick = chosenRows(rows, readOptions(["--quick"]));
  assert.ok(quick.length > 5 && quick.length < rows.length);
  const only = chosenRows(rows, readOptions(["--only", "layer-norm,rotary"]));
  assert.deepEqual(
    only.map(({ id }) => id),
    ["layer-norm", "rotary"],
  );
  assert.deepEqual(readOptions(["--where", "node", "--threads", "2"]).threads, [2]);
  for (const wrong of [["--where", "moon"], ["--threads", "3"], ["--processes", "0"], ["--fast"]])
    assert.throws(() => readOptions(wrong), /expected|Unknown option/i);
});

test("against another build: the median of draws counts, and slower rows are reported", () => {
  const own = rows.filter(({ id }) => ["matmul-64", "matmul-128"].includes(id));
  const records = [1.2, 1.05, 1.0].flatMap((figure, draw) =>
    own.map(({ id }) => ({ id, threads: 1, draw, figure })),
  );
  const { text, slower } = againstText(records, own);
  assert.equal(slower, 1, text);
  assert.match(text, /1\.050 +matmul 128³ +SLOWER/);
  assert.doesNotMatch(text, /64³ +SLOWER/);
  assert.equal(againstText([{ id: "matmul-64", threads: 1, error: "lost" }], own).slower, 0);
});

test("a row that was slower counts as slower only if it is so when measured again", () => {
  const [row] = rows.filter(({ id }) => id === "matmul-128");
  const records = [
    { id: row.id, threads: 1, draw: 1, figure: 1.2 },
    { id: row.id, threads: 1, draw: 1, attempt: 2, figure: 1.01 },
  ];
  assert.equal(againstText(records.slice(0, 1), [row]).slower, 1);
  const { text, slower } = againstText(records, [row]);
  assert.equal(slower, 0);
  assert.match(text, /1\.010 +matmul 128³, measured 2 times$/m);
});

test("rows slower than is allowed are measured again three times, and no other row", async () => {
  const own = rows.filter(({ id }) => ["matmul-128", "matmul-256"].includes(id));
  const records = {
    all: [],
    has: () => true,
    add: (record) => records.all.push(record),
  };
  const measured = [];
  // All records exist, so no process starts; each attempt requests its own.
  records.has = ({ id, attempt, draw }) => {
    measured.push(`${id} ${attempt}`);
    records.add({ id, threads: 1, draw, attempt, figure: id === "matmul-256" ? 1.2 : 1 });
    return true;
  };
  const options = { where: ["node"], threads: [1], processes: 1, settings: {}, against: "/dist" };
  await compareAll(own, options, records);
  assert.deepEqual(measured, [
    "matmul-128 1",
    "matmul-256 1",
    "matmul-256 2",
    "matmul-256 3",
    "matmul-256 4",
  ]);
});

/**
 * A build whose call of "ours" takes `ms` on a clock that calls alone advance; `drift` makes each
 * call slower than the one before. "base", beside it, takes `baseMs`.
 */
function pretendBuild(clock, ms, { baseMs = 1, drift = 1 } = {}) {
  const called = { ours: 0, base: 0 };
  const contender = (name, cost) => ({
    name,
    isAsync: false,
    run: () => {
      called[name]++;
      clock.speed *= drift;
      clock.now += cost * clock.speed;
    },
  });
  const host = { threads: 1, processorTime: () => clock.now };
  const here = { host, peers: { ours: {} }, settings: { sampleMs: 4 } };
  const prepare = async () => ({
    contenders: [contender("ours", ms), contender("base", baseMs)],
    figure: (times) => times.base / times.ours,
  });
  return { called, prepared: prepareBuild({ parameters: {} }, here, prepare) };
}

const compared = async (builds) =>
  compareBuilds(await Promise.all(builds.map(({ prepared }) => prepared)), {
    rounds: 9,
    budgetMs: 5000,
  });

test("a build compared with itself gives 1, also for a row that is a ratio by itself", async () => {
  const clock = { now: 0, speed: 1 };
  const builds = [1, 2].map(() => pretendBuild(clock, 2, { baseMs: 2.44 }));
  const { figure, fromArrays, rounds } = await compared(builds);
  assert.equal(figure, 1);
  assert.equal(fromArrays, undefined);
  assert.equal(rounds.length, 9);
  for (const { called } of builds) assert.ok(called.ours > 9 && called.base === 0);
});

test("two builds differ by their calls, however the machine changes its speed", async () => {
  const clock = { now: 0, speed: 1 };
  const drift = 1.002;
  const builds = [3, 2].map((ms) => pretendBuild(clock, ms, { drift }));
  const { figure } = await compared(builds);
  assert.ok(Math.abs(figure - 1.5) < 0.02, `${figure}`);
});

test("a row that one build refuses, or without rounds, needs no rounds", async () => {
  const host = { threads: 1 };
  const here = { host, peers: { ours: {} }, settings: {} };
  const prepared = (prepare) => prepareBuild({ parameters: {} }, here, prepare);
  const memory = async (figure) => prepared(async () => ({ result: { figure } }));
  assert.deepEqual(await compareBuilds([await memory(30), await memory(20)], {}), { figure: 1.5 });
  const refused = await prepared(async () => {
    throw Object.assign(new Error("no such scheme"), { code: "unsupported" });
  });
  assert.deepEqual(await compareBuilds([await memory(30), refused], {}), {
    notOffered: "no such scheme",
  });
});

test("--against needs a built dist, and measures in Node only", () => {
  assert.throws(() => readOptions(["--against", "/nowhere"]), /expected a built dist/);
  assert.throws(() => readOptions(["--against"]), /usage|argument/i);
  assert.throws(
    () => readOptions(["--model", "/nowhere"]),
    /--model: \/nowhere \(expected an existing file/,
  );
});

test("an interrupted run continues, measuring failed rows and other builds again", () => {
  const folder = mkdtempSync(join(tmpdir(), "wf-bench-"));
  try {
    const file = join(folder, "results/records.jsonl");
    const row = (id, rest = {}) => ({ id, where: "node", threads: 1, draw: 1, ...rest });
    const first = openRecords(file, { build: "a" }, false);
    first.add(row("good", { figure: 2 }));
    first.add(row("failed", { error: "lost" }));
    appendFileSync(file, '{"id":"cut o');
    const second = openRecords(file, { build: "a" }, true);
    assert.deepEqual(second.all, [row("good", { figure: 2 })]);
    assert.equal(second.has(row("good")), true);
    assert.equal(second.has(row("failed")), false);
    assert.equal(second.has({ ...row("good"), threads: 2 }), false);
    second.add(row("failed", { figure: 3 }));
    assert.equal(openRecords(file, { build: "a" }, true).all.length, 2);
    assert.deepEqual(openRecords(file, { build: "b" }, true).all, []);
    openRecords(file, { build: "b" }, false);
    assert.equal(readFileSync(file, "utf8").split("\n").length, 2);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

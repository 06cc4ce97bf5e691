// npm run bench: the shipped package against its peers, itself and the machine's limits.

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { root } from "../scripts/setup/ensure.mjs";
import { ensureNodePackages } from "../scripts/setup/node-packages.mjs";
import { runMain, SetupError } from "../scripts/setup/process.mjs";
import { say } from "../scripts/setup/progress.mjs";
import { startProcess, whyNot } from "./hosts/start.mjs";
import { bestDraw, isMet } from "./measure/statistics.mjs";
import { readOptions, usage } from "./options.mjs";
import { bundleGradients } from "./peers/tfjs-gradients.mjs";
import { terminalTable } from "./report/terminal.mjs";
import { chosenRows, readTable } from "./table.mjs";

const folder = join(root, "bench");

/** Processes that measure: for each place and number of threads as many as asked for. */
function jobsOf({ where, threads, processes, settings }) {
  const jobs = [];
  for (const place of where) {
    // Firefox is there to show that ours is fast in it too.
    const peers = place === "firefox" ? ["ours"] : ["ours", "ort", "tfjs", "plain"];
    for (const count of threads)
      for (let draw = 1; draw <= processes; draw++)
        jobs.push({ where: place, threads: count, draw, peers, settings });
  }
  return jobs;
}

const isFor = (row, { where, threads }) =>
  (row.where ?? ["node", "chromium", "firefox"]).includes(where) &&
  (row.threads ?? [1]).includes(threads);

async function measureJob(job, rows, record) {
  const wanted = rows.filter((row) => isFor(row, job));
  if (wanted.length === 0) return;
  const title = `${job.where}, ${job.threads} thread${job.threads > 1 ? "s" : ""}, process ${job.draw}`;
  const process = await startProcess(job.where, job);
  try {
    say(`== ${title}: ${process.machine}`);
    for (const row of wanted) {
      const result = await process.measure(row);
      record(row, { ...job, machine: process.machine }, result);
      const { figure, gflops, best, notOffered, error } = result;
      const said = Number.isFinite(figure)
        ? `${figure.toFixed(2)}${best ? ` × ${best}` : ""}`
        : (error ?? notOffered ?? "measured");
      say(`   ${row.work}: ${said}${gflops ? ` [${gflops.toFixed(0)} GFLOP/s]` : ""}`);
    }
  } finally {
    await process.close();
  }
}

/** One line for each row, place and number of threads: the best draw, and whether it reaches the bars. */
function linesOf(records, rows, sections) {
  const groups = Map.groupBy
    ? Map.groupBy(records, ({ key }) => key)
    : records.reduce((map, one) => map.set(one.key, [...(map.get(one.key) ?? []), one]), new Map());
  return [...groups.values()].map((draws) => {
    const row = rows.find(({ id }) => id === draws[0].id);
    const { direction } = { ...sections[row.section], ...row };
    const best = bestDraw(draws, direction);
    return {
      ...best,
      draws: draws.map(({ figure }) => figure),
      section: row.section,
      work: row.work,
      must: row.must,
      aim: row.aim,
      direction,
      met: isMet(best.figure, row.must, direction),
      reached: isMet(best.figure, row.aim, direction),
    };
  });
}

await runMain(async () => {
  const options = readOptions(process.argv.slice(2));
  const { sections, rows: all } = readTable();
  const rows = chosenRows(all, options);
  if (rows.length === 0)
    throw new SetupError(`--only ${options.only}: no row has such an id\n${usage}`);
  if (options.list) {
    for (const { id, work } of rows) say(`${id.padEnd(28)}${work}`);
    return 0;
  }
  if (!existsSync(join(root, "dist/index.js")))
    throw new SetupError("There is no dist: run npm run build first.");
  await ensureNodePackages(root);
  await ensureNodePackages(folder);
  await bundleGradients();
  const began = Date.now();
  const records = [];
  for (const job of jobsOf(options)) {
    const reason = whyNot(job.where);
    if (reason) {
      if (job.draw === 1) say(`== ${job.where} is left out: ${reason}`);
      continue;
    }
    await measureJob(job, rows, (row, { where, threads, draw, machine }, result) => {
      const key = `${row.id} ${where} ${threads}`;
      records.push({ key, id: row.id, where, threads, draw, machine, ...result });
    });
  }
  const lines = linesOf(records, rows, sections);
  const run = {
    command: `npm run bench -- ${process.argv.slice(2).join(" ")}`.trim(),
    date: new Date().toISOString().slice(0, 10),
    machine: { cpu: cpus()[0]?.model ?? "unknown", cores: cpus().length },
    seconds: Math.round((Date.now() - began) / 1000),
    lines,
  };
  mkdirSync(join(folder, "results"), { recursive: true });
  writeFileSync(
    join(folder, "results/latest.json"),
    `${JSON.stringify({ ...run, records }, null, 1)}\n`,
  );
  say(`\n${terminalTable(run, sections)}`);
  const failed = records.filter(({ error }) => error);
  return failed.length > 0 ? 1 : 0;
});

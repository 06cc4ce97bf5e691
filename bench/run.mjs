// npm run bench: compares the shipped package with its peers, with itself and with the machine's
// limits.

import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { build } from "../scripts/build.mjs";
import { ensure, root } from "../scripts/setup/ensure.mjs";
import { ensureNodePackages } from "../scripts/setup/node-packages.mjs";
import { relaxedSimdFlags, runMain, unexpected } from "../scripts/setup/process.mjs";
import { say } from "../scripts/setup/progress.mjs";
import { commitOf } from "./commit.mjs";
import { compareAll, measureAll } from "./jobs.mjs";
import { isComparable } from "./measure/against.mjs";
import { bestDraw, isMet } from "./measure/statistics.mjs";
import { readOptions } from "./options.mjs";
import { bundleGradients } from "./peers/tfjs-gradients.mjs";
import { buildOf, openRecords } from "./records.mjs";
import { againstText } from "./report/against.mjs";
import { readRun, writeDocs, writeRun } from "./report/docs.mjs";
import { withLines } from "./report/recorded.mjs";
import { terminalTable } from "./report/terminal.mjs";
import { chosenRows, readTable } from "./table.mjs";

const folder = join(root, "bench");

/**
 * Returns one line for each row, host and number of threads: the best draw, and whether it reaches
 * its bars.
 */
function linesOf(records, rows, sections) {
  const groups = new Map();
  for (const record of records) {
    const key = `${record.id} ${record.where} ${record.threads}`;
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  return [...groups.values()].map((draws) => {
    const row = rows.find(({ id }) => id === draws[0].id);
    const { direction } = { ...sections[row.section], ...row };
    const { rounds, ...best } = bestDraw(draws, direction);
    const {
      section,
      topic,
      work,
      must,
      aim,
      unit,
      operations = best.operations,
      bytes = best.bytes,
    } = row;
    const { tokens } = row.parameters;
    const facts = { section, topic, work, must, aim, unit, direction, operations, bytes, tokens };
    return {
      ...best,
      ...facts,
      draws: draws.map(({ figure }) => figure),
      met: isMet(best.figure, must, direction),
      reached: isMet(best.figure, aim, direction),
    };
  });
}

/** Returns the names and versions of the engines that were measured. */
const machinesOf = (records) => [...new Set(records.map(({ machine }) => machine))];

await runMain(async () => {
  const args = process.argv.slice(2);
  const options = readOptions(args);
  const { sections, rows: all } = readTable();
  const chosen = chosenRows(all, options);
  const rows = options.against ? chosen.filter(isComparable) : chosen;
  if (rows.length === 0)
    throw unexpected("--only", options.only, "ids of rows; --list prints them");
  if (options.list) {
    for (const { id, work } of rows) say(`${id.padEnd(28)}${work}`);
    return 0;
  }
  if (options.docs) {
    writeDocs(root, readRun(root), sections);
    return 0;
  }
  if (options.builds)
    await build(["wasm", "package"], await ensure({ groups: ["build", "windows"] }));
  if (options.model) {
    const program = [...relaxedSimdFlags(), join(folder, "given-model.mjs"), options.model];
    return spawnSync(process.execPath, program, { stdio: "inherit" }).status ?? 1;
  }
  await ensureNodePackages(folder);
  if (!options.against) await bundleGradients();
  const began = Date.now();
  const { settings, against, resume } = options;
  const measured = { build: buildOf(join(root, "dist")), against, settings };
  const kept = openRecords(join(folder, "results/records.jsonl"), measured, resume);
  if (kept.all.length > 0) say(`${kept.all.length} results of a run that was stopped are kept`);
  await (options.against ? compareAll : measureAll)(rows, options, kept);
  const wanted = new Set(rows.map(({ id }) => id));
  const records = kept.all.filter(({ id }) => wanted.has(id));
  if (options.against) {
    const { text, slower } = againstText(records, rows);
    say(`\n${text}\n${Math.round((Date.now() - began) / 1000)} s`);
    return slower > 0 || records.some(({ error }) => error) ? 1 : 0;
  }
  const run = {
    command: ["npm run bench", ...(args.length > 0 ? ["--", ...args] : [])].join(" "),
    commit: commitOf(root),
    date: new Date().toISOString().slice(0, 10),
    machine: {
      cpu: cpus()[0]?.model ?? "unknown",
      cores: cpus().length,
      places: machinesOf(records),
    },
    seconds: Math.round((Date.now() - began) / 1000),
    lines: linesOf(records, rows, sections),
  };
  mkdirSync(join(folder, "results"), { recursive: true });
  writeFileSync(join(folder, "results/latest.json"), `${JSON.stringify({ ...run, records })}\n`);
  say(`\n${terminalTable(run, sections)}`);
  if (options.write) {
    const ids = all.map(({ id }) => id);
    const recorded = options.only ? withLines(readRun(root), run, ids) : run;
    writeRun(root, recorded);
    writeDocs(root, recorded, sections);
  }
  return records.some(({ error }) => error) ? 1 : 0;
});

// Assigns rows to processes, and replaces a process that ends early.

import { setTimeout } from "node:timers/promises";
import { say } from "../scripts/setup/progress.mjs";
import { startProcess, whyNot } from "./hosts/start.mjs";
import { slowerLines } from "./report/against.mjs";

const minutesOfRow = 10;

/** Returns the processes: for each host and number of threads, as many as requested. */
export function jobsOf({ where, threads, processes, settings, against, attempt }) {
  const jobs = [];
  for (const host of where) {
    // Firefox only shows that this package is fast in it too.
    const isAlone = host === "firefox" || against;
    const peers = isAlone ? ["ours"] : ["ours", "ort", "tfjs", "plain"];
    for (const count of threads)
      for (let draw = 1; draw <= processes; draw++)
        jobs.push({ where: host, threads: count, draw, peers, settings, against, attempt });
  }
  return jobs;
}

/**
 * Whether a row belongs to a job. A row's `draws` limits the number of processes that measure it,
 * but not of those that compare two builds.
 */
export const isFor = (row, { where, threads, draw, against }) =>
  (row.where ?? ["node", "chromium", "firefox"]).includes(where) &&
  (row.threads ?? [1]).includes(threads) &&
  (against !== undefined || draw <= (row.draws ?? draw));

const nameOf = ({ where, threads, draw }) =>
  `${where}, ${threads} thread${threads > 1 ? "s" : ""}, process ${draw}`;

/** Returns a result in short, to print during the run. */
function shortly({ figure, best, notOffered, error, failures, times, gflops }) {
  const said = [];
  if (Number.isFinite(figure)) said.push(`${figure.toFixed(2)}${best ? ` × ${best}` : ""}`);
  else if (error) said.push(error);
  else if (notOffered) said.push(`not offered: ${notOffered}`);
  else said.push(...Object.entries(times ?? {}).map(([name, ms]) => `${name} ${ms.toFixed(1)} ms`));
  for (const [name, failure] of Object.entries(failures ?? {})) said.push(`${name}: ${failure}`);
  return said.join("; ") + (gflops ? ` [${gflops.toFixed(0)} GFLOP/s]` : "");
}

async function measureOrSay(process, row) {
  const late = new AbortController();
  try {
    return await Promise.race([
      process.measure(row),
      setTimeout(minutesOfRow * 60_000, undefined, { signal: late.signal }).then(() => {
        throw new Error(`no result after ${minutesOfRow} minutes`);
      }),
    ]);
  } catch (error) {
    return { error: String(error?.message ?? error).split("\n")[0], isLost: true };
  } finally {
    late.abort();
  }
}

/**
 * Measures the rows of a job and calls `record(row, job, result)` for each. Replaces a lost
 * process.
 */
export async function measureJob(job, rows, record) {
  let process;
  const close = async () => {
    await process?.close().catch(() => {});
    process = undefined;
  };
  for (const row of rows) {
    if (row.needsProcess) await close();
    if (!process) {
      const rowJob = row.needsProcess ? { ...job, peers: [row.parameters.peer] } : job;
      process = await startProcess(job.where, rowJob);
      if (!row.needsProcess) say(`== ${nameOf(job)}: ${process.machine}`);
    }
    const { machine } = process;
    const { isLost, ...result } = await measureOrSay(process, row);
    // For a peer at growing sizes, the end of its process is the result.
    const isAnswer = isLost && row.needsProcess;
    const answer = isAnswer
      ? { times: {}, failures: { [row.parameters.peer]: result.error } }
      : result;
    record(row, { ...job, machine }, answer);
    say(`   ${row.work}: ${shortly(answer)}`);
    if (isLost || row.needsProcess) await close();
  }
  await close();
}

/** Measures all requested rows that `records` lacks, and adds them. */
export async function measureAll(rows, options, records) {
  const record = ({ id }, { where, threads, draw, attempt, machine }, result) =>
    records.add({ id, where, threads, draw, attempt, machine, ...result });
  for (const job of jobsOf(options)) {
    const wanted = rows.filter((row) => isFor(row, job) && !records.has({ ...job, id: row.id }));
    const reason = wanted.length > 0 && whyNot(job.where);
    if (reason && job.draw === 1) say(`== ${job.where} is left out: ${reason}`);
    if (wanted.length > 0 && !reason) await measureJob(job, wanted, record);
  }
}

const maxAttempts = 4;

/**
 * Compares two builds: measures rows that are slower than is allowed again, in new processes, up to
 * three times. A row is reported as slower only if it was so each time.
 */
export async function compareAll(rows, options, records) {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const slower = attempt === 1 ? undefined : slowerLines(records.all, rows);
    const again = rows.flatMap((row) => {
      const threads = slower?.filter(({ id }) => id === row.id).map((line) => line.threads);
      return threads === undefined ? [row] : threads.length > 0 ? [{ ...row, threads }] : [];
    });
    if (again.length === 0) return;
    if (slower) say(`== ${slower.length} rows again, which were slower`);
    await measureAll(again, { ...options, attempt }, records);
  }
}

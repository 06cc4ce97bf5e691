// Compares this build with another one. Each has its own process, so that neither finds its memory
// or its compiled code beside the other's; the processes time the same call in turns.

import { setTimeout } from "node:timers/promises";
import { NotOffered } from "../peers/ours.mjs";
import { kinds } from "../rows/kinds.mjs";
import { callsOfSample, orderOfRound, roundsWithin, timeCalls } from "./rounds.mjs";
import { median } from "./statistics.mjs";

/**
 * Returns the maximum ratio to the time before: small products consist mostly of the call itself.
 */
export const allowedOf = ({ kind, parameters }) =>
  kind === "matmul" && parameters.n <= 64 ? 1.1 : 1.03;

/** Whether a kind measures the time of calls to this package. */
export const isComparable = ({ kind, needsProcess }) =>
  kind in kinds && !needsProcess && !["download", "threads"].includes(kind);

/** Returns the package's own forms of a row: with operands in the engine, and as arrays if any. */
function ourForms([ours, ...others]) {
  const copied = others.find(({ isCopied }) => isCopied);
  return copied ? { tensors: ours, arrays: copied } : { tensors: ours };
}

/**
 * Prepares a row in the process of one build. Resolves to `about`, which is `{ figure }` for a row
 * without rounds, `{ notOffered }`, `{ error }`, or the calls of a sample of each form and what
 * they cost together; to `time(calls)`, the milliseconds of one call of each form; and to
 * `dispose`. With one thread, the clock is the processor time of the process, so that other work on
 * the machine counts less.
 */
export async function prepareBuild(row, { host, peers, settings }, prepare = kinds[row.kind]) {
  const clock = host.threads === 1 ? host.processorTime : undefined;
  let contenders = [];
  const dispose = async () => {
    for (const contender of contenders) await contender.dispose?.();
  };
  try {
    if (peers.ours.missing) throw new NotOffered(peers.ours.missing);
    const prepared = await prepare(row.parameters, { host, peers, settings, isAlone: true });
    if (prepared.result) return { about: { figure: prepared.result.figure }, dispose };
    contenders = prepared.contenders;
    if (prepared.notOffered) throw new NotOffered(prepared.notOffered);
    const forms = Object.entries(ourForms(contenders));
    const calls = {};
    let cost = 0;
    for (const [name, contender] of forms) {
      calls[name] = await callsOfSample(contender, settings.sampleMs, clock);
      cost += await timeCalls(contender, calls[name], clock);
    }
    const time = async (asked) => {
      const times = {};
      for (const [name, contender] of forms)
        times[name] = (await timeCalls(contender, asked[name], clock)) / asked[name];
      return times;
    };
    return { about: { calls, cost }, time, dispose };
  } catch (error) {
    await dispose();
    const isRefusal = error instanceof NotOffered || error?.code === "unsupported";
    const about = isRefusal
      ? { notOffered: error.message }
      : { error: String(error?.stack ?? error) };
    return { about, dispose: async () => {} };
  }
}

/** Returns the times of one round: for each build and form the minimum of its samples. */
async function timeRound(builds, calls, round, { passes, restMs }) {
  const times = builds.map(() => ({}));
  for (let pass = 0; pass < passes; pass++) {
    for (const index of orderOfRound(builds.length, round + pass)) {
      if (restMs > 0) await setTimeout(restMs);
      for (const [name, ms] of Object.entries(await builds[index].time(calls)))
        times[index][name] = Math.min(times[index][name] ?? Number.POSITIVE_INFINITY, ms);
    }
  }
  return times;
}

/**
 * Compares two builds of which each has prepared a row: `{ about, time(calls) }`, possibly in other
 * processes. Resolves to `{ figure, fromArrays }`: the time of the first divided by that of the
 * second, within each round, and the median over the rounds.
 */
export async function compareBuilds(builds, settings) {
  const about = builds.map((build) => build.about);
  const missing = about.find(({ error, notOffered }) => error ?? notOffered);
  if (missing) return missing;
  if ("figure" in about[0]) return { figure: about[0].figure / about[1].figure };
  const names = Object.keys(about[0].calls).filter((name) => name in about[1].calls);
  const calls = {};
  for (const name of Object.keys({ ...about[0].calls, ...about[1].calls }))
    calls[name] = Math.max(...about.map((one) => one.calls[name] ?? 1));
  const { count, passes } = roundsWithin(about[0].cost + about[1].cost, settings);
  const rounds = [];
  for (let round = 0; round < count; round++)
    rounds.push(await timeRound(builds, calls, round, { ...settings, passes }));
  const ratioOf = (name) => median(rounds.map(([now, before]) => now[name] / before[name]));
  const [figure, fromArrays] = ["tensors", "arrays"].map((name) =>
    names.includes(name) ? ratioOf(name) : undefined,
  );
  return { figure, fromArrays, rounds };
}

// Measures one row of the table, in whatever process this runs.

import * as ort from "../peers/ort.mjs";
import * as ours from "../peers/ours.mjs";
import * as plain from "../peers/plain.mjs";
import * as tfjs from "../peers/tfjs.mjs";
import { kinds } from "../rows/kinds.mjs";
import { deviation } from "./inputs.mjs";
import { fmaProbe } from "./probes.mjs";
import { measureRounds } from "./rounds.mjs";
import { bestPeer, median, medianOfRounds, medianTimes } from "./statistics.mjs";

const sources = { ours, ort, tfjs, plain };

/** Opens the peers that a process has. */
export async function openPeers(host) {
  const peers = {};
  for (const name of host.peers) peers[name] = await sources[name].open(host);
  return peers;
}

/** How far each contender's result is from that of the first; a wrong one is an error. */
async function compare(contenders, tolerance) {
  const results = [];
  for (const { name, run, read = (data) => data } of contenders)
    results.push({ name, data: Float32Array.from(read(await run())) });
  const [first, ...rest] = results;
  return Object.fromEntries(
    rest.map(({ name, data }) => {
      const found = deviation(first.data, data);
      if (!(found <= tolerance))
        throw new Error(`${name} differs from ${first.name} by ${found}, allowed is ${tolerance}`);
      return [name, found];
    }),
  );
}

// A peer that is this much slower than ours and this slow is called once: its rounds would be the
// row's whole time, and its ratio is not the one that decides.
const hopeless = { ratio: 8, ms: 100 };

async function measureContenders(prepared, settings, probe) {
  const { contenders, tolerance, figure, missing = {}, operations } = prepared;
  const deviations = tolerance === undefined ? {} : await compare(contenders, tolerance);
  const once = {};
  const timed = [];
  for (const contender of contenders) {
    const begin = performance.now();
    await contender.run();
    once[contender.name] = performance.now() - begin;
    const limit = Math.max(hopeless.ms, hopeless.ratio * once[contenders[0].name]);
    if (figure || timed.length === 0 || once[contender.name] < limit) timed.push(contender);
  }
  const { rounds, probes } = await measureRounds(timed, { ...settings, probe });
  const names = timed.map(({ name }) => name);
  const rivals = timed.slice(1).filter(({ isRuntime = true }) => isRuntime);
  const result = {
    times: { ...once, ...medianTimes(rounds) },
    calledOnce: Object.keys(once).filter((name) => !names.includes(name)),
    rounds,
    gflops: median(probes),
    deviations,
    tolerance,
    missing,
    operations,
  };
  if (figure) return { ...result, figure: medianOfRounds(rounds, figure) };
  const beside = (peers) => bestPeer(rounds, names[0], peers);
  const loops = names.find(
    (name) => !rivals.some((rival) => rival.name === name) && name !== names[0],
  );
  if (loops) result.plain = beside([loops]).ratio;
  if (rivals.length === 0) return result;
  const best = beside(rivals.map(({ name }) => name));
  return { ...result, figure: best.ratio, best: best.name };
}

let probe;

/** The result of a row: figures, or why there are none (`notOffered`, `error`). */
export async function measureRow({ kind, parameters }, { host, peers, settings }) {
  if (peers.ours.missing) return { notOffered: peers.ours.missing };
  let prepared;
  try {
    probe ??= fmaProbe();
    prepared = await kinds[kind](parameters, { host, peers, settings });
    if (prepared.result) return prepared.result;
    return await measureContenders(prepared, settings, probe);
  } catch (error) {
    if (error instanceof ours.NotOffered) return { notOffered: error.message };
    return { error: String(error?.stack ?? error) };
  } finally {
    for (const contender of prepared?.contenders ?? []) await contender.dispose?.();
  }
}

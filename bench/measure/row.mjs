// Measures one row of the table, in the current process.

import * as ort from "../peers/ort.mjs";
import * as ours from "../peers/ours.mjs";
import * as plain from "../peers/plain.mjs";
import * as tfjs from "../peers/tfjs.mjs";
import { kinds } from "../rows/kinds.mjs";
import { deviation } from "./inputs.mjs";
import { fmaProbe, readProbe } from "./probes.mjs";
import { measureRounds, restOfPoolsMs } from "./rounds.mjs";
import { bestPeer, median, medianOfRounds, medianTimes } from "./statistics.mjs";

const sources = { ours, ort, tfjs, plain };

/** Opens the peers of a process. */
export async function openPeers(host) {
  const peers = {};
  for (const name of host.peers) peers[name] = await sources[name].open(host);
  return peers;
}

/**
 * Returns each contender's deviation from the first one's result; a wrong result is an error. If a
 * run is one step of a sequence, the results of several `steps` are compared.
 */
async function compare(contenders, tolerance) {
  const results = [];
  for (const { name, run, read = (data) => data, steps = 1 } of contenders) {
    const parts = [];
    // Copies each result, since a runtime may reuse the memory.
    for (let step = 0; step < steps; step++) parts.push(Float32Array.from(read(await run())));
    const data = steps === 1 ? parts[0] : Float32Array.from(parts.flatMap((part) => [...part]));
    results.push({ name, data });
  }
  const [first, ...rest] = results;
  return Object.fromEntries(
    rest.map(({ name, data }) => {
      const found = deviation(first.data, data);
      if (!(found <= tolerance))
        throw new Error(`${name} differs from ${first.name} by ${found}, more than ${tolerance}`);
      return [name, found];
    }),
  );
}

// A peer that exceeds both limits, in ratio to ours and in milliseconds, is called only once: its
// rounds would take the row's whole time, and its ratio does not decide.
const hopeless = { ratio: 8, ms: 100 };

/**
 * Returns our contender, the fastest of the others, and all that are not too slow in comparison.
 */
export function worthRounds([ours, ...others], once) {
  const runtimes = others.filter(({ isRuntime = true }) => isRuntime);
  const fastest = Math.min(...runtimes.map(({ name }) => once[name]));
  const limit = Math.max(hopeless.ms, hopeless.ratio * once[ours.name], fastest);
  return [
    ours,
    ...others.filter(({ name, isLimit, isCopied }) => isLimit || isCopied || once[name] <= limit),
  ];
}

async function measureContenders(prepared, settings, probe) {
  const { contenders, tolerance, figure, missing = {}, operations, notOffered } = prepared;
  const computing = contenders.filter(({ isLimit }) => !isLimit);
  const deviations = tolerance === undefined ? {} : await compare(computing, tolerance);
  const once = {};
  for (const { name, run } of contenders) {
    const begin = performance.now();
    await run();
    once[name] = performance.now() - begin;
  }
  const timed = figure ? contenders : worthRounds(contenders, once);
  const bound = timed.find(({ isLimit }) => isLimit)?.name;
  const { rounds, probes } = await measureRounds(timed, { ...settings, probe });
  const names = timed.map(({ name }) => name);
  const { [bound]: limit, ...times } = { ...once, ...medianTimes(rounds) };
  const result = {
    times,
    limit,
    calledOnce: Object.keys(once).filter((name) => !names.includes(name)),
    rounds,
    gflops: median(probes),
    deviations,
    tolerance,
    missing,
    operations,
  };
  if (notOffered) return { ...result, notOffered };
  return { ...result, ...figuresOf(rounds, timed, figure) };
}

/** Returns a lower limit of the time for any work that reads these bytes. */
const limitOf = (bytes) => ({
  name: "reading the bytes",
  run: readProbe(bytes),
  isAsync: false,
  isRuntime: false,
  isLimit: true,
});

/** Returns the row's figure, and the ratio of plain JavaScript. */
function figuresOf(rounds, [ours, ...others], figure) {
  if (figure) return { figure: medianOfRounds(rounds, figure) };
  const beside = (peers, form = ours) =>
    bestPeer(
      rounds,
      form.name,
      peers.map(({ name }) => name),
    );
  const runtimes = others.filter(({ isRuntime = true }) => isRuntime);
  const loops = others.filter((one) => !runtimes.includes(one) && !one.isLimit && !one.isCopied);
  const plain = loops.length > 0 ? { plain: beside(loops).ratio } : {};
  if (runtimes.length === 0) return plain;
  const { ratio, name } = beside(runtimes);
  const copied = others.find(({ isCopied }) => isCopied);
  const fromArrays = copied ? { fromArrays: beside(runtimes, copied).ratio } : {};
  return { ...plain, ...fromArrays, figure: ratio, best: name };
}

let probe;

// The package does not offer work that it rejects; the result has the reason.
const isRefusal = (error) => error instanceof ours.NotOffered || error?.code === "unsupported";

// Processor time is the measure if other work takes the cores from time to time.
const clocks = { processor: ({ processorTime }) => processorTime };

/**
 * Returns the result of a row: figures, or the reason for their absence (`notOffered`, `error`).
 */
export async function measureRow(row, { host, peers, settings }) {
  const { kind, parameters, isOurs, bytes, clock } = row;
  if (isOurs && peers.ours.missing) return { notOffered: peers.ours.missing };
  let prepared;
  try {
    probe ??= fmaProbe();
    prepared = await kinds[kind](parameters, { host, peers, settings });
    if (prepared.result) return { ...prepared.result, gflops: probe() };
    if (bytes) prepared.contenders.push(limitOf(bytes));
    const restMs = host.threads > 1 ? restOfPoolsMs : 0;
    return await measureContenders(
      prepared,
      { ...settings, restMs, clock: clocks[clock]?.(host) },
      probe,
    );
  } catch (error) {
    if (isRefusal(error)) return { notOffered: error.message };
    return { error: String(error?.stack ?? error) };
  } finally {
    for (const contender of prepared?.contenders ?? []) await contender.dispose?.();
  }
}

// Compares this build with another one: each row's own contender from both, in the same rounds.

import { NotOffered } from "../peers/ours.mjs";
import { kinds } from "../rows/kinds.mjs";
import { fmaProbe } from "./probes.mjs";
import { measureRounds } from "./rounds.mjs";
import { median, medianOfRounds, medianTimes } from "./statistics.mjs";

/**
 * Returns the maximum ratio to the time before: small products consist mostly of the call itself.
 */
export const allowedOf = ({ kind, parameters }) =>
  kind === "matmul" && parameters.n <= 64 ? 1.1 : 1.03;

/** Whether a kind measures the time of calls to this package. */
export const isComparable = ({ kind, ownProcess }) =>
  kind in kinds && !ownProcess && !["download", "threads"].includes(kind);

/** Returns the package's own contenders of a row, or its figure for a row without rounds. */
async function ownOf({ kind, parameters }, { host, peers, settings }) {
  if (peers.ours.missing) throw new NotOffered(peers.ours.missing);
  const prepared = await kinds[kind](parameters, { host, peers, settings });
  if (prepared.result) return { figure: prepared.result.figure };
  if (prepared.notOffered) throw new NotOffered(prepared.notOffered);
  const [own, ...others] = prepared.contenders;
  return { own, copied: others.find(({ isOwn }) => isOwn), all: prepared.contenders };
}

const ratioOf = (rounds, [now, before]) =>
  medianOfRounds(rounds, (times) => times[now] / times[before]);

/**
 * Returns `{ figure, fromArrays }`: this build's time divided by the other's, with operands of both
 * kinds. The build that is prepared and compiled first alternates between draws, because the
 * JavaScript engine favours one of the two positions.
 */
export async function measureAgainst(row, { before, draw, ...here }) {
  const dispose = [];
  try {
    const isFirst = draw % 2 === 1;
    const early = await ownOf(row, isFirst ? here : before);
    const late = await ownOf(row, isFirst ? before : here);
    const [now, then] = isFirst ? [early, late] : [late, early];
    if ("figure" in now) return { figure: now.figure / then.figure, rounds: [] };
    dispose.push(...now.all, ...then.all);
    const pairs = [["now", "before", now.own, then.own]];
    if (now.copied && then.copied)
      pairs.push(["now, arrays", "before, arrays", now.copied, then.copied]);
    const contenders = pairs.flatMap(([a, b, first, second]) => [
      { ...first, name: a },
      { ...second, name: b },
    ]);
    if (!isFirst) contenders.reverse();
    const { settings } = here;
    const restMs = here.host.threads > 1 ? 10 : 0;
    const probe = fmaProbe();
    const { rounds, probes } = await measureRounds(contenders, { ...settings, restMs, probe });
    const [figure, fromArrays] = pairs.map((names) => ratioOf(rounds, names));
    return { figure, fromArrays, times: medianTimes(rounds), rounds, gflops: median(probes) };
  } catch (error) {
    if (error instanceof NotOffered || error?.code === "unsupported")
      return { notOffered: error.message };
    return { error: String(error?.stack ?? error) };
  } finally {
    for (const contender of dispose) await contender.dispose?.();
  }
}

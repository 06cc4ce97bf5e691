// This build beside another one: each row's own contender from both, in the same rounds.

import { NotOffered } from "../peers/ours.mjs";
import { kinds } from "../rows/kinds.mjs";
import { fmaProbe } from "./probes.mjs";
import { measureRounds } from "./rounds.mjs";
import { median, medianOfRounds, medianTimes } from "./statistics.mjs";

/** So many times as long as before a row may take: small products are mostly the call itself. */
export const allowedOf = ({ kind, parameters }) =>
  kind === "matmul" && parameters.n <= 64 ? 1.1 : 1.03;

/** Kinds that ask something else than how long a call of ours takes. */
export const isComparable = ({ kind, ownProcess }) =>
  kind in kinds && !ownProcess && !["download", "threads"].includes(kind);

/** The package's own contenders of a row, or its figure where a row is no matter of rounds. */
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
 * `{ figure, fromArrays }`: this build's time in parts of the other's, with operands of both kinds.
 * Who is prepared and compiled first changes from draw to draw: the JavaScript engine favours one
 * of them.
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

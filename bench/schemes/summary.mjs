// Medians of a run: times of the scheme that adds nothing, and ratios to them of every other
// scheme.

import { medianOfRounds } from "../measure/statistics.mjs";
import { baseOf } from "./plan.mjs";

/** Collects the results of both hosts. */
export class Findings {
  machine = {};
  formulas = {};
  memory = {};
  times = {};

  constructor(plan) {
    this.plan = plan;
  }

  take(host, { work, length, rounds, bytes, ...rest }) {
    if (work === "machine") this.machine[host] = rest;
    else if (work === "formula") this.formulas[rest.scheme] = rest;
    else if (bytes) this.memory[work] = { ...this.memory[work], [length]: bytes };
    else {
      this.times[host] ??= {};
      this.times[host][work] ??= {};
      this.times[host][work][length] ??= [];
      this.times[host][work][length].push(...rounds);
    }
  }

  /**
   * Returns for a work at a length `{ scheme: { ms, ratio } }`: medians, with ratios computed
   * within each round.
   */
  medians(host, work, length) {
    const rounds = this.times[host]?.[work]?.[length];
    if (!rounds?.length) return undefined;
    const base = baseOf(this.plan);
    const tokens = this.plan.decoding.tokens;
    const time = (round, name) =>
      work === "decoding" ? (round[`${name}:all`] - round[`${name}:one`]) / tokens : round[name];
    return Object.fromEntries(
      Object.keys(this.plan.schemes).map((name) => [
        name,
        {
          ms: medianOfRounds(rounds, (round) => time(round, name)),
          ratio: medianOfRounds(rounds, (round) => time(round, name) / time(round, base)),
        },
      ]),
    );
  }
}

/**
 * Returns multiplications and additions of one pass over a text of this length, by formula: two for
 * each weight and token, attention's two products with the visible keys, and those that the scheme
 * adds.
 */
export function operationsOf({ model }, { parameterCount, trained, costs }, length) {
  const { num_hidden_layers: layers, hidden_size: width } = model;
  const { onceFlops, layerFlops } = costs[length];
  const products = 2 * length * (parameterCount - trained);
  const attention = layers * 4 * width * length * ((length + 1) / 2);
  return products + attention + onceFlops + layers * layerFlops;
}

const rounded = (value, digits) => Number(value.toPrecision(digits));

/** Returns the run as JSON, from which the tables in docs are made. */
export function summaryOf(findings, { command, commit, date, cpu, cores, seconds }) {
  const { plan } = findings;
  const names = Object.keys(plan.schemes);
  const base = baseOf(plan);
  const longest = Math.max(...plan.inference);
  const formulas = Object.fromEntries(
    names.map((name) => {
      const formula = findings.formulas[name];
      const { trained, cacheFloats, costs } = formula;
      const { onceFlops, layerFlops } = costs[longest];
      const share = (length) =>
        operationsOf(plan, formula, length) / operationsOf(plan, findings.formulas[base], length);
      const ratios = Object.fromEntries(
        Object.keys(costs).map((length) => [length, rounded(share(Number(length)), 4)]),
      );
      return [name, { trained, onceFlops, layerFlops, cacheBytes: 4 * cacheFloats, ratios }];
    }),
  );
  const medians = {};
  for (const [host, works] of Object.entries(findings.times)) {
    medians[host] = {};
    for (const [work, lengths] of Object.entries(works)) {
      medians[host][work] = {};
      for (const length of Object.keys(lengths))
        medians[host][work][length] = Object.fromEntries(
          Object.entries(findings.medians(host, work, length)).map(([name, { ms, ratio }]) => [
            name,
            { ms: rounded(ms, 4), ratio: rounded(ratio, 4), rounds: lengths[length].length },
          ]),
        );
    }
  }
  return {
    command,
    commit,
    date,
    machine: { cpu, cores, ...findings.machine.package },
    seconds,
    plan: { ...plan, schemes: names },
    formulas,
    memory: findings.memory,
    medians,
  };
}

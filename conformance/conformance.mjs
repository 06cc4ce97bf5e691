// Compares an implementation of positional encodings with the vectors beside this file.
//
//   import { check } from "./conformance.mjs";
//   const wrong = check({ alibi: slopes, rope: rotate, shaw: attention });
//
// A function has the name of a file of vectors (or of a kind, for all files of that kind) and takes
// (inputs, facts, parameters), where arrays are `{ shape, data }` with a Float64Array. It returns
// an object with any of the expected results, as such arrays or plain lists of numbers; only these
// are compared. It may return undefined for a case that it does not support.

import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("vectors/", import.meta.url);

const isArray = (value) =>
  typeof value === "object" && value !== null && "shape" in value && "data" in value;

/** Converts `data` to a Float64Array, at any depth. */
function arrays(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  if (isArray(value)) return { shape: value.shape, data: Float64Array.from(value.data) };
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, arrays(each)]));
}

/** Returns all files of vectors. */
export const vectors = () =>
  readdirSync(folder)
    .sort()
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")));

function allowedAt(tolerance, name, wanted, inputs, index, length) {
  if (tolerance.isRelative) return tolerance[name] * Math.abs(wanted);
  const { isRelative, rotatedPerPosition, ...others } = tolerance;
  const allowed = others[name] ?? Math.max(...Object.values(others));
  if (name !== "rotated" || rotatedPerPosition === undefined) return allowed;
  const { positions } = inputs;
  const row = Math.floor((index * positions.length) / length);
  return allowed + rotatedPerPosition * Math.abs(positions[row]);
}

const numbersOf = (value) =>
  typeof value === "number" ? [value] : isArray(value) ? value.data : Float64Array.from(value);

/**
 * Returns a list of `{ name, off, share }`: the deviation, absolute and relative to the tolerance.
 */
function compare(tolerance, inputs, expected, answer, path = "") {
  return Object.entries(answer).flatMap(([name, value]) => {
    const wanted = expected[name];
    if (typeof wanted === "object" && !Array.isArray(wanted) && !isArray(wanted)) {
      const own = Object.fromEntries(Object.keys(wanted).map((key) => [key, tolerance[name]]));
      return compare({ ...tolerance, ...own }, inputs, wanted, value, `${path}${name}.`);
    }
    const [given, right] = [numbersOf(value), numbersOf(wanted)];
    if (given.length !== right.length)
      return [{ name: path + name, off: Infinity, share: Infinity }];
    let [off, share] = [0, 0];
    right.forEach((number, index) => {
      const difference = Math.abs(given[index] - number);
      const apart = Number.isNaN(difference) ? Infinity : difference;
      const allowed = allowedAt(tolerance, name, number, inputs, index, right.length);
      off = Math.max(off, apart);
      share = Math.max(share, apart === 0 ? 0 : apart / Math.max(allowed, 1e-300));
    });
    return [{ name: path + name, off, share }];
  });
}

/** Compares, prints a line for each file, and returns the number of files that disagree. */
export function check(implementations, { print = console.log, slack = 1 } = {}) {
  let wrong = 0;
  for (const { name, kind, facts, parameters, tolerance, cases } of vectors()) {
    const run = implementations[name] ?? implementations[kind];
    if (!run) continue;
    let worst = { name: "", off: 0, share: 0 };
    let done = 0;
    for (const each of cases) {
      const inputs = arrays(each.inputs);
      const answer = run(inputs, arrays(facts), arrays(parameters));
      if (answer === undefined) continue;
      done++;
      for (const found of compare(tolerance, inputs, arrays(each.expected), answer))
        if (found.share >= worst.share) worst = { ...found, name: `${found.name} of ${each.name}` };
    }
    const agrees = worst.share <= slack;
    if (done && !agrees) wrong++;
    const verdict = done === 0 ? "nothing done" : agrees ? "agrees" : "DISAGREES";
    const left = done < cases.length ? `, ${cases.length - done} left out` : "";
    const where = done ? `: ${worst.name} off by ${worst.off.toExponential(2)}` : "";
    print(`${name.padEnd(28)} ${verdict.padEnd(12)} ${done} cases${left}${where}`);
  }
  return wrong;
}

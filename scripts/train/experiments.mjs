// Shared by the experiments: results in a JSON file, from which an interrupted command continues,
// and the reduced model that they train.

import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatSeconds, say } from "../setup/progress.mjs";
import { modelConfig, modelsFolder, sha256 } from "./recipe.mjs";

/** Hash of everything that an experiment depends on; results of another plan are not mixed in. */
export const planHash = (plan) => sha256(JSON.stringify(plan));

/** JSON with each result on its own line: `results` is nested `depth` deep. */
export function formatResults({ results, ...head }, depth) {
  const nested = (value, level) => {
    if (level === 0) return JSON.stringify(value);
    const indent = "  ".repeat(depth - level + 2);
    const lines = Object.entries(value).map(
      ([key, inner]) => `${indent}${JSON.stringify(key)}: ${nested(inner, level - 1)}`,
    );
    return lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n${indent.slice(2)}}`;
  };
  const start = JSON.stringify(head, null, 2).slice(0, -2);
  return `${start},\n  "results": ${nested(results, depth)}\n}\n`;
}

const at = (results, path) => path.reduce((inner, key) => inner?.[key], results);

/**
 * Results of an experiment in models/<name>.json, keyed by paths such as ["rope", "1"]. The file is
 * read again before each write, so several processes can share the work.
 */
export class Results {
  #file;
  #head;
  #depth;

  constructor(name, { command, plan, depth }) {
    this.#file = join(modelsFolder, `${name}.json`);
    this.#head = { command, planSha256: planHash(plan), plan };
    this.#depth = depth;
  }

  read() {
    if (!existsSync(this.#file)) return {};
    const kept = JSON.parse(readFileSync(this.#file, "utf8"));
    return kept.planSha256 === this.#head.planSha256 ? kept.results : {};
  }

  set(path, value) {
    const results = this.read();
    let inner = results;
    for (const key of path.slice(0, -1)) inner = inner[key] ??= {};
    inner[path.at(-1)] = value;
    const draft = `${this.#file}.${process.pid}.part`;
    writeFileSync(draft, formatResults({ ...this.#head, results }, this.#depth));
    renameSync(draft, this.#file);
  }

  /** Runs `work(path)` for every path without a result, and prints how long the rest will take. */
  async complete(paths, work) {
    let done = 0;
    let seconds = 0;
    for (const [index, path] of paths.entries()) {
      if (at(this.read(), path) !== undefined) continue;
      const started = Date.now();
      const { result, summary } = await work(path);
      this.set(path, result);
      done += 1;
      seconds += (Date.now() - started) / 1000;
      const kept = this.read();
      const left = paths.filter((other) => at(kept, other) === undefined).length;
      say(
        `[${index + 1}/${paths.length}] ${path.join(" ")}: ${summary}` +
          `  (${formatSeconds((seconds / done) * left)} left)`,
      );
    }
    return this.read();
  }
}

/** The config.json and training settings of a reduced model, from the recipe. */
export function smallRun(recipe, { schemes, vocabulary, isCausal, training, seed }) {
  const merged = { ...recipe.small.training, ...training, seed };
  const config = modelConfig(recipe.small.model, schemes, {
    vocabulary,
    isCausal,
    length: merged.length,
  });
  return { config, training: merged };
}

/** Mean and sample standard deviation. */
export function spread(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0 };
}

/** "1.234 ± 0.005"; "not defined" if there is no number. */
export function spreadText(values, digits) {
  if (values.some((value) => value === null)) return "not defined";
  const { mean, deviation } = spread(values);
  return `${mean.toFixed(digits)} ± ${deviation.toFixed(digits)}`;
}

/** Prints rows of texts as columns, the first one left-aligned. */
export function table(rows) {
  const widths = rows[0].map((_, column) =>
    Math.max(...rows.map((row) => [...row[column]].length)),
  );
  const cell = (text, column) =>
    column === 0 ? text.padEnd(widths[column]) : text.padStart(widths[column]);
  for (const row of rows) say(row.map(cell).join("  "));
  say("");
}

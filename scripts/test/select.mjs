// Parses the command line's names: runners by name, test files by path or part of a name.

import { basename } from "node:path";
import { SetupError, unexpected } from "../setup/process.mjs";

const nameOf = (file) => basename(file).replace(/(?:_test\.cpp|\.test\.mjs)$/, "");

// The first of these that matches any file is used, so that a whole name is not taken for a part.
const kinds = [
  (file, word) => file === word,
  (file, word) => file.startsWith(`${word}/`),
  (file, word) => nameOf(file) === word || basename(file) === word,
  (file, word) => basename(file).includes(word),
  (file, word) => file.includes(word),
];

/** The test files that a word selects; empty if it selects none. */
export function filesNamed(word, files) {
  const wanted = word.replace(/^\.\//, "").replace(/\/$/, "");
  for (const matches of kinds) {
    const found = files.filter((file) => matches(file, wanted));
    if (found.length) return found;
  }
  return [];
}

/** Number of letters to change, add or drop to turn one word into the other. */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
  }
  return row[b.length];
}

/**
 * The names most similar to a word, best first, without those that have little in common with it.
 */
export function nearNames(word, names) {
  const short = nameOf(word);
  const max = Math.max(2, Math.ceil(short.length / 2));
  return [...new Set(names)]
    .map((name) => ({ name, far: distance(short, name) }))
    .filter(({ far }) => far <= max)
    .sort((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1))
    .slice(0, 5)
    .map(({ name }) => name);
}

function refuse(word, files, runnerNames) {
  const near = nearNames(word, [...runnerNames, ...files.map(nameOf)]);
  const hint = near.length ? ` Near it: ${near.join(", ")}.` : "";
  throw new SetupError(
    `No runner and no test file is called ${word}.${hint}\n` +
      `The runners are ${runnerNames.join(", ")}; a test file is named by its path or a part ` +
      "of it.",
  );
}

/** Removes `--rest MINUTES` from the words; returns its minutes, or undefined if it is absent. */
function takeRest(words) {
  const at = words.indexOf("--rest");
  if (at < 0) return undefined;
  const [, minutes] = words.splice(at, 2);
  if (!(Number(minutes) > 0))
    throw unexpected("--rest", minutes ?? "none", "a number of minutes, as in --rest 8");
  return Number(minutes);
}

/**
 * Reads `[--long | --rest MINUTES] [NAME ...] [-- ARGUMENTS]`. Resolves names to `runners` (bundles
 * expanded, each once) and to `files`; `extra` is passed to the runners themselves. Without names
 * both are empty.
 */
export function readWords(all, { runnerNames, bundles, files }) {
  const end = all.indexOf("--");
  const words = end < 0 ? [...all] : all.slice(0, end);
  const rest = takeRest(words);
  const chosen = { runners: new Set(), files: new Set() };
  for (const word of words.filter((text) => text !== "--long")) {
    if (word.startsWith("-")) {
      throw new SetupError(`${word}? Options of the runners themselves come after --.`);
    }
    const names = bundles[word] ?? (runnerNames.includes(word) ? [word] : undefined);
    for (const name of names ?? []) chosen.runners.add(name);
    if (names) continue;
    const named = filesNamed(word, files);
    if (named.length === 0) refuse(word, files, [...runnerNames, ...Object.keys(bundles)]);
    for (const file of named) chosen.files.add(file);
  }
  return {
    long: words.includes("--long"),
    rest,
    runners: [...chosen.runners],
    files: [...chosen.files],
    extra: end < 0 ? [] : all.slice(end + 1),
  };
}

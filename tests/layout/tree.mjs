// Helpers of the layout tests: the files of the checkout that git does not ignore, and their text.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** All files, tracked or new, relative to the root. */
export const files = execFileSync("git", ["ls-files", "-z", "-co", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 1 << 26,
})
  .split("\0")
  .filter((file) => file && existsSync(join(root, file)));

/** Files below a folder, optionally only those with one of the given endings. */
export const below = (folder, ...endings) =>
  files.filter(
    (file) =>
      file.startsWith(`${folder}/`) &&
      (endings.length === 0 || endings.some((ending) => file.endsWith(ending))),
  );

const texts = new Map();

/** The text of a file. */
export function textOf(file) {
  if (!texts.has(file)) texts.set(file, readFileSync(join(root, file), "utf8"));
  return texts.get(file);
}

const commentOrText = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])*'/g;

/** Removes comments from C++, JavaScript or TypeScript; line numbers stay the same. */
export const withoutComments = (file) =>
  textOf(file).replace(commentOrText, (match) =>
    /^\/[/*]/.test(match) ? match.replace(/[^\n]/g, " ") : match,
  );

/** Removes comments and the contents of strings from C++. */
export const codeOf = (file) =>
  withoutComments(file).replace(commentOrText, (match) => match[0] + match[0]);

/** The quoted includes of a C++ file. */
export const includesOf = (file) =>
  [...textOf(file).matchAll(/^\s*#\s*include\s*"([^"]+)"/gm)].map((match) => match[1]);

const imported = new RegExp(
  String.raw`^\s*(?:import|export)\b[^;"']*?\bfrom\s*["']([^"']+)["']` +
    String.raw`|^\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)`,
  "gm",
);

/** Returns the modules that a file imports, statically or by a literal `import()`. */
export const importsOf = (file) =>
  [...textOf(file).matchAll(imported)].map((match) => match[1] ?? match[2] ?? match[3]);

/**
 * Returns `file:line` of every match of a pattern in a file's text, as messages of a failed test.
 */
export function linesMatching(file, pattern, text = textOf(file)) {
  return text
    .split("\n")
    .map((line, index) => [line, index + 1])
    .filter(([line]) => pattern.test(line))
    .map(([line, number]) => `${file}:${number}: ${line.trim()}`);
}

// Results of a run, written to disk at once, so that --resume can continue a stopped run.

import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

const keyOf = ({ id, where, threads, draw, attempt = 1 }) =>
  `${id} ${where} ${threads} ${draw} ${attempt}`;

/** Returns a short hash of a folder's binaries and scripts: another build is another run. */
export function buildOf(dist) {
  const hash = createHash("sha256");
  const names = readdirSync(dist, { recursive: true }).filter((name) => /\.(wasm|js)$/.test(name));
  for (const name of names.sort()) hash.update(name).update(readFileSync(join(dist, name)));
  return hash.digest("hex").slice(0, 16);
}

/** Returns the lines of a file of records; skips a last line that is incomplete. */
function readLines(file) {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

/**
 * Opens the records of a run in `file`. `run` identifies the run (a build, its settings). `resume`
 * keeps earlier records of the same run, except those of rows that failed.
 * @returns {{ all: object[], has: (record: object) => boolean, add: (record: object) => void }}
 */
export function openRecords(file, run, resume) {
  const name = JSON.stringify(run);
  const [head, ...lines] = resume ? readLines(file) : [];
  const all = head?.run === name ? lines.filter(({ error }) => !error) : [];
  const known = new Set(all.map(keyOf));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, [{ run: name }, ...all].map((line) => `${JSON.stringify(line)}\n`).join(""));
  return {
    all,
    has: (record) => known.has(keyOf(record)),
    add(record) {
      all.push(record);
      known.add(keyOf(record));
      appendFileSync(file, `${JSON.stringify(record)}\n`);
    },
  };
}

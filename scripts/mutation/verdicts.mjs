// The verdict on each mutant, kept between runs while sources and tests stay the same.

import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** One hash for all C++ of the core, the bindings' calls and the tests. */
function hashOfSources(root) {
  const hash = createHash("sha256");
  for (const folder of ["src", "bindings", "tests"]) {
    const names = readdirSync(join(root, folder), { recursive: true });
    for (const name of names.filter((each) => /\.(?:cpp|h)$/.test(each)).sort()) {
      hash.update(`${folder}/${name}\n`).update(readFileSync(join(root, folder, name)));
    }
  }
  return hash.digest("hex");
}

export class Verdicts {
  #path;
  #killers = new Map();

  /** Reads the verdicts at `path`; those on other sources are ignored. */
  constructor(root, path) {
    this.#path = path;
    const sources = hashOfSources(root);
    const lines = existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
    if (lines[0] !== sources) writeFileSync(path, `${sources}\n`);
    else for (const line of lines.slice(1)) this.#killers.set(...JSON.parse(line));
  }

  /**
   * The test that detected it, "" if none did, null if it does not compile, undefined if not run.
   */
  of(name) {
    return this.#killers.get(name);
  }

  add(name, killer) {
    this.#killers.set(name, killer);
    appendFileSync(this.#path, `${JSON.stringify([name, killer])}\n`);
  }
}

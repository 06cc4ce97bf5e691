// A build of the C++ tests in which one changed file at a time is substituted.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { buildTargets } from "../build/cmake.mjs";
import { sanitizerEnvironment } from "../setup/native-compiler.mjs";
import { readOutput, run, SetupError } from "../setup/process.mjs";

// Limits in seconds of processor time, which a busy machine does not affect; the sanitizers take
// longer.
const limits = { mutation: 60, sanitize: 240 };

export class MutantBuild {
  #root;
  #folder;
  #compile = new Map(); // #compile = new Map(); // for each file of src: the command and its object
  #link;

  constructor(root, preset) {
    this.#root = root;
    this.#folder = join(root, "build", preset);
    this.preset = preset;
  }

  /** Builds the unchanged tests, and gets the commands from Ninja. */
  async prepare() {
    const targets = ["core_tests"];
    await buildTargets({ root: this.#root, preset: this.preset, targets });
    const text = readOutput("ninja", ["-C", this.#folder, "-t", "commands", ...targets], {
      maxBuffer: 1 << 26,
    });
    if (!text) throw new SetupError(`Ninja lists no commands for ${this.preset}.`);
    const lines = text.split("\n");
    for (const line of lines) {
      const match = / -o (\S+\.o) -c (\S+\/(src\/\S+\.cpp))$/.exec(line);
      if (match) this.#compile.set(match[3], { line, object: match[1] });
    }
    this.#link = lines.findLast((line) => line.includes(" -o core_tests"));
  }

  /** The sources to compile for a changed file: itself, or those that include the header. */
  #sourcesOf(file) {
    if (file.endsWith(".cpp")) return [file];
    const include = `#include "${file.replace(/^src\//, "")}"`;
    return [...this.#compile.keys()].filter((source) =>
      readFileSync(join(this.#root, source), "utf8").includes(include),
    );
  }

  #shell(command) {
    return run("bash", ["-c", command], { cwd: this.#folder });
  }

  /**
   * Builds the program with a file's changed text, in `folder`; undefined if it does not compile.
   */
  async make(folder, file, text) {
    const overlay = join(folder, "overlay");
    // A mutant of another header must not be included in this one.
    rmSync(overlay, { recursive: true, force: true });
    const changed = join(overlay, file.replace(/^src\//, ""));
    mkdirSync(dirname(changed), { recursive: true });
    writeFileSync(changed, text);
    let link = this.#link.replace(" -o core_tests", ` -o ${join(folder, "core_tests")}`);
    for (const source of this.#sourcesOf(file)) {
      const { line, object } = this.#compile.get(source);
      const mutant = join(folder, `${basename(source)}.o`);
      const from = source === file ? changed : join(this.#root, source);
      const compiling = line
        .replace(/ -o \S+\.o -c \S+$/, ` -o ${mutant} -c ${from}`)
        .replace(/ -M[DTF]+ \S+\.o(?:\.d)?/g, "")
        .replace(/ -MD\b/, "")
        // Before the headers' own folder. Warnings about unused code are not errors here.
        .replace(" -I", ` -w -Wno-error -I${overlay} -I`);
      if ((await this.#shell(compiling)).code !== 0) return undefined;
      link = link.replaceAll(new RegExp(`(^|\\s)${object}(?=\\s)`, "g"), `$1${mutant}`);
    }
    const linked = await this.#shell(link);
    if (linked.code !== 0) throw new SetupError(linked.output.slice(-2000));
    return join(folder, "core_tests");
  }

  /** The name of the first failing test, one stage after the other. */
  async firstFailure(program, stages) {
    const env = { ...process.env, ...sanitizerEnvironment() };
    for (const names of stages) {
      const files = names.map((name) => `*${name && "/"}${name}_test.cpp`).join(",");
      const command = `ulimit -t ${limits[this.preset]}; exec "$0" "$@"`;
      const words = ["-c", command, program, `--source-file=${files}`, "--abort-after=1"];
      const { code, output } = await run("bash", words, { env });
      if (code === 0) continue;
      return (
        /^TEST CASE: +(.*)$/m.exec(output)?.[1] ??
        /(?:ERROR|runtime error):.*/.exec(output)?.[0] ??
        `exit ${code}`
      );
    }
    return undefined;
  }
}

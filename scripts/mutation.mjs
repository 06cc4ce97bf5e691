// Whether the tests would notice a fault: changes one place of a source file at a time, and runs
// the tests of attention against the changed program.
//   node scripts/mutation.mjs [FILE ...] [--list]
// Needs the build of `npm test -- sanitize`, whose compile and link commands it takes: a mutant is
// one object more and a link. Neither the sources nor that build are touched. --list only names
// the mutants. Survivors that cannot be told from the original are in `equivalent` below, with the
// reason; any other survivor is a test that is missing.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { equivalent, mutantsOf } from "./mutation/mutants.mjs";
import { readOutput, run, runMain, SetupError } from "./setup/process.mjs";
import { formatSeconds, say } from "./setup/progress.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const build = join(root, "build/sanitize");
const work = join(root, "build/mutation");

const attention = ["mask", "key_tiles", "tile_logits", "running_softmax", "kv_cache"];
const defaultFiles = [
  ...attention.map((name) => `src/attention/${name}.cpp`),
  "src/attention/key_tiles.h",
  "src/attention/prepared_layer.cpp",
];

// Most mutants die in the first; what costs seconds runs only for those that do not.
const stages = [
  ["mask", "attention", "running_softmax", "prepared_layer", "distance_bias", "attention_options"],
  ["random_attention", "scheme_decoding", "long_sequence", "logit_cuts", "decoder", "cache_calls"],
  [""], // all of them
];
// Seconds of processor time, so that a busy machine kills nobody.
const limit = 240;

/** The commands of Ninja that compile what a file is part of, and the one that links the tests. */
function commands() {
  const text = readOutput("ninja", ["-C", build, "-t", "commands", "core_tests"], {
    maxBuffer: 1 << 26,
  });
  if (!text) throw new SetupError("There is no build yet: run npm test -- sanitize first.");
  const lines = text.split("\n");
  const compile = new Map();
  for (const line of lines) {
    const match = / -o (\S+\.o) -c (\S+\/(src\/\S+\.cpp))$/.exec(line);
    if (match) compile.set(match[3], { line, object: match[1] });
  }
  return { compile, link: lines.findLast((line) => line.includes(" -o core_tests")) };
}

/** The sources to compile for a changed file: itself, or whoever includes the header. */
function sourcesOf(file, compile) {
  if (file.endsWith(".cpp")) return [file];
  const include = `#include "${file.replace(/^src\//, "")}"`;
  return [...compile.keys()].filter((source) =>
    readFileSync(join(root, source), "utf8").includes(include),
  );
}

const shell = (command, signal) => run("bash", ["-c", command], { cwd: build, signal });

/**
 * The program with a file's text changed, made in `folder`; undefined where it does not compile.
 */
async function buildMutant(folder, file, text, { compile, link }) {
  const overlay = join(folder, "overlay");
  // The mutant of another header must not be found by this file.
  rmSync(overlay, { recursive: true, force: true });
  const changed = join(overlay, file.replace(/^src\//, ""));
  mkdirSync(dirname(changed), { recursive: true });
  writeFileSync(changed, text);
  let command = link.replace(" -o core_tests", ` -o ${join(folder, "core_tests")}`);
  for (const source of sourcesOf(file, compile)) {
    const { line, object } = compile.get(source);
    const own = join(folder, `${basename(source)}.o`);
    const from = source === file ? changed : join(root, source);
    const compiling = line
      .replace(/ -o \S+\.o -c \S+$/, ` -o ${own} -c ${from}`)
      .replace(/ -M[DTF]+ \S+\.o(?:\.d)?/g, "")
      .replace(/ -MD\b/, "")
      // Before the headers' own folder. Warnings of what is no longer used are no errors here.
      .replace(" -I", ` -w -Wno-error -I${overlay} -I`);
    if ((await shell(compiling)).code !== 0) return undefined;
    command = command.replaceAll(new RegExp(`(^|\\s)${object}(?=\\s)`, "g"), `$1${own}`);
  }
  const linked = await shell(command);
  if (linked.code !== 0) throw new SetupError(linked.output.slice(-2000));
  return join(folder, "core_tests");
}

/** The name of what noticed the mutant, or undefined. */
async function killerOf(program) {
  for (const names of stages) {
    const files = names.map((name) => `*${name && "/"}${name}_test.cpp`).join(",");
    const command = `ulimit -t ${limit}; exec "$0" "$@"`;
    const words = ["-c", command, program, `--source-file=${files}`, "--abort-after=1"];
    const { code, output } = await run("bash", words);
    if (code === 0) continue;
    return (
      /^TEST CASE: +(.*)$/m.exec(output)?.[1] ??
      /(?:ERROR|runtime error):.*/.exec(output)?.[0] ??
      `exit ${code}`
    );
  }
  return undefined;
}

async function judge(folder, { file, mutant }, ninja, results) {
  const name = `${file}:${mutant.line}: ${mutant.before} → ${mutant.after}`;
  const program = await buildMutant(folder, file, mutant.text, ninja);
  if (!program) {
    results.unbuilt += 1;
    return;
  }
  const killer = await killerOf(program);
  const reason = killer === undefined && equivalent(file, mutant);
  if (killer !== undefined) results.killed += 1;
  else if (reason) results.equivalent.push(`${name} (${reason})`);
  else results.survived.push(name);
  say(`${killer !== undefined ? "killed  " : reason ? "same    " : "SURVIVED"} ${name}`);
}

/** Judges all mutants, as many at once as there are cores. */
async function judgeAll(mutants, ninja, results) {
  const waiting = mutants.values();
  const workOff = async (_, index) => {
    for (const each of waiting) await judge(join(work, `${index}`), each, ninja, results);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, workOff));
}

await runMain(async () => {
  const started = Date.now();
  const words = process.argv.slice(2);
  const named = words.filter((word) => !word.startsWith("-"));
  const files = named.length ? named : defaultFiles;
  const mutants = files.flatMap((file) =>
    mutantsOf(readFileSync(join(root, file), "utf8")).map((mutant) => ({ file, mutant })),
  );
  if (words.includes("--list")) {
    for (const { file, mutant } of mutants)
      say(`${file}:${mutant.line}: ${mutant.before} → ${mutant.after}`);
    return 0;
  }
  const ninja = commands();
  const results = { killed: 0, unbuilt: 0, survived: [], equivalent: [] };
  // The unchanged program must pass, or every mutant would seem to die.
  const text = readFileSync(join(root, files[0]), "utf8");
  const whole = await buildMutant(join(work, "whole"), files[0], text, ninja);
  const before = await killerOf(whole);
  if (before !== undefined) throw new SetupError(`The tests fail without a mutant: ${before}`);
  await judgeAll(mutants, ninja, results);
  const { killed, survived, unbuilt } = results;
  const share = (100 * killed) / (killed + survived.length);
  say(`\nequivalent, ${results.equivalent.length}:\n${results.equivalent.join("\n")}`);
  say(`\nsurvived, ${survived.length}:\n${survived.join("\n")}`);
  say(
    `\n${killed} of ${killed + survived.length} mutants died (${share.toFixed(1)} %), ` +
      `${results.equivalent.length} equivalent, ${unbuilt} that did not compile, in ` +
      formatSeconds((Date.now() - started) / 1000),
  );
  return share >= 95 ? 0 : 1;
});

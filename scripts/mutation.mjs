// Tests the tests: changes one place of a source file at a time, and runs the tests of attention
// against the changed program.
//   node scripts/mutation.mjs [FILE ...] [--list] [--again]
// A mutant is one more object and a link; neither the sources nor the builds change. A plain build
// of the tests, which is fast, runs first; mutants that survive it run under the sanitizers, which
// also detect reads outside an array. Verdicts are kept in build/mutants while sources and tests
// are unchanged, so an interrupted run continues from there; --again deletes them. --list only
// names the mutants. Mutants that no test can tell from the original are listed in
// mutation/mutants.mjs, with the reason, and are not run; any other survivor means that a test is
// missing.

import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MutantBuild } from "./mutation/mutant-build.mjs";
import { equivalent, mutantsOf } from "./mutation/mutants.mjs";
import { Verdicts } from "./mutation/verdicts.mjs";
import { ensure } from "./setup/ensure.mjs";
import { runMain, SetupError } from "./setup/process.mjs";
import { formatSeconds, say } from "./setup/progress.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const work = join(root, "build/mutants");

const attention = ["mask", "key_tiles", "tile_logits", "running_softmax", "kv_cache"];
const defaultFiles = [
  ...attention.map((name) => `src/attention/${name}.cpp`),
  "src/attention/key_tiles.h",
  "src/attention/prepared_layer.cpp",
];

// The first stage detects most mutants; the slow one runs only for the others.
const stages = [
  ["mask", "attention", "running_softmax", "prepared_layer", "distance_bias", "attention_options"],
  [
    "random_attention",
    "scheme_decoding",
    "long_sequence",
    "logit_ablation",
    "decoder",
    "cache_calls",
  ],
  [""], // all of them
];

/**
 * The test that detected the mutant: its name, "" if none did, undefined if it does not compile.
 */
async function killerOf(folder, { file, mutant }, builds) {
  for (const build of builds) {
    const program = await build.make(join(folder, build.preset), file, mutant.text);
    if (!program) return undefined;
    const killer = await build.firstFailure(program, stages);
    if (killer !== undefined) return killer;
  }
  return "";
}

const nameOf = ({ file, mutant }) => `${file}:${mutant.line}: ${mutant.before} → ${mutant.after}`;

/** Runs all mutants, one per core at a time. */
async function judgeAll(mutants, builds, verdicts) {
  const waiting = mutants.values();
  const workOff = async (_, index) => {
    for (const each of waiting) {
      const name = nameOf(each);
      const killer = await killerOf(join(work, `${index}`), each, builds);
      verdicts.add(name, killer ?? null);
      say(`${killer === undefined ? "unbuilt " : killer ? "killed  " : "SURVIVED"} ${name}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, workOff));
}

await runMain(async () => {
  const started = Date.now();
  const words = process.argv.slice(2);
  const named = words.filter((word) => !word.startsWith("-"));
  const files = named.length ? named : defaultFiles;
  const all = files.flatMap((file) =>
    mutantsOf(readFileSync(join(root, file), "utf8")).map((mutant) => ({ file, mutant })),
  );
  if (words.includes("--list")) {
    for (const each of all) say(nameOf(each));
    return 0;
  }
  const isSame = ({ file, mutant }) => equivalent(file, mutant) !== undefined;
  const judged = all.filter((each) => !isSame(each));
  mkdirSync(work, { recursive: true });
  if (words.includes("--again")) rmSync(join(work, "verdicts.jsonl"), { force: true });
  const verdicts = new Verdicts(root, join(work, "verdicts.jsonl"));
  await ensure({ groups: ["build", "core"], emscripten: false });
  const builds = [new MutantBuild(root, "mutation"), new MutantBuild(root, "sanitize")];
  for (const build of builds) {
    await build.prepare();
    // The unchanged program must pass, or every mutant would seem to be detected.
    const text = readFileSync(join(root, files[0]), "utf8");
    const whole = await build.make(join(work, "whole", build.preset), files[0], text);
    const failure = whole && (await build.firstFailure(whole, stages));
    if (failure !== undefined) throw new SetupError(`The tests fail without a mutant: ${failure}`);
  }
  const waiting = judged.filter((each) => verdicts.of(nameOf(each)) === undefined);
  if (waiting.length < judged.length) {
    say(`${judged.length - waiting.length} of ${judged.length} have a result from an earlier run.`);
  }
  await judgeAll(waiting, builds, verdicts);
  const by = (is) => judged.filter((each) => is(verdicts.of(nameOf(each)))).map(nameOf);
  const survived = by((killer) => killer === "");
  const killed = by(Boolean).length;
  const share = (100 * killed) / (killed + survived.length);
  say(`\nequivalent, ${all.length - judged.length} (not run):`);
  for (const each of all.filter(isSame)) {
    say(`${nameOf(each)} (${equivalent(each.file, each.mutant)})`);
  }
  say(`\nsurvived, ${survived.length}:\n${survived.join("\n")}`);
  say(
    `\n${killed} of ${killed + survived.length} mutants were detected (${share.toFixed(1)} %), ` +
      `${all.length - judged.length} equivalent, ${by((killer) => killer === null).length} that ` +
      `did not compile, ${waiting.length} were run now in ` +
      formatSeconds((Date.now() - started) / 1000),
  );
  return share >= 95 ? 0 : 1;
});

// npm run bench:schemes: the cost of each scheme in a model, in time and memory, beside its
// formula.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "../scripts/build.mjs";
import { ensure, root } from "../scripts/setup/ensure.mjs";
import { runMain, SetupError } from "../scripts/setup/process.mjs";
import { formatSeconds, say } from "../scripts/setup/progress.mjs";
import { buildTrainer } from "../scripts/train/native-trainer.mjs";
import { commitOf } from "./commit.mjs";
import { measureNative, measurePackage } from "./schemes/hosts.mjs";
import { lengthText, paperText, readLengths } from "./schemes/lengths.mjs";
import { writePage } from "./schemes/page.mjs";
import { baseOf, planOf } from "./schemes/plan.mjs";
import { Findings, summaryOf } from "./schemes/summary.mjs";
import { formulaText, measuredText } from "./schemes/tables.mjs";

const usage = `npm run bench:schemes -- [--quick] [--write] [--lengths] [--no-build]
  --quick     short texts and few rounds: whether it works, not what it says
  --write     renew docs/costs.md, and docs/costs.json beside it
  --lengths   measure nothing: renew only what models/length.json and the words of the schemes say
  --no-build  measure what lies there`;

function optionsOf(args) {
  const flag = { type: "boolean", default: false };
  try {
    const options = { quick: flag, write: flag, lengths: flag, "no-build": flag };
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new SetupError(`${error.message}\n${usage}`);
  }
}

const words = JSON.parse(readFileSync(join(root, "bindings/ts/generated/words.en.json"), "utf8"));
/** Returns the part of a title in brackets, or the whole title without brackets. */
const titleOf = (name) => /\(([^()]+)\)$/.exec(words[name].title)?.[1] ?? words[name].title;

/** Returns the parts of the page that need no measurement. */
const steadyParts = (plan) => ({
  formulas: formulaText(words, Object.keys(plan.schemes)),
  lengths: lengthText(readLengths(), titleOf),
  paper: paperText(),
});

async function measure(plan, args) {
  const began = Date.now();
  const findings = new Findings(plan);
  const said = new Set();
  const hear = (host) => (message) => {
    findings.take(host, message);
    const { work, length, rounds } = message;
    const what = `${host}, ${work} ${length}`;
    if (!rounds || said.has(what)) return;
    said.add(what);
    const { ms } = findings.medians(host, work, length)[baseOf(plan)];
    say(`   ${what}: ${ms.toFixed(2)} ms, after ${formatSeconds((Date.now() - began) / 1000)}`);
  };
  await measurePackage(plan, hear("package"));
  await measureNative(plan, hear("native"));
  return summaryOf(findings, {
    command: ["npm run bench:schemes", ...(args.length > 0 ? ["--", ...args] : [])].join(" "),
    commit: commitOf(root),
    date: new Date().toISOString().slice(0, 10),
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    seconds: Math.round((Date.now() - began) / 1000),
  });
}

await runMain(async () => {
  const args = process.argv.slice(2);
  const options = optionsOf(args);
  const plan = planOf({ isQuick: options.quick });
  if (options.lengths) {
    const parts = steadyParts(plan);
    say(parts.lengths);
    if (options.write) writePage(root, parts);
    return 0;
  }
  if (!options["no-build"]) {
    await build(["wasm", "package"], await ensure({ groups: ["build", "core"] }));
    await buildTrainer();
  }
  const summary = await measure(plan, args);
  const measured = measuredText(summary, titleOf);
  say(`\n${measured}`);
  const json = `${JSON.stringify(summary, null, 1)}\n`;
  mkdirSync(join(root, "bench/results"), { recursive: true });
  writeFileSync(join(root, "bench/results/schemes.json"), json);
  if (options.write) {
    writePage(root, { measured, ...steadyParts(plan) });
    writeFileSync(join(root, "docs/costs.json"), json);
  }
  return 0;
});

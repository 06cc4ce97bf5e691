// Runs the harnesses of tests/fuzz, built by `npm run fuzz`, in parallel:
//   node scripts/fuzz/run.mjs [NAME ...]
// Each runs for WF_FUZZ_SECONDS (600). It starts with the committed corpus and the findings of
// earlier runs (build/fuzz/found), and fails at the first input that crashes it, which is kept.

import { mkdirSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sanitizerEnvironment } from "../setup/native-compiler.mjs";
import { run, runMain, unexpected } from "../setup/process.mjs";
import { say } from "../setup/progress.mjs";
import { Slots } from "../test/slots.mjs";
import { harnesses } from "./harnesses.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const longestInput = { safetensors: 2048, gguf: 2048, request: 1024, attention: 512, formula: 512 };

function seconds() {
  const text = process.env.WF_FUZZ_SECONDS || "600";
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw unexpected("WF_FUZZ_SECONDS", text, "an integer from 1");
}

const withCommas = (text) => Number(text).toLocaleString("en");

/** libFuzzer's final numbers: inputs, edges reached, features. */
function counts(output) {
  const inputs = /number_of_executed_units:\s*(\d+)/.exec(output)?.[1];
  const reached = [...output.matchAll(/\bcov: (\d+) ft: (\d+)/g)].at(-1);
  return inputs && reached && { inputs, edges: reached[1], features: reached[2] };
}

async function runHarness(name) {
  const program = join(root, "build/fuzz", `fuzz_${name}`);
  const found = join(root, "build/fuzz/found", name);
  const failed = join(root, "build/fuzz/failed", name);
  for (const folder of [found, failed]) mkdirSync(folder, { recursive: true });
  const limit = seconds();
  const { code, output } = await run(
    program,
    [
      `-max_total_time=${limit}`,
      `-max_len=${longestInput[name]}`,
      "-timeout=60",
      "-print_final_stats=1",
      `-artifact_prefix=${failed}/`,
      found,
      join(root, "tests/fuzz/corpus", name),
    ],
    // For an allocation that fails, the allocator must return null.
    {
      cwd: root,
      env: {
        ...process.env,
        ...sanitizerEnvironment(),
        ASAN_OPTIONS: "allocator_may_return_null=1",
      },
    },
  );
  const reached = counts(output);
  if (code === 0 && reached) {
    const { inputs, edges, features } = reached;
    say(
      `${name}: ${withCommas(inputs)} inputs in ${limit} s, ${withCommas(edges)} edges, ` +
        `${withCommas(features)} features, ${readdirSync(found).length} inputs kept`,
    );
    return true;
  }
  say(output.trimEnd().split("\n").slice(-60).join("\n"));
  const artifact = /Test unit written to (\S+)/.exec(output)?.[1];
  say(
    artifact
      ? `${name} failed (exit ${code}). Again: ASAN_OPTIONS=allocator_may_return_null=1 ` +
          `${program} ${artifact}`
      : `${name} did not run to its end (exit ${code})`,
  );
  return false;
}

await runMain(async () => {
  const words = process.argv.slice(2);
  const unknown = words.find((word) => !harnesses.includes(word));
  if (unknown) throw unexpected("harness", unknown, `one of ${harnesses.join(", ")}`);
  const slots = new Slots(availableParallelism());
  const results = await Promise.all(
    (words.length ? words : harnesses).map((name) => slots.use(1, () => runHarness(name))),
  );
  const clean = results.filter(Boolean).length;
  say(`${clean} harnesses ran clean, ${results.length - clean} failed`);
  return clean === results.length ? 0 : 1;
});

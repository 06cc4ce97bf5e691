// The native program of Google Benchmark, bench/native/kernels.cpp, and rows that are ratios of its
// times.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildTargets } from "../../scripts/build/cmake.mjs";
import { root } from "../../scripts/setup/ensure.mjs";
import { runOrFail } from "../../scripts/setup/process.mjs";
import { say } from "../../scripts/setup/progress.mjs";

const library = "/usr/include/benchmark/benchmark.h";

export const whyNotNative = () =>
  existsSync(library) ? undefined : "there is no Google Benchmark (Debian: libbenchmark-dev)";

/** Returns the median processor times of the named benchmarks, `{ name: ms }`. */
async function timesOf(program, names, repetitions) {
  const { output } = await runOrFail(program, [
    `--benchmark_filter=^(${names.join("|")})$`,
    `--benchmark_repetitions=${repetitions}`,
    "--benchmark_enable_random_interleaving=true",
    "--benchmark_report_aggregates_only=true",
    "--benchmark_format=json",
  ]);
  const { benchmarks } = JSON.parse(output.slice(output.indexOf("{")));
  const medians = benchmarks.filter((one) => one.aggregate_name === "median");
  return Object.fromEntries(medians.map((one) => [one.run_name, one.cpu_time]));
}

export async function startNative({ settings }) {
  say("== building the native benchmark");
  await buildTargets({ root, preset: "release", targets: ["kernels_bench"] });
  const program = join(root, "build/release/kernels_bench");
  return {
    machine: "native",
    measure: async ({ parameters: { ours, base } }) => {
      const times = await timesOf(program, [ours, base], Math.min(settings.rounds, 9));
      const ordered = { [ours]: times[ours], [base]: times[base] };
      return { times: ordered, rounds: [], figure: times[ours] / times[base] };
    },
    close: async () => {},
  };
}

// How many lines of src the native tests reach: `npm run coverage` builds them with gcov's counters
// (preset "coverage"), runs them and prints a table by folder.
//
//   node scripts/coverage.mjs          builds, runs, prints
//   node scripts/coverage.mjs FOLDER   prints what a build in FOLDER has counted so far
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const build = process.argv[2] ? resolve(process.argv[2]) : join(root, "build/coverage");

const below = (folder, ending) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));

function runOrExit(program, ...words) {
  const { status } = spawnSync(program, words, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

if (!process.argv[2]) {
  runOrExit("cmake", "--preset", "coverage");
  runOrExit("cmake", "--build", build, "--target", "core_tests", "-j", `${cpus().length}`);
  for (const file of below(build, ".gcda")) rmSync(file);
  runOrExit(join(build, "core_tests"));
}

/** Times that each line of each file ran: Map of "src/…" to Map of line to count. */
function readCounts() {
  const counts = new Map();
  const notes = below(build, ".gcno");
  for (let i = 0; i < notes.length; i += 16) {
    const words = ["--json-format", "--stdout", ...notes.slice(i, i + 16)];
    const output = execFileSync("gcov", words, {
      cwd: build,
      encoding: "utf8",
      maxBuffer: 1 << 30,
      stdio: ["ignore", "pipe", "ignore"],
    });
    for (const report of output.split("\n").filter(Boolean)) {
      const { files, current_working_directory: folder } = JSON.parse(report);
      for (const { file, lines } of files) {
        // The last "src" of a path: the sources may lie in another clone.
        const path = relative(root, resolve(folder, file)).replace(/^.*?(?=src\/)/, "");
        if (!path.startsWith("src/")) continue;
        if (!counts.has(path)) counts.set(path, new Map());
        const own = counts.get(path);
        for (const line of lines)
          own.set(line.line_number, (own.get(line.line_number) ?? 0) + line.count);
      }
    }
  }
  return counts;
}

const folders = new Map();
const files = [];
for (const [path, lines] of readCounts()) {
  const reached = [...lines.values()].filter((count) => count > 0).length;
  files.push({ path, missed: lines.size - reached, all: lines.size });
  for (const folder of ["all of src", dirname(path)]) {
    const sum = folders.get(folder) ?? { reached: 0, all: 0 };
    folders.set(folder, { reached: sum.reached + reached, all: sum.all + lines.size });
  }
}

const row = (name, reached, all) =>
  console.log(
    `${name.padEnd(32)} ${`${reached}`.padStart(6)} of ${`${all}`.padStart(6)}  ` +
      `${((100 * reached) / all).toFixed(2)} %`,
  );
for (const name of [...folders.keys()].sort()) {
  const { reached, all } = folders.get(name);
  row(name, reached, all);
}
console.log("\nmost lines not reached:");
for (const { path, missed, all } of files.sort((a, b) => b.missed - a.missed).slice(0, 10))
  console.log(`${path.padEnd(40)} ${missed} of ${all}`);

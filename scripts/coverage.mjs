// Lines and branches of src and bindings/calls that the native tests reach: `npm run coverage`
// builds them with gcov's counters (preset "coverage"), runs them and prints a table by folder.
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

function addLine(lines, { line_number: number, count, branches }) {
  const known = lines.get(number) ?? { count: 0, branches: [] };
  const ways = branches.filter((branch) => !branch.throw).map((branch) => branch.count);
  lines.set(number, {
    count: known.count + count,
    branches:
      ways.length === known.branches.length
        ? ways.map((taken, i) => taken + known.branches[i])
        : [known.branches, ways].sort((a, b) => b.length - a.length)[0],
  });
}

/**
 * Execution counts of each line and branch of each file: Map of path to Map of line to
 * `{ count, branches }`. The branches of a template or an inline function are summed over its
 * copies if all have the same number.
 */
function readCounts() {
  const counts = new Map();
  const notes = below(build, ".gcno");
  for (let i = 0; i < notes.length; i += 16) {
    const words = [
      "--json-format",
      "--branch-probabilities",
      "--stdout",
      ...notes.slice(i, i + 16),
    ];
    const output = execFileSync("gcov", words, {
      cwd: build,
      encoding: "utf8",
      maxBuffer: 1 << 30,
      stdio: ["ignore", "pipe", "ignore"],
    });
    for (const report of output.split("\n").filter(Boolean)) {
      const { files, current_working_directory: folder } = JSON.parse(report);
      for (const { file, lines } of files) {
        // The last "src" of a path: the sources may be in another clone.
        const path = relative(root, resolve(folder, file)).replace(/^.*?(?=src\/|bindings\/)/, "");
        if (!/^(?:src|bindings\/calls)\//.test(path)) continue;
        if (!counts.has(path)) counts.set(path, new Map());
        for (const line of lines) addLine(counts.get(path), line);
      }
    }
  }
  return counts;
}

const none = () => ({ lines: [0, 0], branches: [0, 0] });
const add = (sum, { lines, branches }) => {
  for (const i of [0, 1]) {
    sum.lines[i] += lines[i];
    sum.branches[i] += branches[i];
  }
};

const folders = new Map();
const files = [];
for (const [path, lines] of readCounts()) {
  const ways = [...lines.values()].flatMap(({ branches }) => branches);
  const reached = (counts) => counts.filter((count) => count > 0).length;
  const counts = {
    lines: [reached([...lines.values()].map(({ count }) => count)), lines.size],
    branches: [reached(ways), ways.length],
  };
  files.push({ path, ...counts });
  for (const folder of [`all of ${/^(?:src|bindings)/.exec(path)[0]}`, dirname(path)]) {
    if (!folders.has(folder)) folders.set(folder, none());
    add(folders.get(folder), counts);
  }
}

const share = ([reached, all]) =>
  `${`${reached}`.padStart(6)} of ${`${all}`.padStart(6)} ` +
  `${(all ? (100 * reached) / all : 100).toFixed(2).padStart(6)} %`;
console.log(`${"".padEnd(20)} ${"lines".padStart(25)} ${"branches".padStart(26)}`);
for (const name of [...folders.keys()].sort()) {
  const { lines, branches } = folders.get(name);
  console.log(`${name.padEnd(20)} ${share(lines)}  ${share(branches)}`);
}
console.log("\nmost lines not reached:");
const missed = ({ lines: [reached, all] }) => all - reached;
for (const file of files.sort((a, b) => missed(b) - missed(a)).slice(0, 10))
  console.log(`${file.path.padEnd(40)} ${missed(file)} of ${file.lines[1]}`);

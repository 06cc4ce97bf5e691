// Prints the costs of each example: seconds to install and build it, bytes that its page requests,
// and time until it works. The tests of the examples measure them (`npm run test:consumers`,
// `npm test -- examples`); --write puts them into examples/README.md.
//
//   node scripts/consumers.mjs [--write]
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { costOf } from "../tests/consumers/cost.mjs";
import { root } from "./setup/ensure.mjs";
import { runMain, SetupError } from "./setup/process.mjs";
import { say } from "./setup/progress.mjs";

const begin = "<!-- made by npm run consumers -- --write -->";
const end = "<!-- end -->";

/** The examples, each a folder. */
export const exampleNames = () =>
  readdirSync(join(root, "examples"))
    .filter((name) => statSync(join(root, "examples", name)).isDirectory())
    .sort();

const seconds = (value) => (value === undefined ? "" : value.toFixed(1));
const megabytes = (value) => (value === undefined ? "" : (value / 1e6).toFixed(2));

/** The table as Markdown, from costs by example name. */
export function tableOf(costs) {
  const lines = Object.entries(costs).map(([name, cost]) => {
    const run = cost.build ?? cost.start ?? cost.check;
    const cells = [`\`${name}\``, seconds(cost.install), seconds(run)];
    return `| ${[...cells, megabytes(cost.bytes), seconds(cost.seconds)].join(" | ")} |`;
  });
  return [
    "| Folder | Install, s | Build or run, s | Page asks for, MB | Works after, s |",
    "| --- | ---: | ---: | ---: | ---: |",
    ...lines,
  ].join("\n");
}

/** A page's text with the table between its marks. Errors: SetupError if there are none. */
export function withTable(text, table) {
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new SetupError(`examples/README.md has no "${begin}" … "${end}".`);
  return `${text.slice(0, from)}${begin}\n${table}\n${text.slice(to)}`;
}

async function main() {
  const costs = Object.fromEntries(exampleNames().map((name) => [name, costOf(name)]));
  const missing = Object.keys(costs).filter((name) => Object.keys(costs[name]).length === 0);
  if (missing.length > 0)
    throw new SetupError(
      `Not measured here yet: ${missing.join(", ")}. Run npm run test:consumers, npm test -- ` +
        "examples.",
    );
  const table = tableOf(costs);
  say(table);
  if (!process.argv.includes("--write")) return;
  const page = join(root, "examples/README.md");
  writeFileSync(page, withTable(readFileSync(page, "utf8"), table));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runMain(main);

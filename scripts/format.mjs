// Formats the C++ and the TypeScript of the checkout, with the CSS and HTML in its templates:
//   node scripts/format.mjs [--check]
// --check changes nothing and fails if C++ or a template would change; the linter checks
// TypeScript.

import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { unformattedTemplates } from "./format/templates.mjs";
import { ensure, root } from "./setup/ensure.mjs";
import { readOutput, run, runMain, runOrFail, SetupError } from "./setup/process.mjs";
import { say } from "./setup/progress.mjs";

const tool = (name) => join(root, "node_modules/.bin", name);

function sources(...patterns) {
  const listing = ["ls-files", "-z", "-co", "--exclude-standard", ...patterns];
  const names = readOutput("git", listing, { cwd: root });
  if (names === undefined) throw new SetupError("git could not list the files of the checkout.");
  const deleted = readOutput("git", ["ls-files", "-z", "-d"], { cwd: root }) ?? "";
  const gone = new Set(deleted.split("\0"));
  return names.split("\0").filter((name) => name && !gone.has(name));
}

/** Runs clang-format on all C++ files, with one process per core. */
async function clangFormat(...options) {
  const files = sources("*.cpp", "*.h");
  const size = Math.ceil(files.length / availableParallelism());
  const parts = [];
  for (let at = 0; at < files.length; at += size) parts.push(files.slice(at, at + size));
  const results = await Promise.all(
    parts.map((part) => run(tool("clang-format-node"), [...options, ...part], { cwd: root })),
  );
  return { files, results };
}

await runMain(async () => {
  await ensure({ groups: [], emscripten: false });
  const check = process.argv.includes("--check");
  const { files, results } = await clangFormat(...(check ? ["--dry-run", "-Werror"] : ["-i"]));
  const complaints = results.map(({ output }) => output.trim()).filter(Boolean);
  if (complaints.length) say(complaints.join("\n"));
  if (results.some(({ code }) => code !== 0)) {
    say(check ? "Some C++ is not formatted: run npm run format" : "clang-format failed");
    return 1;
  }
  if (!check) await runOrFail(tool("biome"), ["check", "--write"], { cwd: root });
  const templates = await unformattedTemplates(root, sources("web/*.ts"));
  if (check && templates.size) {
    say([...templates.keys(), "Templates are not formatted: run npm run format"].join("\n"));
    return 1;
  }
  for (const [file, text] of templates) writeFileSync(join(root, file), text);
  say(`${files.length} C++ files and all templates formatted`);
  return 0;
});

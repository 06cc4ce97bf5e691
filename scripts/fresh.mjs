// `npm run test:fresh`: the README's two commands on a machine that has only what the README
// requires.
//   node scripts/fresh.mjs [--only start|test] [--keep]
// Makes a bare Debian in build/fresh/root (as root; debootstrap), with git, g++ and this machine's
// Node, clones the commit into it, runs `npm start` until the page is served and fetched, then
// `npm test`, and prints the seconds of each. All output is in build/fresh/log.txt. --keep keeps
// the root for inspection.

import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { cloneInto, makeRoot, removeRoot, runInside } from "./fresh/bare-root.mjs";
import { fetchPage } from "./fresh/page.mjs";
import { root as checkout } from "./setup/ensure.mjs";
import { withLock } from "./setup/lock.mjs";
import { onInterrupt, readOutput, runMain, unexpected } from "./setup/process.mjs";
import { formatSeconds, Steps, say } from "./setup/progress.mjs";

const folder = join(checkout, "build/fresh");
const root = join(folder, "root");
const logFile = join(folder, "log.txt");
const clone = "/root/whereformer";

function readOptions() {
  const options = { only: { type: "string" }, keep: { type: "boolean" } };
  const { only, keep = false } = parseArgs({ options }).values;
  if (only !== undefined && only !== "start" && only !== "test") {
    throw unexpected("--only", only, "start or test");
  }
  return { commands: only ? [only] : ["start", "test"], keep };
}

function log(line) {
  appendFileSync(logFile, `${line}\n`);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

// Ends when the page has been fetched; what `npm start` still builds then is cancelled.
async function start(env) {
  const port = await freePort();
  const stop = new AbortController();
  let fetched;
  const onLine = (line) => {
    log(line);
    say(`  ${line}`);
    if (fetched || !line.includes(`localhost:${port}`)) return;
    fetched = fetchPage(`http://localhost:${port}/`).finally(() => stop.abort());
    fetched.catch(() => {});
  };
  const options = { folder: clone, env: { ...env, PORT: `${port}` }, onLine, signal: stop.signal };
  const { code } = await runInside(root, options, ["npm", "start"]);
  if (!fetched) return { passed: false, line: `it ended with exit ${code} before it served` };
  const { files, bytes } = await fetched;
  return {
    passed: true,
    line: `${files} files of the page fetched, ${Math.round(bytes / 1e3)} kB`,
  };
}

async function test(env) {
  let last = "";
  const onLine = (line) => {
    log(line);
    if (/^(?:\[|==|ok {4}|FAILED|✖)/.test(line)) say(`  ${line}`);
    if (/^\d+ passed, \d+ failed$/.test(line)) last = line;
  };
  const { code } = await runInside(root, { folder: clone, env, onLine }, ["npm", "test"]);
  return { passed: code === 0 && last !== "", line: last || `no closing line, exit ${code}` };
}

async function timed(name, work) {
  say(`\n== npm ${name}`);
  log(`\n== npm ${name}`);
  const started = Date.now();
  let result;
  try {
    result = await work();
  } catch (error) {
    result = { passed: false, line: error.message };
  }
  return { name, seconds: (Date.now() - started) / 1000, ...result };
}

async function runAll({ commands }) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(logFile, "");
  const steps = new Steps(3);
  const env = await makeRoot(root, steps);
  steps.begin("A clean clone of what is committed");
  const commit = await cloneInto(root, clone, checkout);
  const changed = readOutput("git", ["status", "--porcelain"], { cwd: checkout });
  steps.end(changed ? `${commit}; what is not committed is left out` : commit);
  const work = { start: () => start(env), test: () => test(env) };
  const results = [];
  for (const name of commands) results.push(await timed(name, work[name]));
  say(`\n== on a bare Debian, commit ${commit} (all output: ${logFile})`);
  for (const { name, passed, seconds, line } of results) {
    const text = `${passed ? "ok    " : "FAILED"} npm ${name}: ${line} [${formatSeconds(seconds)}]`;
    say(text);
    log(text);
  }
  return results.every(({ passed }) => passed) ? 0 : 1;
}

await runMain(async () => {
  const options = readOptions();
  return withLock(join(checkout, "build/fresh.lock"), "testing on a bare Debian", async () => {
    const remove = options.keep ? () => {} : onInterrupt(() => removeRoot(root));
    try {
      return await runAll(options);
    } finally {
      remove();
    }
  });
});

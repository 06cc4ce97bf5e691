// Starts other programs, and stops them cleanly on Ctrl-C.

import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** An error whose message alone is printed, without a stack: the problem and its remedy. */
export class SetupError extends Error {}

/** The error for a wrong value, with the option's or variable's name as a user writes it. */
export const unexpected = (name, value, expected) =>
  new SetupError(`${name}: ${value} (expected ${expected})`);

const running = new Set();
const cleanups = new Set();
let stopping = false;

/** Registers a synchronous clean-up for interrupts; returns a function that runs and removes it. */
export function onInterrupt(cleanup) {
  cleanups.add(cleanup);
  return () => {
    if (cleanups.delete(cleanup)) cleanup();
  };
}

function finishStop(code) {
  for (const cleanup of [...cleanups].reverse()) cleanup();
  cleanups.clear();
  process.exit(code);
}

// Every child leads its own process group, so that the processes it started end with it.
function killGroup(child) {
  try {
    process.kill(-child.pid, "SIGTERM");
  } catch {
    // The process has ended already.
  }
}

function stop(code) {
  if (stopping) return;
  stopping = true;
  const uninterruptible = [...running].find((entry) => entry.uninterruptible);
  for (const entry of running) if (!entry.uninterruptible) killGroup(entry.child);
  if (!uninterruptible) return finishStop(code);
  process.stderr.write(`\nStopping as soon as ${uninterruptible.uninterruptible} has finished.\n`);
  uninterruptible.child.once("exit", () => finishStop(code));
}

process.on("SIGINT", () => stop(130));
process.on("SIGTERM", () => stop(143));
process.on("SIGHUP", () => stop(129));

// Calls back with every line of a stream, and with its pieces as they come.
function readLines(stream, onLine, onText = () => {}) {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (text) => {
    onText(text);
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop();
    for (const line of lines) onLine(line);
  });
  stream.on("end", () => rest && onLine(rest));
}

// Windows finds programs by extension, and starts scripts (emcmake.bat, npm.cmd) only through its
// shell, which splits unquoted arguments at spaces.
const isWindows = process.platform === "win32";
const isScript = (command) => isWindows && /\.(?:bat|cmd)$/i.test(findProgram(command) ?? command);
const launchable = (command, args) =>
  isScript(command) ? [`"${command}"`, args.map((text) => `"${text}"`)] : [command, args];

/**
 * Runs a program to its end and resolves to `{ code, output }`. `onLine` gets every line of its
 * output; `onStatus` every line that it writes to descriptor 3; `signal` ends it and the processes
 * it started; `uninterruptible` marks work that must be completed: Ctrl-C then waits for its end.
 */
export function run(command, args, options = {}) {
  const { onLine = () => {}, onStatus, signal: ending, uninterruptible, ...spawnOptions } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(...launchable(command, args), {
      stdio: ["ignore", "pipe", "pipe", ...(onStatus ? ["pipe"] : [])],
      detached: true,
      shell: isScript(command),
      ...spawnOptions,
    });
    const entry = { child, uninterruptible };
    running.add(entry);
    ending?.addEventListener("abort", () => running.has(entry) && killGroup(child));
    let output = "";
    const keep = (text) => {
      output = (output + text).slice(-200_000);
    };
    readLines(child.stdout, onLine, keep);
    readLines(child.stderr, onLine, keep);
    if (onStatus) readLines(child.stdio[3], onStatus);
    child.on("error", (error) => {
      running.delete(entry);
      reject(new SetupError(`${command} could not be started: ${error.message}`));
    });
    child.on("close", (code, signal) => {
      running.delete(entry);
      // A child stopped by Ctrl-C must not be reported as a failure.
      if (!stopping || uninterruptible) resolve({ code: code ?? (signal ? 128 : 1), output });
    });
  });
}

/** As `run`, but throws on a non-zero exit, with the program's last lines in the message. */
export async function runOrFail(command, args, options = {}) {
  const result = await run(command, args, options);
  if (result.code === 0) return result;
  const tail = result.output.trimEnd().split("\n").slice(-25).join("\n");
  throw new SetupError(`${[command, ...args].join(" ")} failed (exit ${result.code})\n${tail}`);
}

/** The trimmed standard output of a quick program, or undefined if it is absent or fails. */
export function readOutput(command, args, options = {}) {
  const result = spawnSync(command, args, { encoding: "utf8", ...options });
  return result.status === 0 ? result.stdout.trim() : undefined;
}

/** The full path of a program on the PATH, or undefined. */
export function findProgram(name, path = process.env.PATH ?? "") {
  const endings = isWindows ? [...(process.env.PATHEXT ?? "").split(delimiter), ""] : [""];
  const folders = path.split(delimiter);
  for (const file of folders.flatMap((folder) => endings.map((end) => join(folder, name + end)))) {
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/** Command-line flags that this Node needs for relaxed SIMD: one before version 22. */
export function relaxedSimdFlags() {
  const major = Number.parseInt(process.versions.node, 10);
  return major < 22 ? ["--experimental-wasm-relaxed-simd"] : [];
}

export const isRoot = () => process.getuid?.() === 0;

/** Runs a script's main function: SetupErrors are printed without a stack trace. */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? process.exitCode ?? 0;
  } catch (error) {
    process.stderr.write(`${error instanceof SetupError ? error.message : error.stack}\n`);
    for (const cleanup of [...cleanups].reverse()) cleanup();
    process.exit(1);
  }
}

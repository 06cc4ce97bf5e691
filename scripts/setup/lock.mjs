// A lock file held by a process. If the holder no longer runs, the lock is taken over, so an
// interrupted set-up never blocks the next one.

import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onInterrupt } from "./process.mjs";
import { say } from "./progress.mjs";

// A process number alone can be reused; with its start time (Linux) it cannot. A process that has
// ended but is not yet collected by its parent has none.
function startTime(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop().split(" ");
    return fields[0] === "Z" ? "" : fields[19];
  } catch {
    return "";
  }
}

function isAlive(holder) {
  const [pid, started] = holder.split(" ");
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if (error.code !== "EPERM") return false;
  }
  return !started || startTime(pid) === started;
}

// Linking a finished file makes the lock appear together with its content.
function tryTake(file, me) {
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, me);
  try {
    linkSync(mine, file);
    return undefined;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  } finally {
    rmSync(mine, { force: true });
  }
  return removeIfStale(file);
}

function removeIfStale(file) {
  try {
    const holder = readFileSync(file, "utf8");
    if (isAlive(holder)) return holder.split(" ")[0];
    const grave = `${file}.stale-${process.pid}`;
    renameSync(file, grave);
    // Another process may have taken over between reading and renaming: restore its lock.
    if (readFileSync(grave, "utf8") !== holder) linkSync(grave, file);
    rmSync(grave, { force: true });
  } catch (error) {
    if (error.code !== "ENOENT" && error.code !== "EEXIST") throw error;
  }
  return "unknown";
}

/**
 * Runs `body` while holding the lock file; waits, with a message, while another process holds it.
 */
export async function withLock(file, purpose, body) {
  mkdirSync(dirname(file), { recursive: true });
  const me = `${process.pid} ${startTime(process.pid)}`;
  let said = false;
  for (;;) {
    const holder = tryTake(file, me);
    if (holder === undefined) break;
    if (!said && holder !== "unknown") {
      say(`Waiting for process ${holder}, which is busy with ${purpose}.`);
      said = true;
    }
    await sleep(300);
  }
  const release = onInterrupt(() => rmSync(file, { force: true }));
  try {
    return await body();
  } finally {
    release();
  }
}

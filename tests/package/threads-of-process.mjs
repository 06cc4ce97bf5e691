// The states of this process's threads on Linux: whether a thread runs can be waited for, unlike
// the time for which it has run.

import { readdirSync, readFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";

export const threadIds = () => readdirSync("/proc/self/task");

/** "R" if it runs or waits for a core, "S" if it sleeps. */
const stateOf = (id) =>
  readFileSync(`/proc/self/task/${id}/stat`, "utf8").replace(/^.*\) /s, "")[0];

const doOthersRun = (known) => threadIds().some((id) => !known.includes(id) && stateOf(id) === "R");

/** Repeats `work` until a thread that is not in `known` runs. */
export async function awaitOthersAt(work, known) {
  await awaitOthersAsleep(known);
  while (!doOthersRun(known)) {
    work();
    await nextTurn();
  }
}

/** Waits until none of these threads runs. */
export async function awaitOthersAsleep(known) {
  while (doOthersRun(known)) await nextTurn();
}

// The threads of this process, as Linux shows them: whether one runs is an event to wait for, how
// long it has run is not.

import { readdirSync, readFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";

export const threadIds = () => readdirSync("/proc/self/task");

/** "R" of one that runs or waits for a core, "S" of one that sleeps. */
const stateOf = (id) =>
  readFileSync(`/proc/self/task/${id}/stat`, "utf8").replace(/^.*\) /s, "")[0];

const doOthersRun = (known) => threadIds().some((id) => !known.includes(id) && stateOf(id) === "R");

/** Until a thread that is not among the known ones runs, while `work` is done again and again. */
export async function awaitOthersAt(work, known) {
  await awaitOthersAsleep(known);
  while (!doOthersRun(known)) {
    work();
    await nextTurn();
  }
}

/** Until none of them runs. */
export async function awaitOthersAsleep(known) {
  while (doOthersRun(known)) await nextTurn();
}

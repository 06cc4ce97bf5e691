/** Spreads work over tasks, so that the browser can respond in between. */

import { yieldToEvents } from "whereformer/yield";

/** Pause in typing after which deferred work begins. */
const restMilliseconds = 300;

const waiting = new Set<() => void>();
let resting: ReturnType<typeof setTimeout> | undefined;

async function workThrough(): Promise<void> {
  for (const work of waiting) {
    if (waiting.delete(work)) work();
    await yieldToEvents();
  }
}

/** Runs `work` once, after a pause without further calls. */
export function whenAtRest(work: () => void): void {
  waiting.add(work);
  clearTimeout(resting);
  resting = setTimeout(() => void workThrough(), restMilliseconds);
}

/** Removes `work` from what waits; returns true if it had not yet run. */
export const cancelAtRest = (work: () => void): boolean => waiting.delete(work);

let last: Promise<void> | undefined;

/** Resolves after one task for each earlier caller; at once for the first. */
export function afterEarlierCallers(): Promise<void> {
  last = last ? last.then(yieldToEvents) : Promise.resolve();
  return last;
}

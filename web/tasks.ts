/** Spreads work over tasks, so that the browser can respond in between. */

import { yieldToEvents } from "whereformer/yield";

/** Undefined in some browsers. */
const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } };

/**
 * Resolves after pending input. With `scheduler.yield` other tasks of the page wait meanwhile, so
 * that figures side by side appear sooner; a worker must not do that, as it would miss messages.
 */
const nextTask = (): Promise<void> => (scheduler?.yield ? scheduler.yield() : yieldToEvents());

/** Pause in typing after which deferred work begins. */
const restMilliseconds = 300;

const waiting = new Set<() => void>();
let resting: ReturnType<typeof setTimeout> | undefined;

async function workThrough(): Promise<void> {
  for (const work of waiting) {
    if (waiting.delete(work)) work();
    await nextTask();
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
  last = last ? last.then(nextTask) : Promise.resolve();
  return last;
}

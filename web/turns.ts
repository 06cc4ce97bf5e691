/** Spreads work over tasks, so that the browser can respond in between. */

/** Undefined in some browsers. */
const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } };

/** Resolves in a task of its own, after pending input events. */
export function nextTask(): Promise<void> {
  if (scheduler?.yield) return scheduler.yield();
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}

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

/** Cancels `work`; returns true if it had not yet run. */
export const takeBack = (work: () => void): boolean => waiting.delete(work);

let last: Promise<void> | undefined;

/** Resolves after one task for each earlier caller; at once for the first. */
export function takeTurn(): Promise<void> {
  last = last ? last.then(nextTask) : Promise.resolve();
  return last;
}

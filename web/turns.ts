/** Lets the browser in between: what many do at once, one does in each task. */

/** Not in every browser. */
const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } };

/** Resolves in a task of its own, after whatever the reader has done meanwhile. */
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

/** A reader who types pauses for longer only where a thought ends. */
const restMilliseconds = 300;

const waiting = new Set<() => void>();
let resting: ReturnType<typeof setTimeout> | undefined;

async function workThrough(): Promise<void> {
  for (const work of waiting) {
    if (waiting.delete(work)) work();
    await nextTask();
  }
}

/** Has something done, once, when nobody has asked for anything here for a moment. */
export function whenAtRest(work: () => void): void {
  waiting.add(work);
  clearTimeout(resting);
  resting = setTimeout(() => void workThrough(), restMilliseconds);
}

/** Takes it back; true where it was still to be done. */
export const takeBack = (work: () => void): boolean => waiting.delete(work);

let last: Promise<void> | undefined;

/** Resolves when everybody who asked before has had a task; at once for the first. */
export function takeTurn(): Promise<void> {
  last = last ? last.then(nextTask) : Promise.resolve();
  return last;
}

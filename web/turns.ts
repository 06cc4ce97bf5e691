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

let last: Promise<void> | undefined;

/** Resolves when everybody who asked before has had a task; at once for the first. */
export function takeTurn(): Promise<void> {
  last = last ? last.then(nextTask) : Promise.resolve();
  return last;
}

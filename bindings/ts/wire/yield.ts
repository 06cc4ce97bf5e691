/**
 * Yields to the event loop during long work, so that the work can be cancelled and a page stays
 * responsive. The page imports this file as `whereformer/yield`.
 */

const { setImmediate } = globalThis as { setImmediate?: (then: () => void) => unknown };
const waiting: (() => void)[] = [];
let channel: MessageChannel | undefined;

/**
 * Resolves after pending events: messages (a cancellation among them), input, timers. A zero timer
 * would do that too, but takes a millisecond in Node and, when nested, four in a page.
 */
export function yieldToEvents(): Promise<void> {
  return new Promise((resume) => {
    // Twice: the first may run before messages are read, in the same round of Node's loop.
    if (setImmediate) return void setImmediate(() => setImmediate(resume));
    channel ??= new MessageChannel();
    channel.port1.onmessage = () => waiting.shift()!();
    waiting.push(resume);
    channel.port2.postMessage(0);
  });
}

const maxMilliseconds = 12;
let lastYield = 0;

/** Yields to the event loop if more than 12 ms have passed since the last such yield. */
export async function yieldIfDue(): Promise<void> {
  if (performance.now() - lastYield < maxMilliseconds) return;
  await yieldToEvents();
  lastYield = performance.now();
}

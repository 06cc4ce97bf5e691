/**
 * Yields to the event loop during long work, so that it can be cancelled and a page stays
 * responsive.
 */
const longestHold = 12;
let heldSince = 0;

const { setImmediate } = globalThis as { setImmediate?: (then: () => void) => unknown };
const turns: (() => void)[] = [];
let channel: MessageChannel | undefined;

/**
 * Yields to pending events: messages (a cancellation among them), input, timers. A zero timer would
 * do that too, but takes a millisecond in Node and, when nested, four in a page.
 */
export function turn(): Promise<void> {
  return new Promise((resume) => {
    // Twice: the first may run before messages are read, in the same round of Node's loop.
    if (setImmediate) return void setImmediate(() => setImmediate(resume));
    if (!channel) {
      channel = new MessageChannel();
      channel.port1.onmessage = () => turns.shift()?.();
    }
    turns.push(resume);
    channel.port2.postMessage(0);
  });
}

/** Yields to the event loop if more than 12 ms have passed since the last yield. */
export async function breathe(): Promise<void> {
  if (performance.now() - heldSince < longestHold) return;
  await turn();
  heldSince = performance.now();
}

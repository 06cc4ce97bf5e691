/** Long work lets events in, so that it can be cancelled and a page stays awake. */
const longestHold = 12;
let heldSince = 0;

const { setImmediate } = globalThis as { setImmediate?: (then: () => void) => unknown };
const turns: (() => void)[] = [];
let channel: MessageChannel | undefined;

/**
 * Lets what already waits be heard: messages, a cancel among them, input, timers. A timer of no
 * time would do that too, but takes a millisecond in Node and, one after the other, four in a page.
 */
export function turn(): Promise<void> {
  return new Promise((resume) => {
    // The first may come before messages are read, in the same round of Node's loop.
    if (setImmediate) return void setImmediate(() => setImmediate(resume));
    if (!channel) {
      channel = new MessageChannel();
      channel.port1.onmessage = () => turns.shift()?.();
    }
    turns.push(resume);
    channel.port2.postMessage(0);
  });
}

/** Gives way to the event loop if it has been held for more than 12 ms. */
export async function breathe(): Promise<void> {
  if (performance.now() - heldSince < longestHold) return;
  await turn();
  heldSince = performance.now();
}

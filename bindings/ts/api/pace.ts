/** Long work lets events in, so that it can be cancelled and a page stays awake. */
const longestHold = 12;
let heldSince = 0;

// In Node a timer that is due may fire before messages are read; an immediate set by it cannot.
const { setImmediate } = globalThis as { setImmediate?: (then: () => void) => unknown };

/** Gives way to the event loop if it has been held for more than 12 ms. */
export async function breathe(): Promise<void> {
  const now = performance.now();
  if (now - heldSince < longestHold) return;
  await new Promise<void>((resolve) =>
    setTimeout(() => (setImmediate ? setImmediate(resolve) : resolve()), 0),
  );
  heldSince = performance.now();
}

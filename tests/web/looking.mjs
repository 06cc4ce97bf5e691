// Code that runs in the page for a test. One call does as much as possible, since each round trip
// waits for two processes.

/**
 * In the page: with `comesNear`, scrolls to a part until it is in the window, repeatedly because
 * content above it may grow meanwhile. With `after`, waits until the part, a figure, has been
 * updated more than `after` times, and returns its numbers, its message while it has none, and the
 * count of updates. Returns `isGone` if the part was removed from the page.
 */
export async function look(node, { comesNear = false, after }) {
  const isSeen = () =>
    new Promise((resolve) => {
      const observer = new IntersectionObserver((entries) => {
        observer.disconnect();
        resolve(entries.some(({ isIntersecting }) => isIntersecting));
      });
      observer.observe(node);
    });
  const comeNear = async () => {
    while (node.isConnected) {
      node.scrollIntoViewIfNeeded();
      // The page's own observer was registered earlier, so its figures start before this one
      // reports.
      if (await isSeen()) return;
    }
  };
  const listen = () => {
    const { updated } = node;
    const updates = { count: 0, waiting: [] };
    node.updated = function (...changed) {
      updated.apply(this, changed);
      updates.count++;
      for (const go of updates.waiting.splice(0)) go();
    };
    return updates;
  };
  const isUpdated = ({ waiting }) =>
    new Promise((resolve) => {
      const removal = new MutationObserver(() => {
        if (!node.isConnected) resolve();
      });
      removal.observe(node.getRootNode(), { childList: true, subtree: true });
      waiting.push(() => {
        removal.disconnect();
        resolve();
      });
    });

  if (comesNear) await comeNear();
  if (after !== undefined) {
    // Most figures are fetched when scrolled near, and grow once loaded.
    while (comesNear && node.isConnected && !node.hasUpdated)
      await new Promise(requestAnimationFrame);
    if (comesNear) await comeNear();
    node.updates ??= listen();
    if (node.updates.count <= after && node.isConnected) await isUpdated(node.updates);
  }
  if (!node.isConnected) return { isGone: true };
  if (after === undefined) return {};
  const { failure, caption, waiting } = node.shadowRoot?.querySelector("wf-frame") ?? {};
  const said = failure?.message ?? (caption || waiting || "nothing");
  return { data: node.data, said, count: node.updates.count };
}

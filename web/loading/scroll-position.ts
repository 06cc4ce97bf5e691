/**
 * Keeps the reader's scroll position while figures load. They are defined one by one and rendered
 * after that; scroll anchoring of browsers, which follows each of those layouts, loses the
 * position.
 */

interface ScrollAnchor {
  part: Element;
  /** Pixels from the top of the window. */
  top: number;
}

/**
 * Returns the first part of the article that begins in the window; undefined at the very top of the
 * page.
 */
function anchorInView(
  parts = "header > *, main > section > *, footer > *",
): ScrollAnchor | undefined {
  if (scrollY === 0) return undefined;
  let anchored: ScrollAnchor | undefined;
  for (const part of document.querySelectorAll(parts)) {
    const { top, height } = part.getBoundingClientRect();
    if (height === 0) continue;
    // If no part begins in the window, the last one that begins above it.
    if (top >= innerHeight && anchored) break;
    anchored = { part, top };
    if (top >= 0) break;
  }
  return anchored;
}

const putBack = ({ part, top }: ScrollAnchor) =>
  scrollBy(0, part.getBoundingClientRect().top - top);

/** Switches the browser's scroll anchoring off; "" switches it on again. */
const anchor = (how = "none") => {
  document.documentElement.style.overflowAnchor = how;
};

/**
 * Follows the reader's scrolling until the returned function is called, which restores the
 * position.
 */
export function keepScrollPosition(): () => void {
  let anchored = anchorInView();
  const follow = () => {
    anchored = anchorInView();
  };
  anchor();
  addEventListener("scroll", follow);
  return () => {
    removeEventListener("scroll", follow);
    // By then everything is rendered for the first time, but not yet painted.
    requestAnimationFrame(() => {
      if (anchored) putBack(anchored);
      anchor("");
      arrive();
    });
  };
}

/**
 * Calls `put` whenever a part of the article changes its height, until the reader scrolls or acts.
 * Parts may load seconds later, so there is no limit of time.
 */
function hold(put: () => void): void {
  const acts = ["wheel", "touchstart", "pointerdown", "keydown", "scroll"];
  anchor();
  let ours = scrollY;
  const putBack = () => {
    put();
    ours = scrollY;
  };
  const sizes = new ResizeObserver(putBack);
  const letGo = ({ type }: Event) => {
    if (type === "scroll" && Math.abs(scrollY - ours) < 2) return;
    sizes.disconnect();
    anchor("");
    for (const act of acts) removeEventListener(act, letGo);
  };
  for (const part of document.querySelectorAll("header, main > section > *")) sizes.observe(part);
  // On a window, listeners for wheel and touch are passive by default.
  for (const act of acts) addEventListener(act, letGo);
  putBack();
}

/**
 * Keeps the scroll position while `change` switches the language: figures follow one by one, with
 * other heights.
 */
export function keepScrollPositionThrough(change: () => void): void {
  // Before the position is read: the browser's own anchoring must not have begun.
  anchor();
  const anchored = anchorInView("h2, main > section > :not([lang])");
  change();
  if (anchored) hold(() => putBack(anchored));
  else anchor("");
}

/** Scrolls to the figure in the address. */
function arrive(): void {
  const at = new URLSearchParams(location.hash.slice(1)).get("at");
  const figure = at ? document.getElementById(at) : null;
  if (figure) hold(() => figure.scrollIntoView());
}

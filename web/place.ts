/**
 * Keeps the reader's place while the figures take theirs. They are defined one by one and drawn
 * after that, and a browser that follows each of those layouts, as scroll anchoring does, loses its
 * way.
 */

interface Place {
  part: Element;
  /** Pixels from the top of the window. */
  top: number;
}

/**
 * The first part of the article that begins in the window; nothing at the very top, where one
 * begins.
 */
function placeNow(parts = "header > *, main > section > *, footer > *"): Place | undefined {
  if (scrollY === 0) return undefined;
  let place: Place | undefined;
  for (const part of document.querySelectorAll(parts)) {
    const { top, height } = part.getBoundingClientRect();
    if (height === 0) continue;
    // What begins above it counts where nothing begins in it.
    if (top >= innerHeight && place) break;
    place = { part, top };
    if (top >= 0) break;
  }
  return place;
}

const putBack = ({ part, top }: Place) => scrollBy(0, part.getBoundingClientRect().top - top);

/** Keeps the browser from keeping the place by itself; with "" it does, as at first. */
const anchor = (how = "none") => {
  document.documentElement.style.overflowAnchor = how;
};

/** Follows the reader until the function that it returns is called, which puts that place back. */
export function keepPlace(): () => void {
  let place = placeNow();
  const follow = () => {
    place = placeNow();
  };
  anchor();
  addEventListener("scroll", follow);
  return () => {
    removeEventListener("scroll", follow);
    // By then everything is drawn for the first time, and nothing is seen yet.
    requestAnimationFrame(() => {
      if (place) putBack(place);
      anchor("");
      arrive();
    });
  };
}

/**
 * Puts the reader back by `put` whenever a part of the article takes another height, until he acts
 * himself: what comes late may come seconds late, so no clock could say when it is over.
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
  // On a window those of the wheel and of touch are passive without being told.
  for (const act of acts) addEventListener(act, letGo);
  putBack();
}

/**
 * Keeps the reader's place while `change` puts one language in the other's place: figures follow
 * it one by one, in other heights.
 */
export function keepPlaceThrough(change: () => void): void {
  // Before the place is asked for: the browser's own anchoring must not have begun either.
  anchor();
  const place = placeNow("h2, main > section > :not([lang])");
  change();
  if (place) hold(() => putBack(place));
  else anchor("");
}

/** Opens a link at the figure it names. */
function arrive(): void {
  const at = new URLSearchParams(location.hash.slice(1)).get("at");
  const figure = at ? document.getElementById(at) : null;
  if (figure) hold(() => figure.scrollIntoView());
}

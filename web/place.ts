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

/** Follows the reader until the function that it returns is called, which puts that place back. */
export function keepPlace(): () => void {
  let place = placeNow();
  const follow = () => {
    place = placeNow();
  };
  const { style } = document.documentElement;
  style.overflowAnchor = "none";
  addEventListener("scroll", follow);
  return () => {
    removeEventListener("scroll", follow);
    // By then everything is drawn for the first time, and nothing is seen yet.
    requestAnimationFrame(() => {
      if (place) putBack(place);
      style.overflowAnchor = "";
      arrive();
    });
  };
}

/**
 * Keeps the reader's place while `change` puts one language in the other's place: figures follow
 * it one by one, in other heights. Whoever scrolls meanwhile is let go.
 */
export function keepPlaceThrough(change: () => void): void {
  const { style } = document.documentElement;
  // Before the place is asked for: the browser's own anchoring must not have begun either.
  style.overflowAnchor = "none";
  const place = placeNow("h2, main > section > :not([lang])");
  change();
  let end = performance.now() + 1500;
  const letGo = () => {
    end = 0;
  };
  for (const name of ["wheel", "touchstart", "keydown"])
    addEventListener(name, letGo, { once: true });
  const follow = () => {
    if (performance.now() > end) style.overflowAnchor = "";
    else {
      if (place) putBack(place);
      requestAnimationFrame(follow);
    }
  };
  follow();
}

/** Opens a link at the figure it names. */
function arrive(): void {
  const at = new URLSearchParams(location.hash.slice(1)).get("at");
  if (at) document.getElementById(at)?.scrollIntoView();
}

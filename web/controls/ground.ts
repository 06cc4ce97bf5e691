/**
 * Finds out whether a figure has a dark background, from the styles in force on it, and calls
 * listeners when those styles change. There is no polling: a hidden element takes its colours from
 * these styles, and the browser fires an event when its colours change.
 */

/** The background for the `color-scheme` in force: white, or black if it is dark. */
const isBlack = "rgb(0, 0, 0)";
const held: Partial<CSSStyleDeclaration> & { forcedColorAdjust: string } = {
  position: "absolute",
  width: "0",
  height: "0",
  overflow: "hidden",
  visibility: "hidden",
  forcedColorAdjust: "none",
  color: `light-dark(rgb(255, 255, 255), ${isBlack})`,
  backgroundColor: "var(--wf-paper)",
  border: "0 solid",
  borderColor: "var(--wf-ink) var(--wf-weight-5) var(--wf-query) var(--wf-plus)",
};
/** The hidden child inherits these colours and has a transition, whose events show a change. */
const told: Partial<CSSStyleDeclaration> = {
  display: "block",
  color: "inherit",
  background: "inherit",
  border: "inherit",
  transition: "all 1ms",
};

class Ground<Look> {
  readonly listeners = new Set<() => void>();
  /** Cached styles in force, until they change. */
  look: Look | undefined;
  readonly #held = document.createElement("span");
  #isTelling = false;

  constructor(figure: Element) {
    const teller = document.createElement("span");
    this.#held.ariaHidden = "true";
    Object.assign(this.#held.style, held);
    Object.assign(teller.style, told);
    for (const moment of ["run", "start", "end", "cancel"])
      teller.addEventListener(`transition${moment}`, (event) => {
        event.stopPropagation();
        if (moment === "run") this.#tell();
      });
    this.#held.append(teller);
    (figure.shadowRoot ?? figure).append(this.#held);
  }

  get isDark(): boolean {
    return getComputedStyle(this.#held).color === isBlack;
  }

  /** Calls each listener once for all colours that change together. */
  #tell(): void {
    this.look = undefined;
    if (this.#isTelling) return;
    this.#isTelling = true;
    queueMicrotask(() => {
      this.#isTelling = false;
      for (const listener of [...this.listeners]) listener();
    });
  }
}

/** The backgrounds of figures, with the cached styles of each. */
export class Grounds<Look> {
  readonly #known = new WeakMap<Element, Ground<Look>>();

  of(figure: Element): Ground<Look> {
    const known = this.#known.get(figure) ?? new Ground<Look>(figure);
    this.#known.set(figure, known);
    return known;
  }
}

/**
 * Whether a figure stands on a dark ground, by the styles in force at its place, whoever set them;
 * and who is told when those change. Nothing asks again and again: a part that nobody sees has
 * colours of them, and the browser fires an event where these change.
 */

/** The ground as the scheme of colours in force has it: white, or black where that is dark. */
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
/** Has the colours of what it stands in, and comes to them by a transition. */
const told: Partial<CSSStyleDeclaration> = {
  display: "block",
  color: "inherit",
  background: "inherit",
  border: "inherit",
  transition: "all 1ms",
};

class Ground<Look> {
  readonly listeners = new Set<() => void>();
  /** What has been read of the styles in force, until they change. */
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

  /** Of all colours that change in one moment once. */
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

/** The grounds of figures, and what is kept of each. */
export class Grounds<Look> {
  readonly #known = new WeakMap<Element, Ground<Look>>();

  of(figure: Element): Ground<Look> {
    const known = this.#known.get(figure) ?? new Ground<Look>(figure);
    this.#known.set(figure, known);
    return known;
  }
}

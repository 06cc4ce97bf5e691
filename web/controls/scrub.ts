/**
 * `<wf-scrub>`: a number in a sentence that is changed by dragging sideways or by arrow keys. It is
 * a number of the page's state, so the figures that show it follow. Without script it is plain
 * text.
 */

import { css, html, LitElement } from "lit";
import { define } from "../define.js";
import { changeAsked, type PageState } from "../page-state.js";
import { changes, type Part, page } from "../state.js";

/** Pixels of dragging for one step. */
const way = 6;

export class Scrub extends LitElement {
  static override properties = {
    field: {},
    at: { type: Number },
    min: { type: Number },
    max: { type: Number },
    label: {},
    only: {},
  };

  /** Name of the number in the page's state, and its index if the field is a list. */
  declare field: keyof PageState;
  declare at: number | undefined;
  declare min: number;
  declare max: number;
  /** Description of the number, for a screen reader. */
  declare label: string;
  /** `field:value`: the number applies only if the page has that value, which a change sets too. */
  declare only: string;

  #start: { x: number; value: number } | undefined;
  #onChange = (parts: ReadonlySet<Part>) => {
    const watched = [this.field, ...Object.keys(this.#premise)] as Part[];
    if (watched.some((part) => parts.has(part))) this.requestUpdate();
  };

  static override styles = css`
    :host {
      display: inline-block;
      padding-inline: 0.05em;
      border-bottom: 2px dotted var(--wf-position);
      color: var(--wf-position);
      font-weight: 600;
      font-variant-numeric: tabular-nums lining-nums;
      cursor: ew-resize;
      touch-action: pan-y;
      user-select: none;
    }

    :host(:focus-visible) {
      outline: 2px solid var(--wf-ink);
      outline-offset: 2px;
    }
  `;

  constructor() {
    super();
    this.min = 0;
    this.max = 100;
    this.label = "";
    this.only = "";
    this.addEventListener("pointerdown", this.#press);
    this.addEventListener("pointermove", this.#move);
    this.addEventListener("pointerup", this.#release);
    this.addEventListener("pointercancel", this.#release);
    this.addEventListener("keydown", this.#key);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    changes.listen(this.#onChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    changes.forget(this.#onChange);
  }

  /** The change of the page's state that makes the number apply. */
  get #premise(): Partial<PageState> {
    return changeAsked(this.only);
  }

  /** The page's value; the number in the text if the page leaves the choice to a figure. */
  get #value(): number {
    const all = page.state[this.field];
    const text = Number(this.textContent);
    const isMeant = Object.entries(this.#premise).every(
      ([field, value]) => page.state[field as keyof PageState] === value,
    );
    const one = isMeant ? Number(all) || text : text;
    const value = Array.isArray(all) ? Number(all[this.at ?? 0] ?? text) : one;
    return Math.min(Math.max(value, this.min), this.max);
  }

  #set(value: number): void {
    const next = Math.min(Math.max(Math.round(value), this.min), this.max);
    const all = page.state[this.field];
    const change = Array.isArray(all)
      ? all.map((one, index) => (index === this.at ? next : one))
      : next;
    page.set({ ...this.#premise, [this.field]: change } as Partial<PageState>);
  }

  #press = (event: PointerEvent): void => {
    this.#start = { x: event.clientX, value: this.#value };
    this.setPointerCapture(event.pointerId);
  };

  #move = (event: PointerEvent): void => {
    if (this.#start) this.#set(this.#start.value + (event.clientX - this.#start.x) / way);
  };

  #release = (): void => {
    this.#start = undefined;
  };

  #key = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = {
      ArrowRight: 1,
      ArrowUp: 1,
      ArrowLeft: -1,
      ArrowDown: -1,
      PageUp: 10,
      PageDown: -10,
      Home: -Infinity,
      End: Infinity,
    };
    const step = steps[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.#set(Math.min(Math.max(this.#value + step, this.min), this.max));
  };

  protected override render() {
    const value = this.#value;
    this.tabIndex = 0;
    const said = { role: "slider", "aria-label": this.label, "aria-valuenow": String(value) };
    const range = { "aria-valuemin": String(this.min), "aria-valuemax": String(this.max) };
    for (const [name, text] of Object.entries({ ...said, ...range })) this.setAttribute(name, text);
    return html`${value}`;
  }
}

define("wf-scrub", Scrub);

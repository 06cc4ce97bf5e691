/**
 * `<wf-bar>`: the line that stays at the top of the window. It has links to the parts of the site,
 * a list of the essay's sections and of the tools, which opens under it, and buttons for the other
 * language and the other theme; its lower edge shows how much of the page has been read. The links
 * are those that the build writes into the element (scripts/build/contents.mjs).
 */

import { css, html, LitElement, nothing } from "lit";
import { define } from "../define.js";
import { changes, type Part, page } from "../state.js";
import { textFor } from "../text/index.js";
import { type BarLink, linksIn } from "./bar-link.js";
import { quiet } from "./shared-styles.js";

export class Bar extends LitElement {
  static override properties = { isOpen: { state: true }, here: { state: true } };

  /** True while the list of sections and tools is open. */
  declare isOpen: boolean;
  /** Id of the section at the reader's scroll position. */
  declare here: string | undefined;
  #refresh = () => this.requestUpdate();
  #onChange = (parts: ReadonlySet<Part>) => {
    if (parts.has("language") || parts.has("theme")) this.requestUpdate();
  };
  #system = matchMedia("(prefers-color-scheme: dark)");
  #frame = 0;

  static override styles = [
    quiet,
    css`
      :host {
        position: sticky;
        top: 0;
        z-index: 2;
        background: var(--wf-paper);
        border-bottom: 1px solid var(--wf-hair);
        font-size: calc(14 * var(--wf-px, 1px));
      }

      nav {
        display: flex;
        /* In large type the buttons need a second line. */
        flex-wrap: wrap;
        align-items: center;
        gap: 0 1.2em;
        max-width: 58rem;
        margin-inline: auto;
      }

      .name {
        font: 600 calc(16 * var(--wf-px, 1px)) / 1 var(--wf-serif);
        text-decoration: none;
      }

      .parts {
        display: flex;
        gap: 1.3em;
        margin-inline: auto;
      }

      a,
      button {
        display: inline-flex;
        align-items: center;
        min-height: 44px;
        padding: 0;
        border: 0;
        /* What the page keeps free for this bar is not kept free for its own parts. */
        scroll-margin-top: -4rem;
        color: var(--wf-ink);
        white-space: nowrap;
      }

      .parts a {
        color: var(--wf-soft);
        text-decoration: none;
      }

      .parts a[aria-current] {
        box-shadow: inset 0 -2px 0;
        color: var(--wf-ink);
      }

      .parts a:hover,
      button:hover,
      button[aria-expanded="true"] {
        text-decoration: underline;
        text-underline-offset: 0.25em;
        color: var(--wf-ink);
      }

      .here {
        color: var(--wf-soft);
      }

      .progress {
        position: absolute;
        bottom: -1px;
        inset-inline: 0;
        height: 2px;
        background: var(--wf-position);
        transform: scaleX(0);
        transform-origin: left;
      }

      @media (max-width: 44rem) {
        .parts,
        .here {
          display: none;
        }

        .name {
          margin-inline-end: auto;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.isOpen = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("pointerdown", this.#onPointer);
    addEventListener("scroll", this.#onScroll, { passive: true });
    changes.listen(this.#onChange);
    this.#system.addEventListener("change", this.#refresh);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("pointerdown", this.#onPointer);
    removeEventListener("scroll", this.#onScroll);
    changes.forget(this.#onChange);
    this.#system.removeEventListener("change", this.#refresh);
  }

  protected override firstUpdated(): void {
    this.#follow();
  }

  get #isDark(): boolean {
    const { theme } = page.state;
    return theme ? theme === "dark" : this.#system.matches;
  }

  #switchTheme(): void {
    const wanted = this.#isDark ? "light" : "dark";
    const isSystems = (wanted === "dark") === this.#system.matches;
    page.set({ theme: isSystems ? "" : wanted });
  }

  /** The links in the language in force. */
  get #links(): BarLink[] {
    return linksIn(this, textFor(page.state.language).htmlLang);
  }

  // -------------------------------------------------------------- the reader's position

  #onScroll = () => {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#follow());
  };

  #follow(): void {
    const length = document.documentElement.scrollHeight - innerHeight;
    const line = this.renderRoot.querySelector<HTMLElement>(".progress");
    if (line) line.style.transform = `scaleX(${Math.min(1, scrollY / Math.max(1, length))})`;
    const isBegun = ({ id, section, isThisPage }: BarLink) =>
      section &&
      isThisPage &&
      document.getElementById(id)!.getBoundingClientRect().top < innerHeight / 3;
    this.here = this.#links.findLast(isBegun)?.id;
  }

  // -------------------------------------------------------------- the list

  #onPointer = (event: Event) => {
    if (this.isOpen && !event.composedPath().includes(this)) this.isOpen = false;
  };

  #onKey = ({ key }: KeyboardEvent) => {
    if (key !== "Escape" || !this.isOpen) return;
    this.isOpen = false;
    this.renderRoot.querySelector<HTMLElement>(".contents")!.focus();
  };

  /** The list closes when the keyboard focus leaves it. */
  #onBlur = ({ relatedTarget }: FocusEvent) => {
    const isInside = (relatedTarget as Element | null)?.closest(".list, .contents");
    if (relatedTarget && !isInside) this.isOpen = false;
  };

  async #open(): Promise<void> {
    await import("./bar-list.js");
    this.isOpen = !this.isOpen;
  }

  /** Leads to a place on this page, or to another with the reader's choices. */
  #go = (event: Event, { href, id, isThisPage }: BarLink): void => {
    if (!isThisPage || !id) {
      (event.currentTarget as HTMLAnchorElement).href = page.addressOf(href, id);
      return;
    }
    // A plain "#id" link would remove the state from the address.
    event.preventDefault();
    this.isOpen = false;
    page.visit(id);
    const target = document.getElementById(id);
    target?.scrollIntoView({
      behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth",
    });
    target?.focus({ preventScroll: true });
  };

  #link(link: BarLink, name: unknown, kind: string) {
    return html`<a
      class=${kind}
      href=${link.href}
      translate=${kind ? "no" : nothing}
      aria-current=${link.isThisPage && !kind ? "page" : nothing}
      @click=${(event: Event) => this.#go(event, link)}
      >${name}</a
    >`;
  }

  protected override render() {
    const { bar } = textFor(page.state.language);
    const links = this.#links;
    const parts = links.filter(({ part }) => part);
    const here = links.find(({ id, section }) => section && id === this.here);
    return html`<nav aria-label=${bar.label} @keydown=${this.#onKey} @focusout=${this.#onBlur}>
        ${parts.slice(0, 1).map((link) => this.#link(link, "Whereformer", "name"))}
        <span class="parts">${parts.map((link) => this.#link(link, link.name, ""))}</span>
        <button
          class="contents"
          aria-expanded=${this.isOpen}
          aria-controls="list"
          @click=${this.#open}
        >
          ${bar.contents}${
            here ? html`<span class="here">: ${here.section} ${here.name}</span>` : nothing
          }
        </button>
        <wf-bar-list
          id="list"
          class="list"
          ?hidden=${!this.isOpen}
          .links=${links}
          .here=${this.here}
          .go=${this.#go}
        ></wf-bar-list>
        <button
          class="language"
          lang=${bar.otherLanguageTag}
          aria-label=${bar.otherLanguageLabel}
          @click=${() => page.set({ language: bar.otherLanguageKey })}
        >
          ${bar.otherLanguage}
        </button>
        <button
          class="theme"
          aria-label=${this.#isDark ? bar.toLightLabel : bar.toDarkLabel}
          @click=${this.#switchTheme}
        >
          ${this.#isDark ? bar.toLight : bar.toDark}
        </button>
      </nav>
      <div class="progress"></div>`;
  }
}

define("wf-bar", Bar);

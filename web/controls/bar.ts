/**
 * `<wf-bar>`: the line that stays at the top of the window. It has links to the sections, which
 * become a list that opens if the line is too narrow for them, and buttons for the other language
 * and the other theme.
 */

import { css, html, LitElement, nothing } from "lit";
import { define } from "../define.js";
import { changes, type Part, page } from "../state.js";
import { textFor } from "../text/index.js";
import { quiet } from "./shared-styles.js";

export class Bar extends LitElement {
  static override properties = { isOpen: { state: true } };

  /** True while the list of sections is open, which only a narrow page has. */
  declare isOpen: boolean;
  #refresh = () => this.requestUpdate();
  #onChange = (parts: ReadonlySet<Part>) => {
    if (parts.has("language") || parts.has("theme")) this.requestUpdate();
  };
  #system = matchMedia("(prefers-color-scheme: dark)");

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
        align-items: center;
        gap: 1.2em;
        max-width: 60rem;
        margin-inline: auto;
      }

      .name {
        font: 600 calc(16 * var(--wf-px, 1px)) / 1 var(--wf-serif);
        text-decoration: none;
      }

      /* One line, whatever it holds: what does not fit is scrolled to, and fades at the edges. */
      .sections {
        display: flex;
        gap: 0 1.2em;
        min-width: 0;
        margin-inline: auto;
        padding-inline: 0.8em;
        overflow-x: auto;
        scrollbar-width: none;
        mask-image: linear-gradient(
          to right,
          transparent,
          #000 0.8em calc(100% - 0.8em),
          transparent
        );
      }

      .sections a:focus-visible {
        outline-offset: -3px;
      }

      a,
      button {
        display: inline-flex;
        align-items: center;
        min-height: 44px;
        /* What the page keeps free for this bar is not kept free for its own parts. */
        scroll-margin-top: -4rem;
        color: var(--wf-ink);
        white-space: nowrap;
      }

      .sections a {
        color: var(--wf-soft);
        text-decoration: none;
      }

      .sections a:hover,
      button:hover {
        text-decoration: underline;
        text-decoration-thickness: 1px;
        text-underline-offset: 0.25em;
        color: var(--wf-ink);
      }

      /* One line of all sections on a tablet, too. */
      @media (max-width: 66rem) {
        .sections {
          gap: 0 0.75em;
          font-size: calc(13 * var(--wf-px, 1px));
        }
      }

      .contents,
      .list {
        display: none;
      }

      @media (max-width: 36rem) {
        nav {
          flex-wrap: wrap;
          gap: 0 1.1em;
        }

        .sections {
          display: none;
        }

        .name {
          margin-inline-end: auto;
        }

        .contents {
          display: inline-flex;
        }

        .contents[aria-expanded="true"] {
          text-decoration: underline;
          text-decoration-thickness: 2px;
          text-underline-offset: 0.25em;
        }

        /* Over the text, which stays where it is. */
        .list:not([hidden]) {
          position: absolute;
          top: 100%;
          inset-inline: 0;
          display: grid;
          grid-template-columns: repeat(auto-fill, minmax(9em, 1fr));
          gap: 0 1.2em;
          max-height: calc(100vh - 100%);
          max-height: calc(100dvh - 100%);
          margin: 0;
          padding: 0.4rem 1rem 0.8rem;
          overflow-y: auto;
          list-style: none;
          background: var(--wf-paper);
          border-block: 1px solid var(--wf-hair);
        }

        .list a {
          width: 100%;
          text-decoration: none;
        }

        .list a[aria-current] {
          font-weight: 600;
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
    changes.listen(this.#onChange);
    this.#system.addEventListener("change", this.#refresh);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("pointerdown", this.#onPointer);
    changes.forget(this.#onChange);
    this.#system.removeEventListener("change", this.#refresh);
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

  // -------------------------------------------------------------- the list of sections

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

  /** The section at the reader's scroll position. */
  get #here(): string | undefined {
    const { sections } = textFor(page.state.language).bar;
    const belowBar = this.getBoundingClientRect().bottom + innerHeight / 4;
    const isBegun = ([id]: [string, string]) =>
      document.getElementById(id)!.getBoundingClientRect().top < belowBar;
    return sections.findLast(isBegun)?.[0];
  }

  #list() {
    const { contents, sections } = textFor(page.state.language).bar;
    const here = this.isOpen ? this.#here : undefined;
    return html`<button
        class="contents"
        aria-expanded=${this.isOpen}
        aria-controls="list"
        @click=${() => {
          this.isOpen = !this.isOpen;
        }}
      >
        ${contents}
      </button>
      <ul id="list" class="list" ?hidden=${!this.isOpen}>
        ${sections.map(
          ([id, name]) =>
            html`<li>
              <a
                href="#${id}"
                aria-current=${id === here ? "location" : nothing}
                @click=${(event: Event) => this.#jump(event, id)}
                >${name}</a
              >
            </li>`,
        )}
      </ul>`;
  }

  #jump(event: Event, id: string): void {
    // A plain "#id" link would remove the state from the address.
    event.preventDefault();
    this.isOpen = false;
    page.visit(id);
    const target = document.getElementById(id);
    target?.scrollIntoView({
      behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth",
    });
    target?.focus({ preventScroll: true });
  }

  protected override render() {
    const { bar } = textFor(page.state.language);
    return html`<nav aria-label=${bar.label} @keydown=${this.#onKey} @focusout=${this.#onBlur}>
      <a
        class="name"
        href="#top"
        translate="no"
        @click=${(event: Event) => this.#jump(event, "top")}
        >Whereformer</a
      >
      <span class="sections"
        >${bar.sections.map(
          ([id, name]) =>
            html`<a href="#${id}" @click=${(event: Event) => this.#jump(event, id)}>${name}</a>`,
        )}</span
      >
      ${this.#list()}
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
    </nav>`;
  }
}

define("wf-bar", Bar);

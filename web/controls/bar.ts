/**
 * `<wf-bar>`: the line that stays at the top. Where you are, the other language, the other light.
 */
import { css, html, LitElement } from "lit";
import { changes, type Part, page } from "../state.js";
import { textFor } from "../text/index.js";
import { quiet } from "./shared-styles.js";

export class Bar extends LitElement {
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

      @media (max-width: 36rem) {
        .sections {
          display: none;
        }

        .name {
          margin-inline-end: auto;
        }
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    changes.listen(this.#onChange);
    this.#system.addEventListener("change", this.#refresh);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    changes.forget(this.#onChange);
    this.#system.removeEventListener("change", this.#refresh);
  }

  get #isDark(): boolean {
    const { theme } = page.state;
    return theme ? theme === "dark" : this.#system.matches;
  }

  #turn(): void {
    const wanted = this.#isDark ? "light" : "dark";
    const isSystems = (wanted === "dark") === this.#system.matches;
    page.set({ theme: isSystems ? "" : wanted });
  }

  #jump(event: Event, id: string): void {
    // The address keeps the state, so a plain "#id" link would lose it.
    event.preventDefault();
    page.visit(id);
    const target = document.getElementById(id);
    target?.scrollIntoView({
      behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth",
    });
    target?.focus({ preventScroll: true });
  }

  protected override render() {
    const { bar } = textFor(page.state.language);
    return html`<nav aria-label=${bar.label}>
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
        @click=${this.#turn}
      >
        ${this.#isDark ? bar.toLight : bar.toDark}
      </button>
    </nav>`;
  }
}

customElements.define("wf-bar", Bar);

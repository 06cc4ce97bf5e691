/**
 * `<wf-bar-list>`: the list of the essay's sections and of the tools that opens under the bar.
 * Loads when it is first opened.
 */
import { css, html, LitElement, nothing } from "lit";
import { define } from "../define.js";
import { page } from "../state.js";
import { textFor } from "../text/index.js";
import type { BarLink } from "./bar-link.js";
import { quiet } from "./shared-styles.js";

export class BarList extends LitElement {
  static override properties = {
    links: { attribute: false },
    here: { attribute: false },
    go: { attribute: false },
  };

  declare links: readonly BarLink[];
  /** Id of the section at the reader's scroll position. */
  declare here: string | undefined;
  /** Follows a link. */
  declare go: (event: Event, link: BarLink) => void;

  static override styles = [
    quiet,
    css`
      :host([hidden]) {
        display: none;
      }

      /* Over the text, which stays where it is. */
      :host(:not([hidden])) {
        position: absolute;
        top: 100%;
        inset-inline: 0;
        display: block;
        /* Beside it a tap closes it. */
        max-height: 75vh;
        max-height: 75dvh;
        padding: 0.6rem max(1rem, calc((100% - 60rem) / 2)) 1rem;
        overflow-y: auto;
        background: var(--wf-paper);
        border-block: 1px solid var(--wf-hair);
      }

      :is(ul, ol) {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(10.5em, 1fr));
        gap: 0 1.2em;
        margin: 0;
        padding: 0;
        list-style: none;
      }

      a {
        display: flex;
        align-items: center;
        min-height: 44px;
        color: var(--wf-soft);
        text-decoration: none;
        white-space: nowrap;
      }

      a[aria-current] {
        color: var(--wf-ink);
        font-weight: 600;
      }

      a:hover {
        text-decoration: underline;
        text-decoration-thickness: 1px;
        text-underline-offset: 0.25em;
        color: var(--wf-ink);
      }

      h2 {
        margin: 0.6rem 0 0;
        font: 600 calc(13 * var(--wf-px, 1px)) / 1.6 var(--wf-sans);
      }

      .number {
        min-width: 1.6em;
        font-variant-numeric: tabular-nums;
      }

      /* The bar has these links itself if there is room. */
      @media (min-width: 44.01rem) {
        .parts {
          display: none;
        }
      }
    `,
  ];

  #link(link: BarLink) {
    const { name, href, id, section, isThisPage } = link;
    const isHere = section === undefined ? isThisPage : isThisPage && id === this.here;
    const kind = section === undefined ? "page" : "location";
    return html`<li>
      <a
        href=${href}
        aria-current=${isHere ? kind : nothing}
        @click=${(event: Event) => this.go(event, link)}
        >${section ? html`<span class="number">${section}</span>` : nothing}${name}</a
      >
    </li>`;
  }

  protected override render() {
    const { bar } = textFor(page.state.language);
    const items = (isIn: (link: BarLink) => boolean) =>
      this.links.filter(isIn).map((link) => this.#link(link));
    return html`<ul class="parts" aria-label=${bar.site}>
        ${items(({ part }) => part !== undefined)}
      </ul>
      <h2>${bar.essay}</h2>
      <ol>
        ${items(({ section }) => section !== undefined)}
      </ol>
      <h2>${bar.tools}</h2>
      <ul>
        ${items(({ part, section }) => part === undefined && section === undefined)}
      </ul>`;
  }
}

define("wf-bar-list", BarList);

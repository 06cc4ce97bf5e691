/**
 * `<wf-takeaway>`: the line under a figure with a link to its state, its code, its picture and its
 * data.
 */

import { css, html, LitElement, nothing } from "lit";
import type { Scale } from "../../../controls/scale.js";
import type { SceneView } from "../../../controls/scene-view.js";
import { quiet, unprinted } from "../../../controls/shared-styles.js";
import { define } from "../../../define.js";
import { languageOf } from "../../../language-of.js";
import { page } from "../../../state.js";
import { textFor } from "../../../text/index.js";
import { causeOf, notArrived } from "../figure/failure-sentence.js";
import { save } from "./files.js";

export interface Takeaway {
  /** Id of the section that the link opens, and beginning of the file names. */
  at: string;
  title: string;
  /** JavaScript that reproduces the figure's numbers. */
  code: string;
  /** Returns header and rows of the data. */
  table: () => (string | number)[][];
  /** Returns the data as a file, if they are too large for a table. */
  csv?: () => Promise<Blob>;
  scene: () => Pick<SceneView, "picture" | "palette"> | null;
}

/** Copies to the clipboard, if the browser allows it. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

export class TakeawayLine extends LitElement {
  static override properties = {
    takeaway: { attribute: false },
    said: { state: true },
    showsCode: { state: true },
  };

  declare takeaway: Takeaway | undefined;
  declare said: string;
  declare showsCode: boolean;

  static override styles = [
    quiet,
    unprinted,
    css`
      /* Its place is kept while there is nothing to take. */
      :host {
        min-height: 36px;
        color: var(--wf-soft);
        font-size: calc(13 * var(--wf-px, 1px));
      }

      .line {
        display: flex;
        flex-wrap: wrap;
        gap: 0.3em 0.4em;
      }

      button {
        min-height: 28px;
        padding: 0 0.7em;
        border-color: var(--wf-hair);
        color: var(--wf-soft);
      }

      button:hover {
        border-color: var(--wf-soft);
        color: var(--wf-ink);
      }

      .said {
        align-self: center;
      }

      pre {
        margin: 0.4em 0 0;
        padding: 0.8em 0;
        border-block: 1px solid var(--wf-hair);
        overflow-x: auto;
        font: calc(13 * var(--wf-px, 1px)) / 1.55 var(--wf-mono);
        color: var(--wf-ink);
      }

      @media (pointer: coarse) {
        :host,
        button {
          min-height: 44px;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.said = "";
    this.showsCode = false;
  }

  async #link(): Promise<void> {
    const words = textFor(languageOf(this)).actions;
    const address = page.link(this.takeaway!.at);
    this.said = (await copy(address)) ? words.linked : words.linkShown;
  }

  async #copyCode(): Promise<void> {
    if (await copy(this.takeaway!.code)) this.said = textFor(languageOf(this)).actions.copied;
  }

  /** Returns the file of a kind; undefined while there is no picture. */
  async file(kind: "png" | "svg" | "csv"): Promise<Blob | null | undefined> {
    if (!this.takeaway) return undefined;
    const { title, table, csv, scene } = this.takeaway;
    if (kind === "csv" && csv) return csv();
    const { pictureFile, toCsv } = await import("./export.js");
    if (kind === "csv") return new Blob([toCsv(table())], { type: "text/csv" });
    const { picture, palette } = scene() ?? {};
    if (!picture || !palette) return undefined;
    // The scales beside the picture, in the figure's own frame.
    const frame = (this.getRootNode() as ShadowRoot).host;
    const scales = [...frame.querySelectorAll("wf-scale")] as Scale[];
    return pictureFile(kind, picture, title, scales, palette);
  }

  async #save(kind: "png" | "svg" | "csv"): Promise<void> {
    try {
      const content = await this.file(kind);
      if (content) save(`whereformer-${this.takeaway!.at}.${kind}`, content);
    } catch {
      this.said = causeOf(notArrived, textFor(languageOf(this)));
    }
  }

  protected override render() {
    const words = textFor(languageOf(this)).actions;
    if (!this.takeaway) return nothing;
    const kinds = ["png", "svg", "csv"] as const;
    return html`<div class="line" role="group" aria-label=${words.label}>
        ${
          page.ownsAddress
            ? html`<button part="action" class="link" @click=${this.#link}>${words.link}</button>`
            : nothing
        }
        <button
          part="action"
          class="code"
          aria-expanded=${this.showsCode}
          @click=${() => (this.showsCode = !this.showsCode)}
        >
          ${this.showsCode ? words.hideCode : words.code}
        </button>
        ${kinds.map(
          (kind) =>
            html`<button part="action" class=${kind} @click=${() => this.#save(kind)}
              >${words[kind]}</button
            >`,
        )}
        <span class="said" role="status">${this.said}</span>
      </div>
      ${
        this.showsCode
          ? html`<pre part="code" tabindex="0" lang="en"><code>${this.takeaway.code}</code></pre>
              <button part="action" @click=${this.#copyCode}>${words.copy}</button>`
          : nothing
      }`;
  }
}

define("wf-takeaway", TakeawayLine);

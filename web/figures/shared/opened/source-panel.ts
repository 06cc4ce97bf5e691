/**
 * `<wf-model-source>`: opens the reader's model: an area to drop files on, buttons, models kept in
 * this browser, progress, and errors. Fires `wf-open` with a source, and `wf-picture` with the file
 * of a picture if it takes pictures.
 */

import { css, html, LitElement, nothing } from "lit";
import type { WeightType } from "whereformer";
import { progressBar, quiet } from "../../../controls/shared-styles.js";
import { define } from "../../../define.js";
import type { CheckpointSource, KeptEntry } from "../../../engine/both/checkpoint-messages.js";
import type { Failure } from "../../../engine/both/failure.js";
import { chosenFiles, droppedFiles } from "../../../engine/page/dropped-files.js";
import { languageOf } from "../../../language-of.js";
import { textFor } from "../../../text/index.js";
import { failureSentence } from "../figure/failure-sentence.js";
import { openTable } from "../tables/plain-table.js";
import { numberTable } from "../tables/table-styles.js";
import type { PanelWords } from "./words.js";
import "../../../controls/choice.js";

export interface OpenEventDetail {
  source: CheckpointSource | "sample";
  /** Name of the model; empty for the page's own. */
  name: string;
}

/** Progress of an opening. */
export interface Opening {
  name: string;
  loaded: number;
  total: number;
}

/** Bits of a weight by type. */
const bits: Readonly<Record<WeightType, number>> = { f32: 32, bf16: 16, f16: 16, int8: 8, int4: 4 };
const types = Object.keys(bits) as WeightType[];
/** Returns other weight types with which opening may succeed, by the failure's code. */
const otherTypes = (code: string, dtype: WeightType): WeightType[] =>
  code === "dtype_overflow"
    ? (["bf16", "f32"] as const).filter((type) => type !== dtype)
    : ["out_of_memory", "worker_stopped"].includes(code)
      ? types.filter((type) => bits[type] < bits[dtype])
      : [];

/** Returns a name for the files: their folder, or the file with the weights. */
export function nameOf(files: readonly File[]): string {
  const folder = files[0]?.webkitRelativePath.split("/")[0];
  const weights = files.find(({ name }) => /\.(?:gguf|safetensors)$/.test(name));
  return folder || (weights ?? files[0])?.name || "";
}

export class ModelSourcePanel extends LitElement {
  static override properties = {
    words: { attribute: false },
    families: { attribute: false },
    takesPictures: { attribute: false },
    dtype: {},
    opening: { attribute: false },
    failure: { attribute: false },
    failedName: {},
    canKeep: { attribute: false },
    isOpen: { attribute: false },
    isAwaited: { attribute: false },
    kept: { attribute: false },
    isOver: { state: true },
  };

  declare words: PanelWords;
  /** Numbers of each family, if there is a table of them. */
  declare families: Readonly<Record<string, readonly string[]>> | undefined;
  declare takesPictures: boolean;
  declare dtype: WeightType;
  declare opening: Opening | undefined;
  declare failure: Failure | undefined;
  declare failedName: string;
  /** Whether the open model can be kept. */
  declare canKeep: boolean;
  declare isOpen: boolean;
  /** A model is about to be opened automatically: reserves the line for its progress. */
  declare isAwaited: boolean;
  declare kept: readonly KeptEntry[];
  /** Files are being dragged over the area. */
  declare isOver: boolean;

  static override styles = [
    quiet,
    progressBar,
    numberTable,
    css`
      .drop {
        padding: 1rem 1.2rem;
        border: 1px dashed var(--wf-soft);
      }

      .drop.over {
        border-color: var(--wf-ink);
        border-style: solid;
        background: color-mix(in oklab, var(--wf-ink) 6%, transparent);
      }

      p {
        margin: 0.3rem 0;
        max-width: 44rem;
      }

      .soft {
        color: var(--wf-soft);
        font-size: calc(13 * var(--wf-px, 1px));
      }

      .kept-free {
        visibility: hidden;
      }

      .acts {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.3rem 0.7rem;
        min-height: 44px;
      }

      summary {
        min-height: 44px;
        padding-block: 0.75em;
        color: var(--wf-soft);
        cursor: pointer;
      }

      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0 1.2rem;
      }

      .families .numbers {
        max-height: 20rem;
        overflow: auto;
        margin-block: 0.6rem;
      }

      .failure {
        margin-block: 0.6rem;
        padding-block: 0.6rem;
        border-block: 1px solid var(--wf-hair);
      }

      .failure span {
        overflow-wrap: anywhere;
      }
    `,
  ];

  constructor() {
    super();
    this.dtype = "f32";
    this.failedName = "";
    this.canKeep = false;
    this.isOpen = false;
    this.kept = [];
    this.isOver = false;
    this.takesPictures = false;
  }

  #tell(name: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  #open(detail: OpenEventDetail): void {
    this.#tell("wf-open", detail);
  }

  #chosen(input: HTMLInputElement): void {
    const files = input.files ? chosenFiles(input.files) : [];
    // Otherwise choosing the same file again would fire no event.
    input.value = "";
    this.#take(files, "");
  }

  /** Opens the files of a model, and tells of a picture among or instead of them. */
  #take(all: readonly File[], folder: string): void {
    const isPicture = ({ type }: File) => this.takesPictures && type.startsWith("image/");
    const picture = all.find(isPicture);
    if (picture) this.#tell("wf-picture", picture);
    const files = all.filter((file) => !isPicture(file));
    if (files.length) this.#open({ source: { files }, name: folder || nameOf(files) });
  }

  async #drop(event: DragEvent): Promise<void> {
    event.preventDefault();
    this.isOver = false;
    if (!event.dataTransfer) return;
    const folder = event.dataTransfer.items[0]?.webkitGetAsEntry();
    const files = await droppedFiles(event.dataTransfer).catch(() => []);
    const name = folder?.isDirectory ? folder.name : "";
    // No files that can be read: the error says so.
    if (files.length) this.#take(files, name);
    else this.#open({ source: { files }, name });
  }

  #over(event: DragEvent): void {
    event.preventDefault();
    this.isOver = true;
  }

  #pick(id: "files" | "folder" | "picture"): void {
    this.renderRoot.querySelector<HTMLInputElement>(`input.${id}`)!.click();
  }

  #failure() {
    const { failure, failedName, dtype } = this;
    if (!failure) return nothing;
    const words = this.words.failure;
    const { source } = this.words;
    const others = otherTypes(failure.code, dtype);
    return html`<div class="failure" role="alert">
      <strong>${words.title(failedName || this.words.sampleName)}</strong>
      <p>${failureSentence(failure, textFor(languageOf(this)), words.causes)}</p>
      ${this.isOpen ? html`<p>${words.kept}</p>` : nothing}
      ${others.map(
        (type) =>
          html`<button class="other-type" @click=${() => this.#tell("wf-retry", type)}>
            ${source.again(source.dtypes[type]!)}
          </button> `,
      )}
    </div>`;
  }

  #progress() {
    const { opening, isAwaited } = this;
    if (!opening && !isAwaited) return nothing;
    const { source, sampleName } = this.words;
    const { name, loaded, total } = opening ?? { name: "", loaded: 0, total: 0 };
    return html`<div class="acts ${opening ? "" : "kept-free"}" role="group">
      <span>${source.loading(name || sampleName, loaded, total)}</span>
      <progress aria-label=${source.progress} max=${total || 1} .value=${loaded}></progress>
      <button class="cancel" @click=${() => this.#tell("wf-cancel")}>${source.cancel}</button>
    </div>`;
  }

  #keptList() {
    const words = this.words.source;
    if (!this.kept.length) return nothing;
    return html`<p class="soft">${words.kept}</p>
      <ul class="kept">
        ${this.kept.map(
          ({ name, bytes }) =>
            html`<li>
              <span>${words.keptEntry(name, bytes)}</span>
              <button
                aria-label=${`${words.open}: ${name}`}
                @click=${() => this.#open({ source: { kept: name }, name })}
                >${words.open}</button
              >
              <button
                aria-label=${`${words.remove}: ${name}`}
                @click=${() => this.#tell("wf-remove", name)}
                >${words.remove}</button
              >
            </li>`,
        )}
      </ul>`;
  }

  /** Returns the actions for an open model. */
  #acts() {
    const words = this.words.source;
    if (!this.isOpen) return nothing;
    const keep = html`<button class="keep" @click=${() => this.#tell("wf-keep")}>
      ${words.keep}
    </button>`;
    return html`<div class="acts">
      <button class="close" @click=${() => this.#tell("wf-close")}>${words.close}</button>
      ${this.canKeep ? keep : nothing}
    </div>`;
  }

  #buttons() {
    const words = this.words.source;
    const choose = (event: Event) => this.#chosen(event.target as HTMLInputElement);
    return html`<input
        class="files"
        type="file"
        multiple
        hidden
        aria-label=${words.files}
        @change=${choose}
      />
      <input
        class="folder"
        type="file"
        webkitdirectory
        hidden
        aria-label=${words.folder}
        @change=${choose}
      />
      ${
        this.takesPictures
          ? html`<input
              class="picture"
              type="file"
              accept="image/*"
              hidden
              aria-label=${words.picture!}
              @change=${choose}
            />`
          : nothing
      }
      <div class="acts">
        ${
          this.takesPictures
            ? html`<button class="choose-picture" @click=${() => this.#pick("picture")}>
                ${words.picture!}
              </button>`
            : nothing
        }
        <button class="choose-files" @click=${() => this.#pick("files")}>${words.files}</button>
        <button class="choose-folder" @click=${() => this.#pick("folder")}>
          ${words.folder}
        </button>
        <button class="sample" @click=${() => this.#open({ source: "sample", name: "" })}>
          ${words.sample}
        </button>
      </div>`;
  }

  #families() {
    const { families: summary, familiesNote, familyColumns } = this.words.source;
    if (!this.families || !summary || !familyColumns) return nothing;
    const rows = Object.entries(this.families).map(([name, values]) => [name, ...values]);
    const label = summary(rows.length);
    return html`<details class="families">
      <summary>${label}</summary>
      <p class="soft">${familiesNote}</p>
      ${openTable({ label, columns: familyColumns, rows })}
    </details>`;
  }

  protected override render() {
    const words = this.words.source;
    return html`<div
        class=${this.isOver ? "drop over" : "drop"}
        @dragover=${this.#over}
        @dragleave=${() => (this.isOver = false)}
        @drop=${this.#drop}
      >
        <p>${words.drop}</p>
        ${this.#buttons()}
        <wf-choice
          class="dtype"
          .label=${words.dtype}
          .value=${this.dtype}
          .options=${types.map((value) => ({ value, text: words.dtypes[value]! }))}
          @wf-change=${(event: CustomEvent<WeightType>) => {
            event.stopPropagation();
            this.#tell("wf-dtype", event.detail);
          }}
        ></wf-choice>
        <p class="soft">${words.private}</p>
        ${this.#families()}
      </div>
      ${this.#progress()} ${this.#failure()} ${this.#acts()} ${this.#keptList()}`;
  }
}

define("wf-model-source", ModelSourcePanel);

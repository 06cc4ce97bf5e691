/** A file that a reader opens or drops; the worker reads it, and it stays in the tab. */
import { css, html, type TemplateResult } from "lit";
import type { FileMapAnswer } from "../../../engine/both/map-messages.js";
import { engine } from "../../../engine/page/client.js";
import { labelsOf } from "../../../text/token-labels.js";
import { showWords } from "../../../text/word-groups.js";

export interface FileMap extends FileMapAnswer {
  name: string;
}

export const readMapFile = async (file: Blob, name: string): Promise<FileMap> => ({
  ...(await engine.ask("fileMap", { file, name })),
  name,
});

/**
 * Returns the labels of a side: the file's tokens, or none. If some begin with a space, as a
 * tokenizer's do, the others are marked as pieces inside a word.
 */
export function sideLabels(tokens: readonly string[] | undefined, count: number): string[] {
  if (!tokens) return Array.from({ length: count }, () => "");
  return showWords(tokens) ? labelsOf(tokens) : tokens.flatMap((token) => labelsOf([token]));
}

export const dropStyles = css`
  .open {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0.5em 0.6em;
    color: var(--wf-soft);
    font-size: calc(14 * var(--wf-px, 1px));
  }

  .open label {
    position: relative;
    padding: 0.6em 0;
    border-bottom: 1px solid var(--wf-ink);
    color: var(--wf-ink);
    cursor: pointer;
  }

  .open label:focus-within {
    outline: 2px solid var(--wf-ink);
    outline-offset: 2px;
  }

  .open input {
    position: absolute;
    inset: 0;
    width: 100%;
    opacity: 0;
    cursor: pointer;
    font-size: 0;
  }

  :host([dropping]) {
    outline: 2px dashed var(--wf-ink);
    outline-offset: 6px;
  }
`;

/** Returns the line with a button to open a file. */
export function openLine(
  words: { open: string; dropped: string },
  give: (file: File) => void,
): TemplateResult {
  const choose = ({ target }: Event) => {
    const field = target as HTMLInputElement;
    const [file] = field.files ?? [];
    if (file) give(file);
    // Allows choosing a file again after it has changed.
    field.value = "";
  };
  return html`<div slot="controls" class="open">
    <label
      ><span>${words.open}</span
      ><input
        type="file"
        accept=".json,.npy,.csv,.tsv,.txt"
        aria-label=${words.open}
        @change=${choose}
    /></label>
    <span>${words.dropped}</span>
  </div>`;
}

/** Accepts dropped files on an element, as long as it exists. */
export function takeDrops(target: HTMLElement, give: (file: File) => void) {
  const mark = (isOver: boolean) => target.toggleAttribute("dropping", isOver);
  const over = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    mark(true);
  };
  const drop = (event: DragEvent) => {
    const [file] = event.dataTransfer?.files ?? [];
    mark(false);
    if (!file) return;
    event.preventDefault();
    give(file);
  };
  target.addEventListener("dragover", over);
  target.addEventListener("dragleave", () => mark(false));
  target.addEventListener("drop", drop);
}

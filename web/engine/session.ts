/**
 * The reading of one text by the trained models, shared by the figures of its section: which files have
 * come, what the models made of the text, what one head does, and which cell is pointed at.
 */
import { comparedSchemes, longestText, modelsFolder } from "../defaults.js";
import { page, typedText } from "../state.js";
import { textFor } from "../text/index.js";
import { EngineFailure, engine, NewestWins } from "./client.js";
import type { Failure, HeadAnswer, LoadAnswer, ReadAnswer } from "./questions.js";

export type Stage = "asleep" | "loading" | "ready" | "failed";

export interface Cell {
  row: number;
  column: number;
}

class Session extends EventTarget {
  stage: Stage = "asleep";
  progress = { loaded: 0, total: 0 };
  failure: Failure | undefined;
  models: LoadAnswer | undefined;
  reading: ReadAnswer | undefined;
  /** Details of the chosen head; their `tokens` say which text they belong to. */
  detail: HeadAnswer | undefined;
  /** Cell under the pointer, which wins over the chosen one while it lasts. */
  pointed: Cell | undefined;

  #readLine = new NewestWins("read");
  #headLine = new NewestWins("head");
  #asked: { text: string | undefined; layer: number; head: number } = {
    text: undefined,
    layer: -1,
    head: -1,
  };

  #tell(): void {
    this.dispatchEvent(new Event("change"));
  }

  get text(): string {
    return typedText(page.state.text, textFor(page.state.language).heads.text);
  }

  /** Layer and head chosen, within what the models have. */
  get chosen(): { layer: number; head: number } {
    const { numLayers = Infinity, numHeads = Infinity } =
      this.reading ?? this.models?.models[0] ?? {};
    return {
      layer: Math.min(page.state.layer, numLayers - 1),
      head: Math.min(page.state.head, numHeads - 1),
    };
  }

  /** The cell everybody marks: pointed at, else chosen, else suggested. */
  get active(): Cell | undefined {
    const n = this.reading?.tokens.length ?? 0;
    if (!n) return undefined;
    const [row, column] = page.state.cell.length
      ? page.state.cell
      : (this.detail?.suggested ?? [n - 1, 0]);
    const cell = this.pointed ?? { row: row!, column: column! };
    const inRange = Math.min(cell.row, n - 1);
    return { row: inRange, column: Math.min(cell.column, inRange) };
  }

  /** Begins once; further calls do nothing until it has failed. `folder` is seen from the document. */
  begin(folder = modelsFolder): void {
    if (this.stage === "loading" || this.stage === "ready") return;
    this.stage = "loading";
    this.failure = undefined;
    this.#tell();
    const question = {
      folder: new URL(folder.replace(/\/?$/, "/"), document.baseURI).href,
      schemes: comparedSchemes.map(({ id }) => id),
    };
    const onProgress = (loaded: number, total: number) => {
      this.progress = { loaded, total };
      this.#tell();
    };
    engine
      .ask("load", question, { onProgress })
      .then((models) => {
        this.models = models;
        this.stage = "ready";
        page.addEventListener("change", () => void this.#follow());
        return this.#follow();
      })
      .catch((reason) => this.#fail(reason));
  }

  #fail(reason: unknown): void {
    this.stage = "failed";
    this.failure =
      reason instanceof EngineFailure
        ? reason.failure
        : { code: "internal", message: String(reason) };
    this.#tell();
  }

  /** Asks what has changed: the text, or only the head. */
  async #follow(): Promise<void> {
    try {
      const { text } = this;
      if (text !== this.#asked.text) {
        this.#asked = { text, layer: -1, head: -1 };
        const reading = await this.#readLine.ask({ text, longest: longestText });
        if (!reading) return;
        this.reading = reading;
        this.pointed = undefined;
        // A head asked about meanwhile was that of the text before.
        this.#asked = { text, layer: -1, head: -1 };
        this.#tell();
      }
      const { layer, head } = this.chosen;
      if (
        !this.reading?.tokens.length ||
        (layer === this.#asked.layer && head === this.#asked.head)
      )
        return;
      this.#asked = { ...this.#asked, layer, head };
      const detail = await this.#headLine.ask({ layer, head });
      if (!detail) return;
      this.detail = detail;
      this.#tell();
    } catch (reason) {
      this.#fail(reason);
    }
  }

  /** Marks a cell while it is pointed at; `undefined` goes back to the chosen one. */
  point(cell: Cell | undefined): void {
    if (cell?.row === this.pointed?.row && cell?.column === this.pointed?.column) return;
    this.pointed = cell;
    this.#tell();
  }

  /** True when the details belong to the text and head in view. */
  get isDetailed(): boolean {
    const { layer, head } = this.chosen;
    const { detail, reading } = this;
    return (
      detail !== undefined &&
      detail.layer === layer &&
      detail.head === head &&
      detail.tokens.join("\u0000") === reading?.tokens.join("\u0000")
    );
  }
}

export const session = new Session();

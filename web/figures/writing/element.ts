/**
 * `<wf-writing>`: a trained model continues a text, and each word that it writes adds its row to
 * the map of one head.
 */
import { html } from "lit";
import type { CellEventDetail } from "../../controls/scene-view.js";
import { comparedSchemes, modelsFolder, schemeName } from "../../defaults.js";
import { define } from "../../define.js";
import { folderAddress } from "../../engine/page/models-index.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { typedText, writtenText } from "../../page-state.js";
import { labelsOf } from "../../text/token-labels.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { playStyles } from "../shared/figure/play-styles.js";
import { ofState } from "../shared/figure/state-properties.js";
import { address, ofKind } from "../shared/given/kinds.js";
import { foldedTable } from "../shared/tables/plain-table.js";
import { numberTable } from "../shared/tables/table-styles.js";
import { writingCode } from "./code.js";
import type { WritingAnswer } from "./messages.js";
import { drawWriting } from "./picture.js";
import { writingStyles } from "./styles.js";
import { writingWords } from "./words.js";
import "../../controls/choice.js";
import "../../controls/scale.js";
import "../../controls/scene-view.js";
import "../../controls/text-line.js";
import "../shared/figure/frame.js";

/** Maximum tokens of the beginning, and of what is written. */
const longestText = 24;
const longestWritten = 48;

interface Cell {
  row: number;
  column: number;
}

export class Writing extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    text: ofState("writingText"),
    model: ofState("writingModel"),
    layer: ofState("writingLayer"),
    head: ofState("writingHead"),
    count: ofState("writingCount"),
    seed: ofState("writingSeed"),
    models: ofKind(address),
    answer: { state: true },
    marked: { state: true },
    isWriting: { state: true },
  };

  static override styles = [...figureStyles, numberTable, playStyles, writingStyles];

  /** The beginning that the model continues; empty for the default of the language. */
  declare text: string;
  /** Id of the trained model. */
  declare model: string;
  /** Layer, counted from 0. */
  declare layer: number;
  /** Head, counted from 0. */
  declare head: number;
  /** Number of tokens that have been written, at most 48. */
  declare count: number;
  /** Seed of the draws: the same seed writes the same text. */
  declare seed: number;
  /** Folder of the trained models and their tokenizer, relative to the document. */
  declare models: string | undefined;
  declare answer: WritingAnswer | undefined;
  /** A written word and the word that it looks at. */
  declare marked: Cell | undefined;
  declare isWriting: boolean;
  #line = new NewestWins("writing");

  constructor() {
    super();
    this.isWriting = false;
  }

  get data() {
    const { answer } = this;
    return answer && { ...answer, ...this.#cell, isWriting: this.isWriting };
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.isWriting = false;
    this.#line.cancel();
  }

  protected stateChanged(): void {
    void this.#ask();
  }

  get #text(): string {
    return typedText(this.state.writingText, this.say(writingWords).sample);
  }

  #ask(): Promise<void> {
    return this.attempt(async () => {
      const { writingModel, writingLayer, writingHead, writingCount, writingSeed } = this.state;
      const folder = folderAddress(this.models ?? modelsFolder);
      const answer = await this.#line.ask({
        folder,
        scheme: writingModel,
        text: this.#text,
        longest: longestText,
        count: writingCount,
        layer: writingLayer,
        head: writingHead,
        seed: writingSeed,
      });
      if (!answer) return;
      this.answer = answer;
      if (this.marked && this.marked.row >= answer.rows.length) this.marked = undefined;
      this.#goOn(answer);
    });
  }

  /** Writes the next token, until the reader stops it or the text ends. */
  #goOn({ isEnded, written }: WritingAnswer): void {
    if (!this.isWriting) return;
    const isFull = written.length >= longestWritten;
    if (isEnded || isFull) this.isWriting = false;
    else this.change({ writingCount: written.length + 1 });
  }

  #play = (): void => {
    this.isWriting = !this.isWriting;
    if (!this.isWriting || !this.answer) return;
    this.marked = undefined;
    const { written } = this.answer;
    // From the end it begins anew.
    if (written.length >= longestWritten) this.change({ writingCount: 1 });
    else this.change({ writingCount: written.length + 1 });
  };

  #draw = (): void => {
    this.isWriting = false;
    this.change({ writingSeed: (this.state.writingSeed + 1) % 10_000 });
  };

  /** The marked cell; by default the newest word, and what it looks at most. */
  get #cell(): Cell | undefined {
    const { answer, marked } = this;
    if (!answer?.rows.length) return undefined;
    const row = marked?.row ?? answer.rows.length - 1;
    const { weights } = answer.rows[row]!;
    const column = marked?.column ?? weights.indexOf(Math.max(...weights));
    return { row, column: Math.min(column, weights.length - 1) };
  }

  #onCell = ({ detail }: CustomEvent<CellEventDetail>): void => {
    this.marked = { row: detail.row, column: detail.column };
  };

  #caption(answer: WritingAnswer, labels: readonly string[]): string {
    const words = this.say(writingWords);
    const cell = this.#cell;
    if (!cell) return words.waits;
    const { promptTokens, rows, isEnded } = answer;
    const { weights, terms } = rows[cell.row]!;
    const strongest = weights.indexOf(Math.max(...weights));
    const list = Object.entries(terms).map(([name, values]) =>
      words.term(this.shared.terms.names[name] ?? name, values[strongest]!),
    );
    return [
      words.row(labels[promptTokens + cell.row]!, labels[strongest]!, weights[strongest]!),
      list.length > 1 ? words.terms(list.join(this.words.join.items)) : "",
      isEnded ? words.ended : "",
    ].join("");
  }

  /** The text as it has been written, shaded by the marked row. */
  #written(answer: WritingAnswer, cell: Cell | undefined) {
    const { tokens, promptTokens, rows } = answer;
    const weights = cell && rows[cell.row]!.weights;
    return html`<p class="text" role="group" aria-label=${this.say(writingWords).textLabel}
      >${tokens.map((token, at) => {
        const row = at - promptTokens;
        const share = weights?.[at] ?? 0;
        const mark = () => {
          this.marked = row < 0 ? this.marked : { row, column: at };
        };
        return html`<span
          class=${row < 0 ? "token" : "token written"}
          data-tenths=${Math.round(10 * share)}
          aria-current=${row >= 0 && row === cell?.row}
          @pointerenter=${mark}
          @click=${mark}
          >${token}</span
        >`;
      })}</p
    >`;
  }

  #rows(answer: WritingAnswer, labels: readonly string[]): (string | number)[][] {
    const { promptTokens, rows } = answer;
    const list = rows.flatMap(({ weights }, row) =>
      Array.from(weights, (weight, column): (string | number)[] => [
        promptTokens + row,
        labels[promptTokens + row]!,
        column,
        labels[column]!,
        weight,
      ]),
    );
    return [["index", "written", "key", "looks_at", "weight"], ...list];
  }

  #controls(answer: WritingAnswer | undefined) {
    const words = this.say(writingWords);
    const set = (name: "writingLayer" | "writingHead") => (event: CustomEvent<string>) =>
      this.change({ [name]: Number(event.detail) });
    const numbers = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ value: String(at), text: String(at + 1) }));
    const { language, writingModel } = this.state;
    return html`<wf-choice
        slot="controls"
        class="model"
        .label=${words.model}
        .value=${writingModel}
        .options=${comparedSchemes.map(({ id }) => ({ value: id, text: schemeName(id, language) }))}
        @wf-change=${({ detail }: CustomEvent<string>) => this.change({ writingModel: detail })}
      ></wf-choice>
      <wf-choice
        slot="controls"
        class="layer"
        .label=${words.layer}
        .value=${String(answer?.layer ?? 0)}
        .options=${numbers(answer?.numLayers ?? 1)}
        @wf-change=${set("writingLayer")}
      ></wf-choice>
      <wf-choice
        slot="controls"
        class="head"
        .label=${words.head}
        .value=${String(answer?.head ?? 0)}
        .options=${numbers(answer?.numHeads ?? 1)}
        @wf-change=${set("writingHead")}
      ></wf-choice>`;
  }

  #asked() {
    const words = this.say(writingWords);
    const type = ({ detail }: CustomEvent<string>) => {
      this.isWriting = false;
      this.change({ writingText: writtenText(detail, words.sample) });
    };
    return html`<wf-text-line
        slot="ask"
        .label=${words.label}
        .value=${this.#text}
        @wf-change=${type}
      ></wf-text-line>
      <div slot="ask" class="row"
        ><button class="play" @click=${this.#play}
          >${this.isWriting ? words.pause : words.write}</button
        ><button class="play draw" @click=${this.#draw}>${words.anew}</button></div
      >`;
  }

  #table(answer: WritingAnswer, labels: readonly string[]) {
    const words = this.say(writingWords);
    const { promptTokens, rows } = answer;
    return foldedTable({
      label: words.table,
      columns: words.columns,
      rows: rows.map(({ weights }, row) => {
        const best = weights.indexOf(Math.max(...weights));
        return [labels[promptTokens + row]!, labels[best]!, weights[best]!.toFixed(2)];
      }),
    });
  }

  protected override render() {
    const words = this.say(writingWords);
    const { answer } = this;
    const labels = labelsOf(answer?.tokens ?? []);
    const { layer = 0, head = 0, scheme = "", promptTokens = 0, rows = [] } = answer ?? {};
    const title = words.title(layer + 1, head + 1);
    const caption = answer ? this.#caption(answer, labels) : "";
    const cell = this.#cell;
    const takeaway = answer && {
      at: "writing",
      title,
      code: writingCode(this.#text, answer),
      table: () => this.#rows(answer, labels),
      scene: () => this.scene(),
    };
    const name = schemeName(scheme, this.state.language);
    return html`<wf-frame
      .name=${words.name}
      .heading=${title}
      .caption=${caption}
      .isQuiet=${true}
      .waiting=${this.words.waiting}
      .note=${answer ? words.note(name, promptTokens, rows.length) : ""}
      .caveat=${words.caveat}
      .failure=${this.failure}
      .takeaway=${takeaway}
      @wf-again=${() => this.#ask()}
    >
      ${this.#asked()}
      ${
        answer
          ? html`${this.#written(answer, cell)}
              <wf-scene
                .label=${`${words.name}. ${caption}`}
                .hint=${this.words.keys}
                .draw=${drawWriting({ labels, promptTokens, rows }, words, this.words)}
                .active=${cell}
                @wf-cell=${this.#onCell}
              ></wf-scene>
              <wf-scale
                slot="legend"
                .label=${this.words.scale.weight}
                .high=${"1"}
                .theme=${this.state.theme}
              ></wf-scale>`
          : ""
      }
      ${this.#controls(answer)}
      ${answer ? html`<div slot="options">${this.#table(answer, labels)}</div>` : ""}
    </wf-frame>`;
  }
}

define("wf-writing", Writing);

/** `<wf-picture-positions>`: how one cell of a picture attends to the others, by scheme. */
import { html, nothing } from "lit";
import { numbered } from "../../controls/choice.js";
import type { CellEventDetail } from "../../controls/scene-view.js";
import {
  blindScheme,
  type GridScheme,
  type GridWindow,
  gridSchemes,
  gridView,
  gridWindows,
  modelsFolder,
  pictureModels,
  stretchedTable,
} from "../../defaults.js";
import { define } from "../../define.js";
import { readImage } from "../../engine/page/image-results.js";
import { folderAddress, readIndex } from "../../engine/page/models-index.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { megabytes, percent } from "../../text/numbers.js";
import { FigureElement } from "../shared/figure/figure-element.js";
import { ofState } from "../shared/figure/state-properties.js";
import { address, ofKind } from "../shared/given/kinds.js";
import { gridCode } from "./code.js";
import type { GridAnswer } from "./messages.js";
import { drawGrid } from "./picture.js";
import { gridWords, type Seen } from "./words.js";
import "../../controls/choice.js";
import "../../controls/scene-view.js";
import "../../controls/slider.js";
import "../shared/figure/frame.js";

export class PicturePositions extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    scheme: ofState("gridScheme"),
    row: ofState("gridAt", 0),
    column: ofState("gridAt", 1),
    head: ofState("gridHead"),
    side: ofState("gridSide"),
    window: ofState("gridWindow"),
    models: ofKind(address),
    answer: { state: true },
    progress: { state: true },
    shares: { state: true },
  };

  /** The scheme whose positions are shown. */
  declare scheme: string;
  /** Row of the query's cell, from 0. */
  declare row: number;
  /** Column of the query's cell, from 0. */
  declare column: number;
  /** Head of the trained model, from 0. */
  declare head: number;
  /** Side of the grid, in cells, to which a learned table is interpolated. */
  declare side: number;
  /** Windows of Swin's attention: 4 × 4 cells, the same shifted by 2, or 8 × 8. */
  declare window: GridWindow;
  /** Folder of the models, relative to the document. */
  declare models: string | undefined;
  declare answer: GridAnswer | undefined;
  declare progress: readonly [number, number] | undefined;
  /** Share of correct answers by scheme, if it was measured. */
  declare shares: ReadonlyMap<string, number> | undefined;
  #line = new NewestWins("grid");
  #hasAsked = false;

  get data() {
    return this.answer;
  }

  protected stateChanged(): void {
    void this.#ask();
    void this.#fetchShares();
  }

  get #folder(): string {
    return folderAddress(this.models ?? modelsFolder);
  }

  #ask = (): Promise<void> =>
    this.attempt(async () => {
      const { gridScheme: scheme, gridAt, gridHead: head, gridSide } = this.state;
      const { gridWindow: window } = this.state;
      const [row = 0, column = 0] = gridAt;
      const side = Math.max(gridView.min, gridSide);
      const folder = new URL(pictureModels, this.#folder).href;
      const hear = (loaded: number, total: number) => {
        this.progress = [loaded, total];
      };
      const question = { folder, scheme, row, column, head, side, window };
      const answer = await this.#line.ask(question, hear);
      this.progress = undefined;
      if (answer) this.answer = answer;
    });

  /** Measured results are a line of the note, which is left out without the file. */
  async #fetchShares(): Promise<void> {
    if (this.#hasAsked) return;
    this.#hasAsked = true;
    const { experiments } = await readIndex(this.#folder);
    if (!experiments.includes("image")) return;
    const response = await fetch(new URL("image.json", this.#folder)).catch(() => undefined);
    if (response?.ok) this.shares = readImage(await response.json());
  }

  #seen({ row, column, at, side, pictureSide, position, weights, windowed }: GridAnswer): Seen {
    const valueAt = (down: number, along: number) => position[down * side + along]!;
    const max = weights.indexOf(Math.max(...weights.filter((weight) => !Number.isNaN(weight))));
    const ends = windowed ?? { rows: [0, side - 1], columns: [0, side - 1] };
    const from1 = (range: readonly [number, number]) => [range[0] + 1, range[1] + 1] as const;
    const window = windowed &&
      windowed.begins.length > 1 && {
        window: { rows: from1(windowed.rows), columns: from1(windowed.columns) },
      };
    return {
      row: row + 1,
      column: column + 1,
      side,
      ...window,
      // At the edge, the neighbour on the other side.
      beside: valueAt(at.row, at.column < ends.columns[1]! ? at.column + 1 : at.column - 1),
      below: valueAt(at.row < ends.rows[1]! ? at.row + 1 : at.row - 1, at.column),
      max: {
        row: Math.floor(max / pictureSide) + 1,
        column: (max % pictureSide) + 1,
        share: weights[max]!,
      },
    };
  }

  #caption(): string {
    const words = this.say(gridWords);
    if (this.progress) {
      const [loaded, total] = this.progress;
      return words.loading(megabytes(loaded), megabytes(total));
    }
    return this.answer ? words.caption(this.#seen(this.answer), this.answer.pictureSide) : "";
  }

  #note(): string {
    const words = this.say(gridWords);
    const { answer, shares } = this;
    const { gridScheme, gridWindow } = this.state;
    const note = words.note + (answer?.windowed ? words.notesOfWindows[gridWindow] : "");
    const ofScheme = shares?.get(gridScheme);
    const blind = shares?.get(blindScheme);
    if (ofScheme === undefined || blind === undefined) return note;
    return note + words.scores(percent(ofScheme), percent(blind));
  }

  #table(): (string | number)[][] {
    const { scheme, pictureSide, side, position, weights, windowed } = this.answer!;
    const table = Array.from(windowed?.table ?? [], (value, at) => {
      const across = windowed!.tableSide;
      const middle = (across - 1) / 2;
      return [scheme, "step", Math.floor(at / across) - middle, (at % across) - middle, value];
    });
    const rows = (what: string, values: Float32Array, across: number) =>
      Array.from(values, (value, cell) => [
        scheme,
        what,
        Math.floor(cell / across) + 1,
        (cell % across) + 1,
        Number.isNaN(value) ? "outside the window" : value,
      ]);
    return [
      ["scheme", "what", "row", "column", "value"],
      ...rows("position", position, side),
      ...rows("attention", weights, pictureSide),
      ...table,
    ];
  }

  /** Moves the query's cell by pointer or arrow keys. */
  #onCell({ detail }: CustomEvent<CellEventDetail>): void {
    if (detail.grid === "picture") this.change({ gridAt: [detail.row, detail.column] });
  }

  /**
   * Returns the control that only some schemes have: cells on a side of the grid to which a table
   * is stretched, or the division into windows.
   */
  #sideControl() {
    const words = this.say(gridWords);
    const { gridScheme, gridSide, gridWindow } = this.state;
    const { trainedSide, min, max } = gridView;
    const side = Math.max(min, gridSide);
    if (gridScheme === stretchedTable)
      return html`<wf-slider
        slot="controls"
        class="side"
        .label=${words.side}
        .value=${side}
        .min=${min}
        .max=${max}
        .text=${words.sideText(side, trainedSide)}
        @wf-change=${({ detail }: CustomEvent<number>) => this.change({ gridSide: detail })}
      ></wf-slider>`;
    if (!this.answer?.windowed) return nothing;
    return html`<wf-choice
      slot="controls"
      class="window"
      .label=${words.window}
      .value=${gridWindow}
      .options=${gridWindows.map((value) => ({ value, text: words.windows[value] }))}
      @wf-change=${({ detail }: CustomEvent<GridWindow>) => this.change({ gridWindow: detail })}
    ></wf-choice>`;
  }

  #controls() {
    const setHead = ({ detail }: CustomEvent<string>) => this.change({ gridHead: Number(detail) });
    return html`${this.#sideControl()}
      <wf-choice
        slot="controls"
        class="head"
        .label=${this.say(gridWords).head}
        .value=${String(this.answer?.head ?? 0)}
        .options=${numbered(this.answer?.numHeads ?? 4)}
        @wf-change=${setHead}
      ></wf-choice>`;
  }

  protected override render() {
    const words = this.say(gridWords);
    const { answer } = this;
    const { gridScheme } = this.state;
    const title = words.titles[gridScheme];
    const caption = this.#caption();
    const options = gridSchemes.map((value) => ({ value, text: words.schemes[value] }));
    const set = ({ detail }: CustomEvent<GridScheme>) => this.change({ gridScheme: detail });
    const takeaway = answer && {
      at: "pictures",
      title,
      code: gridCode(answer, new URL(pictureModels, this.#folder).href),
      table: () => this.#table(),
      scene: () => this.scene(),
    };
    return html`<wf-frame
      .name=${words.name}
      .heading=${title}
      .caption=${caption}
      .waiting=${this.words.waiting}
      .isQuiet=${true}
      .note=${this.#note()}
      .caveat=${words.caveat}
      .failure=${this.failure}
      .takeaway=${takeaway}
      @wf-again=${this.#ask}
    >
      <wf-choice
        slot="ask"
        class="schemes"
        .label=${words.scheme}
        .value=${gridScheme}
        .options=${options}
        @wf-change=${set}
      ></wf-choice>
      <wf-scene
        .label=${`${words.name}. ${caption}`}
        .hint=${this.words.keys}
        .draw=${drawGrid(answer, words)}
        @wf-cell=${this.#onCell}
      ></wf-scene>
      <span slot="legend" class="query">${words.legendQuery}</span>
      ${
        answer?.windowed
          ? html`<span slot="legend" class="windows">${words.legendWindow}</span>`
          : nothing
      }
      ${this.#controls()}
    </wf-frame>`;
  }
}

define("wf-picture-positions", PicturePositions);

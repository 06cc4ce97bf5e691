/** `<wf-picture-positions>`: how one cell of a picture sees the others, by scheme. */
import { html, nothing } from "lit";
import { numbered } from "../../controls/choice.js";
import type { CellEventDetail } from "../../controls/scene-view.js";
import {
  blindScheme,
  type GridScheme,
  gridSchemes,
  gridView,
  modelsFolder,
  pictureModels,
  stretchedTable,
} from "../../defaults.js";
import type { GridAnswer } from "../../engine/both/picture-messages.js";
import { readImage } from "../../engine/page/image-results.js";
import { folderAddress, readIndex } from "../../engine/page/models-index.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { megabytes, percent } from "../../text/numbers.js";
import { FigureElement } from "../shared/figure/figure-element.js";
import { ofState } from "../shared/figure/own-state.js";
import { gridCode } from "./code.js";
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
    models: {},
    answer: { state: true },
    progress: { state: true },
    shares: { state: true },
  };

  /** Whose positions are shown. */
  declare scheme: string;
  /** Row of the cell that looks, from 0. */
  declare row: number;
  /** Column of the cell that looks, from 0. */
  declare column: number;
  /** Head of the trained model, from 0. */
  declare head: number;
  /** Cells a side to which a learned table is stretched. */
  declare side: number;
  /** Folder of the models, seen from the document. */
  declare models: string | undefined;
  declare answer: GridAnswer | undefined;
  declare progress: readonly [number, number] | undefined;
  /** Share of right answers by scheme, where that was measured. */
  declare shares: ReadonlyMap<string, number> | undefined;
  #line = new NewestWins("grid");
  #hasAsked = false;

  get data() {
    return this.answer;
  }

  protected get watched() {
    return ["gridScheme", "gridAt", "gridHead", "gridSide"] as const;
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
      const [row = 0, column = 0] = gridAt;
      const side = Math.max(gridView.least, gridSide);
      const folder = new URL(pictureModels, this.#folder).href;
      const hear = (loaded: number, total: number) => {
        this.progress = [loaded, total];
      };
      const answer = await this.#line.ask({ folder, scheme, row, column, head, side }, hear);
      this.progress = undefined;
      if (answer) this.answer = answer;
    });

  /** What was measured is a line of the note: without the file there is none. */
  async #fetchShares(): Promise<void> {
    if (this.#hasAsked) return;
    this.#hasAsked = true;
    const { experiments } = await readIndex(this.#folder);
    if (!experiments.includes("image")) return;
    const response = await fetch(new URL("image.json", this.#folder)).catch(() => undefined);
    if (response?.ok) this.shares = readImage(await response.json());
  }

  #seen({ row, column, at, side, own, position, weights }: GridAnswer): Seen {
    const valueAt = (down: number, along: number) => position[down * side + along]!;
    const most = weights.indexOf(Math.max(...weights));
    return {
      ...{ row: row + 1, column: column + 1, side },
      // At the edge the neighbour on the other side.
      beside: valueAt(at.row, at.column + 1 < side ? at.column + 1 : at.column - 1),
      below: valueAt(at.row + 1 < side ? at.row + 1 : at.row - 1, at.column),
      most: {
        ...{ row: Math.floor(most / own) + 1, column: (most % own) + 1 },
        share: weights[most]!,
      },
    };
  }

  #reading(): string {
    const words = this.say(gridWords);
    if (this.progress) {
      const [loaded, total] = this.progress;
      return words.loading(megabytes(loaded), megabytes(total));
    }
    return this.answer ? words.reading(this.#seen(this.answer), this.answer.own) : "";
  }

  #note(): string {
    const words = this.say(gridWords);
    const own = this.shares?.get(this.state.gridScheme);
    const blind = this.shares?.get(blindScheme);
    if (own === undefined || blind === undefined) return words.note;
    return words.note + words.scores(percent(own), percent(blind));
  }

  #table(): (string | number)[][] {
    const { scheme, own, side, position, weights } = this.answer!;
    const rows = (what: string, values: Float32Array, across: number) =>
      Array.from(values, (value, cell) => [
        ...[scheme, what, Math.floor(cell / across) + 1, (cell % across) + 1, value],
      ]);
    return [
      ["scheme", "what", "row", "column", "value"],
      ...rows("position", position, side),
      ...rows("attention", weights, own),
    ];
  }

  /** The pointer leads the cell that looks; so do the arrow keys. */
  #onCell({ detail }: CustomEvent<CellEventDetail>): void {
    if (detail.grid === "picture") this.change({ gridAt: [detail.row, detail.column] });
  }

  #controls() {
    const words = this.say(gridWords);
    const { gridScheme, gridSide } = this.state;
    const { own, least, most } = gridView;
    const setHead = ({ detail }: CustomEvent<string>) => this.change({ gridHead: Number(detail) });
    const setSide = ({ detail }: CustomEvent<number>) => this.change({ gridSide: detail });
    const side = Math.max(least, gridSide);
    return html`<wf-choice
        slot="controls"
        class="head"
        .label=${words.head}
        .value=${String(this.answer?.head ?? 0)}
        .options=${numbered(this.answer?.numHeads ?? 4)}
        @wf-change=${setHead}
      ></wf-choice>
      ${
        gridScheme === stretchedTable
          ? html`<wf-slider
              slot="controls"
              class="side"
              .label=${words.side}
              .value=${side}
              .min=${least}
              .max=${most}
              .text=${words.sideText(side, own)}
              @wf-change=${setSide}
            ></wf-slider>`
          : nothing
      }`;
  }

  protected override render() {
    const words = this.say(gridWords);
    const { answer } = this;
    const { gridScheme } = this.state;
    const title = words.titles[gridScheme];
    const reading = this.#reading();
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
      .reading=${reading}
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
        .label=${`${words.name}. ${reading}`}
        .hint=${this.words.keys}
        .draw=${drawGrid(answer, words)}
        @wf-cell=${this.#onCell}
      ></wf-scene>
      <span slot="legend" class="query">${words.legendQuery}</span>
      ${this.#controls()}
    </wf-frame>`;
  }
}

customElements.define("wf-picture-positions", PicturePositions);

/** `<wf-added-position>`: the vectors that are added to words, and their effect on a score. */
import { html, nothing } from "lit";
import type { CellEventDetail, Draw } from "../../controls/scene-view.js";
import { addedView, modelsFolder } from "../../defaults.js";
import { define } from "../../define.js";
import { failureOf } from "../../engine/both/failure.js";
import { folderAddress } from "../../engine/page/models-index.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { megabytes } from "../../text/numbers.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { folded, foldedStyles } from "../shared/figure/folded.js";
import { Memo } from "../shared/figure/memo.js";
import { ofState } from "../shared/figure/state-properties.js";
import { address, ofKind } from "../shared/given/kinds.js";
import { addedCode } from "./code.js";
import type { AddedAnswer, ProjectedAnswer } from "./messages.js";
import { drawAdded, drawRows } from "./picture.js";
import { spreadOf, withoutMeans } from "./spread.js";
import { addedWords } from "./words.js";
import "../../controls/choice.js";
import "../../controls/scene-view.js";
import "../../controls/scrub.js";
import "../../controls/slider.js";
import "../shared/figure/frame.js";
import { numbered } from "../../controls/choice.js";

const { positions: max, queries, distances } = addedView;

export class AddedPosition extends FigureElement {
  static override lead = "wf-slider.position";
  static override properties = {
    ...FigureElement.properties,
    scheme: ofState("addedScheme"),
    position: ofState("addedAt", 0),
    channel: ofState("addedAt", 1),
    base: ofState("addedBase"),
    head: ofState("addedHead"),
    models: ofKind(address),
    answer: { state: true },
    projected: { state: true },
    progress: { state: true },
    hasNoModel: { state: true },
  };

  static override styles = [...figureStyles, foldedStyles];

  /** The added vectors: `sinusoidal` or `learned`. */
  declare scheme: string;
  /** The marked position. */
  declare position: number;
  /** The marked channel. */
  declare channel: number;
  /** Base of the wavelengths of sinusoids. */
  declare base: string;
  /** Head whose W_q and W_k project the vectors, from 0. */
  declare head: number;
  /** Folder of the trained models, relative to the document. */
  declare models: string | undefined;
  declare answer: AddedAnswer | undefined;
  declare projected: ProjectedAnswer | undefined;
  declare progress: readonly [number, number];
  declare hasNoModel: boolean;

  #rows = new NewestWins("added");
  #products = new NewestWins("projected");
  #drawing = new Memo<Draw>();
  #drawnRows = new Memo<Draw>();

  constructor() {
    super();
    this.progress = [0, 0];
    this.hasNoModel = false;
  }

  get data() {
    const { answer, projected } = this;
    return answer && { ...answer, projected, at: this.#at };
  }

  /** Filled when the products with a model's weights have arrived, or when no model is needed. */
  protected override get isFilled(): boolean {
    return this.answer !== undefined && (this.#between !== undefined || this.hasNoModel);
  }

  protected stateChanged(): void {
    const { addedScheme, addedBase, addedHead } = this.state;
    const { answer, projected } = this;
    if (answer?.scheme !== addedScheme || answer.base !== Number(addedBase)) void this.#askRows();
    if (projected?.scheme !== addedScheme || projected.head !== addedHead) void this.#askProducts();
  }

  get #folder(): string {
    return folderAddress(this.models ?? modelsFolder);
  }

  #hear = (loaded: number, total: number): void => {
    this.progress = [loaded, total];
  };

  #askRows = (): Promise<void> =>
    this.attempt(async () => {
      const { addedScheme: scheme, addedBase } = this.state;
      const question = { folder: this.#folder, scheme, base: Number(addedBase) };
      const answer = await this.#rows.ask(question, this.#hear);
      if (answer) this.answer = answer;
    });

  /** Without a model only the second chart stays empty. */
  async #askProducts(): Promise<void> {
    const { addedScheme: scheme, addedHead: head } = this.state;
    this.hasNoModel = false;
    try {
      const question = { folder: this.#folder, scheme, head };
      const answer = await this.#products.ask(question, this.#hear);
      if (answer) this.projected = answer;
    } catch (reason) {
      this.hasNoModel = failureOf(reason).code !== "aborted";
    }
  }

  #again(): void {
    void this.#askRows();
    void this.#askProducts();
  }

  /** The marked position and channel, clamped to the picture. */
  get #at(): { position: number; channel: number } {
    const [position = 0, channel = 0] = this.state.addedAt;
    const channels = this.answer?.channels ?? Infinity;
    return { position: Math.min(position, max - 1), channel: Math.min(channel, channels - 1) };
  }

  /** Products with weights, if they belong to the rows in view. */
  get #between(): ProjectedAnswer | undefined {
    return this.projected?.scheme === this.answer?.scheme ? this.projected : undefined;
  }

  #caption(): string {
    const { answer } = this;
    if (!answer) return "";
    const words = this.say(addedWords);
    const { position } = this.#at;
    const { positions, frequencies, products, refusal } = answer;
    const { gap, share } = spreadOf(products);
    const rows =
      position >= positions
        ? words.captionBeyond(position, positions, refusal ?? "")
        : frequencies
          ? words.caption(gap)
          : words.captionOfTable(share);
    const between = this.#between;
    if (!between) return rows;
    return rows + words.projected(between.head + 1, spreadOf(withoutMeans(between.products)));
  }

  #table(): (string | number)[][] {
    const { products, values, channels } = this.answer!;
    const { position } = this.#at;
    const between = this.#between?.products;
    const rows = Array.from(products, (product, index) => [
      "product",
      queries[Math.floor(index / distances)]!,
      index % distances,
      product,
      between?.[index] ?? "",
    ]);
    const row = values.subarray(position * channels, (position + 1) * channels);
    return [
      ["what", "query_or_position", "distance_or_channel", "value", "with_weights"],
      ...Array.from(row, (value, channel) => ["row", position, channel, value, ""]),
      ...rows,
    ];
  }

  #slide(name: "position" | "channel", value: number, last: number, to: (at: number) => number[]) {
    return html`<wf-slider
      slot="controls"
      class=${name}
      .label=${this.say(addedWords)[name]}
      .value=${value}
      .min=${0}
      .max=${last}
      .text=${String(value)}
      @wf-change=${({ detail }: CustomEvent<number>) => this.change({ addedAt: to(detail) })}
    ></wf-slider>`;
  }

  #controls() {
    const words = this.say(addedWords);
    const { position, channel } = this.#at;
    const schemes = addedView.schemes.map((value) => ({ value, text: words.schemes[value]! }));
    const bases = addedView.bases.map((value) => ({ value, text: words.bases(Number(value)) }));
    const isFormula = this.state.addedScheme === addedView.schemes[0];
    const heads = numbered(this.projected?.numHeads ?? 4);
    const lastChannel = (this.answer?.channels ?? 128) - 1;
    return html`<wf-choice
        slot="controls"
        class="scheme"
        .label=${words.scheme}
        .value=${this.state.addedScheme}
        .options=${schemes}
        @wf-change=${({ detail }: CustomEvent<string>) => this.change({ addedScheme: detail })}
      ></wf-choice>
      ${this.#slide("position", position, max - 1, (at) => [at, channel])}
      ${this.#slide("channel", channel, lastChannel, (at) => [position, at])}
      ${folded(
        words.allOptions,
        html`<wf-choice
            class="head"
            .label=${words.head}
            .value=${String(this.state.addedHead)}
            .options=${heads}
            @wf-change=${({ detail }: CustomEvent<string>) =>
              this.change({ addedHead: Number(detail) })}
          ></wf-choice>
          ${
            isFormula
              ? html`<wf-choice
                  class="base"
                  .label=${words.base}
                  .value=${this.state.addedBase}
                  .options=${bases}
                  @wf-change=${({ detail }: CustomEvent<string>) =>
                    this.change({ addedBase: detail })}
                ></wf-choice>`
              : ""
          }`,
      )}`;
  }

  #onCell = ({ detail }: CustomEvent<CellEventDetail>): void => {
    const { grid, row, column, chosen } = detail;
    if (grid === "rows" && chosen) this.change({ addedAt: [column, row] });
  };

  protected override render() {
    const words = this.say(addedWords);
    const { answer } = this;
    const caption = this.#caption();
    const { position, channel } = this.#at;
    const active = { row: channel, column: position };
    const [loaded, total] = this.progress;
    const waiting = this.hasNoModel
      ? words.failed
      : words.fetching(megabytes(loaded), megabytes(total));
    const projected = this.#between;
    const title = answer && !answer.frequencies ? words.titleOfTable : words.title;
    const draw = this.#drawing.of([answer, projected, projected ? "" : waiting, words], () =>
      drawAdded(answer && { answer, projected, waiting }, words, this.shared.distance),
    );
    const takeaway = answer && {
      at: "added",
      title,
      code: addedCode(this.#folder, answer.scheme, projected?.head ?? 0),
      table: () => this.#table(),
      scene: () => this.scene(),
    };
    return html`<wf-frame
      .name=${words.name}
      .heading=${title}
      .caption=${caption}
      .waiting=${this.words.waiting}
      .note=${words.note}
      .caveat=${words.caveat}
      .failure=${this.failure}
      .takeaway=${takeaway}
      @wf-again=${() => this.#again()}
    >
      <wf-scene
        .label=${`${words.name}. ${caption}`}
        .hint=${this.words.keys}
        .active=${active}
        .draw=${draw}
      ></wf-scene>
      ${this.#controls()}
      ${
        answer
          ? html`<wf-scene
              slot="options"
              class="rows"
              .label=${words.rows}
              .hint=${this.words.keys}
              .active=${active}
              .draw=${this.#drawnRows.of([answer, words], () =>
                drawRows({ answer, projected: undefined, waiting: "" }, words),
              )}
              @wf-cell=${this.#onCell}
            ></wf-scene>`
          : nothing
      }
    </wf-frame>`;
  }
}

define("wf-added-position", AddedPosition);

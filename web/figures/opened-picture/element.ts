/**
 * `<wf-opened-picture>`: a picture as a model sees it: whom each patch asks, in every head. Model
 * and picture are the page's own, or the reader's.
 */
import { css, html, nothing, type PropertyValues } from "lit";
import type { CellEventDetail, Draw } from "../../controls/scene-view.js";
import { modelsFolder } from "../../defaults.js";
import { define } from "../../define.js";
import type { LookAnswer, OpenedModel } from "../../engine/both/checkpoint-messages.js";
import { folderAddress } from "../../engine/page/models-index.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { Memo } from "../shared/figure/memo.js";
import { ofState } from "../shared/figure/state-properties.js";
import { address, files, ofKind, ofProgram } from "../shared/given/kinds.js";
import { ModelSession, sourcePanel } from "../shared/opened/session.js";
import { lookCode } from "./code.js";
import { Looks } from "./looks.js";
import { drawLooked, headAt, indexOfMax, type Looked, rowOf } from "./picture.js";
import { type Creatures, drawCreature, type Shown, shownOf, shownPart } from "./pixels.js";
import { lookWords, type NamedToken } from "./words.js";
import "../../controls/choice.js";
import "../../controls/scene-view.js";
import "../../controls/slider.js";
import "../shared/figure/frame.js";
import "../shared/opened/source-panel.js";

/**
 * @fires {CustomEvent<Record<string, unknown>>} wf-progress - Bytes of a model have been read:
 *   `detail` has its `name`, and the bytes `loaded` and in `total`.
 * @fires {CustomEvent<Record<string, unknown>>} wf-opened - A model is open: `detail` has its
 *   `name`, `family`, `dtype`, `numLayers`, `numHeads`, `parameterCount` and `weightBytes`.
 * @fires {CustomEvent<Record<string, unknown>>} wf-failed - A model could not be opened: `detail`
 *   has its `name`, the `code` and the engine’s `message`. The model that was open before stays
 *   open.
 * @fires {CustomEvent<Record<string, unknown>>} wf-closed - The reader has closed the model.
 */
export class OpenedPicture extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    picture: ofState("lookPicture"),
    layer: ofState("lookLayer"),
    head: ofState("lookHead"),
    token: ofState("lookToken"),
    models: ofKind(address),
    image: ofKind(address),
    files: ofProgram(files),
  };

  static override styles = [
    ...figureStyles,
    css`
      wf-model-source {
        margin-bottom: 0.6rem;
      }

      /* A finger that moves across drags the query; up and down it scrolls the page. */
      wf-scene {
        touch-action: pan-y;
      }

      .problem {
        margin-block: 0.6rem;
      }
    `,
  ];

  /** Number of the page's picture, from 0. */
  declare picture: number;
  /** Layer, from 0. */
  declare layer: number;
  /** Head, from 0. */
  declare head: number;
  /** The token that asks, from 0: class token and registers first, then the patches by row. */
  declare token: number;
  /** Folder of the page's own models, relative to the document. */
  declare models: string | undefined;
  /** Address of a picture to look at instead of the page's own, relative to the document. */
  declare image: string | undefined;
  /** Files of a model to open instead of the page's own: those of a folder. */
  declare files: readonly File[] | undefined;

  #session = new ModelSession({
    reads: "pictures",
    sample: () => ({ folder: this.#folder }),
    isPublished: false,
    opened: (model) => this.#opened(model),
    changed: () => this.requestUpdate(),
    tell: (event, detail) =>
      this.dispatchEvent(new CustomEvent(`wf-${event}`, { detail, bubbles: true, composed: true })),
  });
  #looks = new Looks(this.#session.host, () => {
    this.#ask();
    this.requestUpdate();
  });
  #creatures: Creatures | undefined;
  /** The reader's picture. */
  #theirs: { name: string; bitmap: ImageBitmap } | undefined;
  /** Name of a file that is no picture. */
  #unreadable = "";
  /** The token that is pointed at, which asks until the pointer leaves. */
  #pointed: number | undefined;
  /** Heads in a line of the sheet. */
  #across = 1;
  #shown = new Memo<Shown>();
  #drawn = new Memo<Draw>();

  get #folder(): string {
    return new URL("pictures/creatures/", folderAddress(this.models ?? modelsFolder)).href;
  }

  get #creature() {
    const pictures = this.#creatures?.pictures;
    return pictures?.[Math.min(this.state.lookPicture, pictures.length - 1)];
  }

  get data() {
    const { model, opening, isClosed, problem } = this.#session;
    const looked = this.#looked();
    const stage = opening ? "opening" : isClosed ? "closed" : looked ? "open" : "looking";
    if (!looked) return isClosed || problem ? { stage, problem } : undefined;
    const { shown: _, weights: __, ...rest } = looked;
    return {
      stage,
      problem,
      model,
      picture: this.#theirs?.name ?? this.#creature?.name,
      ...rest,
      row: rowOf(looked),
    };
  }

  protected override get isFilled(): boolean {
    const { isClosed, problem } = this.#session;
    return this.#looked() !== undefined || isClosed || problem !== undefined;
  }

  protected override wake(): void {
    void this.#readCreatures();
    if (this.image) void this.#readAddress(this.image);
    this.#begin();
    void this.#session.listKept();
  }

  #begin(): void {
    const isImage = ({ type }: File) => type?.startsWith("image/");
    const image = this.files?.find(isImage);
    if (image) void this.#read(image.name, image);
    this.#session.begin(this.files?.filter((file) => !isImage(file)));
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!this.isAwake) return;
    if (this.files && changed.has("files")) this.#begin();
    if (this.image && changed.has("image")) void this.#readAddress(this.image);
  }

  protected stateChanged(): void {
    this.#look();
    this.#ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#session.end();
    this.#looks.clear();
  }

  // -------------------------------------------------------------------------- pictures

  #readCreatures = (): Promise<void> =>
    this.attempt(async () => {
      const at = new URL("pictures.json", this.#folder);
      const response = await fetch(at);
      if (!response.ok)
        throw Object.assign(new Error(`HTTP status ${response.status}`), { code: "network" });
      this.#creatures = (await response.json()) as Creatures;
      this.#look();
      this.requestUpdate();
    });

  async #read(name: string, file: Blob): Promise<void> {
    try {
      const bitmap = await createImageBitmap(file);
      this.#theirs = { name, bitmap };
      this.#unreadable = "";
      this.#look();
    } catch {
      this.#unreadable = name;
    }
    this.requestUpdate();
  }

  async #readAddress(image: string): Promise<void> {
    const at = new URL(image, document.baseURI);
    const response = await fetch(at).catch(() => undefined);
    await this.#read(at.pathname.split("/").at(-1)!, (await response?.blob()) ?? new Blob());
  }

  #opened(_model: OpenedModel | undefined): void {
    this.#looks.clear();
    this.#pointed = undefined;
    this.#look();
  }

  /** Lets the open model look at the picture in view, unless it has. */
  #look(): void {
    const { model } = this.#session;
    if (!model) return;
    if (this.#theirs) void this.#looks.look(this.#theirs.bitmap, this.#theirs.bitmap);
    else if (this.#creature) {
      const [creatures, creature] = [this.#creatures!, this.#creature];
      void this.#looks.look(creature, drawCreature(creatures, creature));
    }
  }

  // -------------------------------------------------------------------------- the question

  /** Layer, head and token, within the open model. */
  #chosen({ numLayers, numHeads }: OpenedModel, { grid }: LookAnswer) {
    const { lookLayer, lookHead, lookToken } = this.state;
    const tokens = grid.special.length + grid.rows * grid.columns;
    return {
      layer: Math.min(lookLayer, numLayers - 1),
      head: Math.min(lookHead, numHeads - 1),
      token: Math.min(this.#pointed ?? lookToken, tokens - 1),
    };
  }

  #ask(): void {
    const { model } = this.#session;
    const { seen } = this.#looks;
    if (model && seen) void this.#looks.ask(this.#chosen(model, seen));
  }

  /** The newest answer, until that to the present question is there. */
  #looked(): Looked | undefined {
    const { model } = this.#session;
    const { seen, row } = this.#looks;
    if (!model || !seen || !row) return undefined;
    const { layer, head } = this.#chosen(model, seen);
    const { grid } = seen;
    const theirs = this.#theirs?.bitmap;
    const subject = theirs ?? this.#creature;
    const shown = this.#shown.of([subject, grid], () =>
      theirs ? shownPart(theirs, grid) : shownOf(drawCreature(this.#creatures!, this.#creature!)),
    );
    const { numHeads } = model;
    const known = row.layers.includes(layer) ? layer : row.layers[0]!;
    return { ...row, grid, shown, layer: known, head, numHeads };
  }

  #named(token: number, { grid }: Looked): NamedToken {
    const { special, columns } = grid;
    const patch = token - special.length;
    return patch < 0
      ? { special: special[token]! }
      : { row: Math.floor(patch / columns) + 1, column: (patch % columns) + 1 };
  }

  #caption(looked: Looked): string {
    const weights = rowOf(looked);
    const key = indexOfMax(weights);
    const { special } = looked.grid;
    const patches = weights.subarray(special.length).reduce((sum, weight) => sum + weight, 0);
    const { layer, head, token } = looked;
    return this.say(lookWords).caption(
      { layer: layer + 1, head: head + 1 },
      this.#named(token, looked),
      this.#named(key, looked),
      weights[key]!,
      special.length ? patches : undefined,
    );
  }

  #onCell({ grid, row, column, chosen }: CellEventDetail): void {
    const looked = this.#looked();
    if (!looked) return;
    if (grid === "heads") {
      if (!chosen) return;
      const { layer, head } = headAt(looked, this.#across, row, column);
      this.change({ lookLayer: layer, lookHead: head });
      return;
    }
    const { special, columns } = looked.grid;
    const token = grid === "tokens" ? column : special.length + row * columns + column;
    this.#pointed = chosen ? undefined : token;
    if (chosen) this.change({ lookToken: token });
    this.#ask();
  }

  /** The end of a drag, or of a touch: what was pointed at stays chosen. */
  #onUp(): void {
    const token = this.#pointed;
    this.#pointed = undefined;
    if (token !== undefined) this.change({ lookToken: token });
  }

  #onLeave(): void {
    if (this.#pointed === undefined) return;
    this.#pointed = undefined;
    this.#ask();
  }

  // -------------------------------------------------------------------------- the parts

  #draw(looked: Looked | undefined): Draw {
    const { language, theme } = this.state;
    const { row } = this.#looks;
    const drawn = [row, looked?.shown, looked?.layer, looked?.head, language, theme];
    return this.#drawn.of(drawn, () =>
      drawLooked(looked, this.say(lookWords), (across) => {
        this.#across = across;
      }),
    );
  }

  #slider(name: "layer" | "head", max: number, value: number, set: (value: number) => void) {
    return html`<wf-slider
      slot="controls"
      class=${name}
      .label=${this.say(lookWords)[name]}
      .value=${value + 1}
      .min=${1}
      .max=${max}
      .text=${String(value + 1)}
      @wf-change=${({ detail }: CustomEvent<number>) => set(detail - 1)}
    ></wf-slider>`;
  }

  #pictureChoice() {
    const words = this.say(lookWords);
    const pictures = this.#creatures?.pictures ?? [];
    const options = pictures.map(({ name }, at) => ({
      value: String(at),
      text: words.pictures[name] ?? name,
    }));
    if (this.#theirs) options.push({ value: "theirs", text: words.yourPicture });
    const set = ({ detail }: CustomEvent<string>) => {
      if (detail === "theirs") return;
      this.#theirs = undefined;
      this.change({ lookPicture: Number(detail) });
      this.#look();
      this.requestUpdate();
    };
    return html`<wf-choice
      slot="ask"
      class="pictures"
      .label=${words.picture}
      .value=${this.#theirs ? "theirs" : String(this.state.lookPicture)}
      .options=${options}
      @wf-change=${set}
    ></wf-choice>`;
  }

  #problem() {
    const name = this.#unreadable;
    if (!name) return nothing;
    const said = this.say(lookWords).unreadable(name);
    return html`<p slot="ask" class="problem" role="alert">${said}</p>`;
  }

  #note(model: OpenedModel, looked: Looked | undefined): string {
    const words = this.say(lookWords);
    const isSample = this.#session.chosen?.source === "sample";
    const { seen } = this.#looks;
    const isCropped = looked && this.#theirs && isCrop(looked, this.#theirs.bitmap);
    return [
      isSample ? "" : words.model(model),
      isCropped ? words.cropped : "",
      isSample ? words.noteOfSample : "",
      looked && seen
        ? words.noteOfTheirs(looked.grid.rows * looked.grid.columns, seen.milliseconds)
        : "",
    ]
      .filter(Boolean)
      .join(this.words.join.sentences);
  }

  #takeaway(model: OpenedModel, looked: Looked, title: string) {
    const { source } = this.#session.chosen!;
    const folder = this.#folder;
    const { lookPicture } = this.state;
    const creature = { address: new URL("pictures.json", folder).href, at: lookPicture };
    const weights = rowOf(looked);
    const { layer, head } = looked;
    return {
      at: "pictures",
      title,
      code: lookCode(
        { token: looked.token, layer, head, dtype: model.dtype },
        {
          model: source === "sample" ? folder : undefined,
          picture: this.#theirs ? undefined : creature,
        },
      ),
      table: () => [
        ["layer", "head", "token", "row", "column", "weight"],
        ...Array.from(weights, (weight, token) => {
          const named = this.#named(token, looked);
          const at = "special" in named ? [named.special, ""] : [named.row, named.column];
          return [layer + 1, head + 1, token, ...at, weight];
        }),
      ],
      scene: () => this.scene(),
    };
  }

  protected override render() {
    const words = this.say(lookWords);
    const { model, chosen, isClosed } = this.#session;
    const looked = this.#looked();
    const { failure } = this.#looks;
    const heading = model ? words.heading(chosen!.name || words.sampleName) : words.closedHeading;
    const waiting = isClosed && !model ? words.empty : model ? words.looking : this.words.waiting;
    const onPicture = (file: File) => void this.#read(file.name, file);
    return html`<wf-frame
      .isQuiet=${true}
      .name=${words.name}
      .heading=${heading}
      .caption=${looked ? this.#caption(looked) : ""}
      .waiting=${waiting}
      .note=${model ? this.#note(model, looked) : ""}
      .caveat=${words.caveat}
      .failure=${this.failure ?? failure}
      .takeaway=${model && looked && this.#takeaway(model, looked, heading)}
      @wf-again=${this.#readCreatures}
    >
      ${sourcePanel(this.#session, words, { onPicture })} ${this.#problem()}
      ${this.#pictureChoice()}
      <wf-scene
        .label=${`${words.name}. ${looked ? this.#caption(looked) : ""}`}
        .hint=${this.words.keys}
        .draw=${this.#draw(looked)}
        @wf-cell=${({ detail }: CustomEvent<CellEventDetail>) => this.#onCell(detail)}
        @wf-leave=${this.#onLeave}
        @pointerup=${this.#onUp}
      ></wf-scene>
      <span slot="legend" class="query">${words.legendQuery}</span>
      <span slot="legend" class="key">${words.legendKey}</span>
      ${
        model && looked
          ? html`${this.#slider("layer", model.numLayers, looked.layer, (lookLayer) =>
              this.change({ lookLayer }),
            )}${this.#slider("head", model.numHeads, looked.head, (lookHead) =>
              this.change({ lookHead }),
            )}`
          : nothing
      }
    </wf-frame>`;
  }
}

/** Whether the model sees only a part of a picture. */
const isCrop = ({ grid: { area } }: Looked, { width, height }: ImageBitmap): boolean =>
  area.width < width - 1 || area.height < height - 1;

define("wf-opened-picture", OpenedPicture);

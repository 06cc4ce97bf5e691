/**
 * `<wf-attention-map>`: a map of up to 4,096 tokens a side, of one's own numbers or of a call of
 * the engine, to be zoomed, compared and taken away.
 */
import { html, nothing, type PropertyValues } from "lit";
import { linkOf, type MapLink } from "../../controls/map-link.js";
import type { Extent, MapView } from "../../controls/map-view.js";
import { modelsFolder, sightedScheme } from "../../defaults.js";
import type { MapSource, Reduce } from "../../drawing/map-pyramid.js";
import type { Cell } from "../../drawing/scene.js";
import { longestLab } from "../../engine/both/lab-sizes.js";
import type { MapPart, MapsQuestion } from "../../engine/both/map-messages.js";
import { folderAddress } from "../../engine/page/models-index.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { FigureElement, figureStyles } from "../shared/figure-element.js";
import { mapsCode } from "../shared/map-code.js";
import { mapAsCsv } from "../shared/map-file.js";
import { lookControls, mapScale, scaleEnd } from "../shared/map-looks.js";
import { zoomWords } from "../shared/map-words.js";
import type { Weights } from "../shared/numbers.js";
import { dropStyles, type OwnMap, openLine, readOwnFile, takeDrops } from "../shared/own-file.js";
import { ownMapCode } from "./code.js";
import { drawHeads, headsInRow } from "./heads-picture.js";
import { mapOfAddress, mapOfEngine, mapOfFile, mapOfWeights, type ShownMap } from "./shown-map.js";
import { attentionMapWords } from "./words.js";
import "../../controls/map-view.js";
import "../shared/frame.js";

export class AttentionMap extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    weights: { attribute: false },
    minus: { attribute: false },
    tokens: { attribute: false },
    keyTokens: { attribute: false },
    src: {},
    scheme: {},
    model: {},
    against: {},
    text: {},
    length: { type: Number },
    layer: { type: Number },
    head: { type: Number },
    show: {},
    models: {},
    group: {},
    reduce: {},
    log: { type: Boolean },
    hideFirst: { type: Boolean, attribute: "hide-first" },
    shown: { state: true },
    extent: { state: true },
    pointed: { state: true },
    file: { state: true },
  };

  static override styles = [...figureStyles, dropStyles];

  /** [T, S], [H, T, S] or { data, shape }: numbers of one's own; what is not a number is masked. */
  declare weights: Weights | undefined;
  /** Of the same shape: the map is then `weights − minus`. */
  declare minus: Weights | undefined;
  /** Texts of the rows, and of the columns unless `keyTokens` has those. */
  declare tokens: readonly string[] | undefined;
  /** Texts of the columns, where those are not the rows’. */
  declare keyTokens: readonly string[] | undefined;
  /** Address of a file of weights: JSON, NPY or CSV. */
  declare src: string | undefined;
  /** Id of a scheme in an untrained layer that reads `text`. */
  declare scheme: string | undefined;
  /** Id of a trained model that reads `text`. */
  declare model: string | undefined;
  /** Another scheme or model, whose map is taken from the first one's. */
  declare against: string | undefined;
  /** What is read; empty for the held-out text. */
  declare text: string | undefined;
  /** Without a text: so many tokens of the held-out text. */
  declare length: number | undefined;
  /** Layer of the trained model, from 0. */
  declare layer: number;
  /** Head, from 0. */
  declare head: number;
  /** `weights`, or of the scores their `sum`, `content` or `position`. */
  declare show: MapPart;
  /** Folder of the trained models and their tokenizer, seen from the document. */
  declare models: string | undefined;
  /** Maps of one name show the same part and mark the same cell. */
  declare group: string | undefined;
  /** What a point shows that stands for several cells: the largest (`max`) or the `mean`. */
  declare reduce: Reduce;
  /** Colours by the logarithm. */
  declare log: boolean;
  /** Leaves the first column out. */
  declare hideFirst: boolean;
  declare shown: ShownMap | undefined;
  declare extent: Extent | undefined;
  declare pointed: Cell | undefined;
  declare file: OwnMap | undefined;

  #line = new NewestWins("maps");
  #link: MapLink = linkOf("");
  #asked: unknown[] = [];
  #round = 0;
  #gone = new AbortController();
  #source: { from: unknown[]; source: MapSource } | undefined;

  constructor() {
    super();
    this.layer = 0;
    this.head = 0;
    this.show = "weights";
    this.reduce = "max";
    this.log = false;
    this.hideFirst = false;
  }

  get data(): ShownMap | undefined {
    return this.shown;
  }

  protected override get isFilled(): boolean {
    return this.extent !== undefined;
  }

  protected get watched() {
    return [] as const;
  }

  protected stateChanged(): void {
    void this.#ask();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#gone = new AbortController();
    takeDrops(this, (file) => void this.open(file), this.#gone.signal);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#gone.abort();
    this.#line.cancel();
    this.#asked = [];
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("group")) this.#link = linkOf(this.group ?? "");
    if (this.isAwake) void this.#ask();
  }

  /** What the picture is made of. */
  get #wish(): unknown[] {
    const { weights, minus, tokens, keyTokens, src, file, scheme, model, against } = this;
    const own = [file, weights, minus, tokens, keyTokens, src];
    if (file || weights || src) return own;
    const { text, length, layer, head, show, models } = this;
    const { language } = this.state;
    return [scheme, model, against, text, length, layer, head, show, models, language];
  }

  #ask = async (): Promise<void> => {
    const wish = this.#wish;
    if (wish.length === this.#asked.length && wish.every((one, at) => one === this.#asked[at]))
      return;
    this.#asked = wish;
    const round = ++this.#round;
    const shown = await this.#read().catch((reason: unknown) => {
      if (round === this.#round) void this.attempt(() => Promise.reject(reason));
    });
    if (!shown || round !== this.#round) return;
    this.failure = undefined;
    this.shown = shown;
  };

  #again = (): void => {
    this.#asked = [];
    this.failure = undefined;
    void this.#ask();
  };

  /** Shows a file; nothing of it leaves the tab. */
  async open(file: Blob): Promise<void> {
    const name = file instanceof File ? file.name : "";
    await this.attempt(async () => {
      this.file = await readOwnFile(file, name);
    });
  }

  #read(): Promise<ShownMap | undefined> {
    const { file, weights, src } = this;
    if (file) return Promise.resolve(mapOfFile(file));
    if (weights) return mapOfWeights({ ...this.#given, weights });
    if (src) return mapOfAddress(src, this.#gone.signal);
    return mapOfEngine(this.#line, this.#question);
  }

  get #given() {
    const { tokens = [], minus } = this;
    return { tokens, keyTokens: this.keyTokens ?? tokens, minus };
  }

  get #question(): MapsQuestion {
    const { model, scheme, against, text, length, layer, head, show: part } = this;
    const first = model ?? scheme ?? sightedScheme;
    const own = this.shared.models.text;
    return {
      folder: folderAddress(this.models ?? modelsFolder),
      reader: model ? "model" : "scheme",
      schemes: against ? [first, against] : [first],
      text: text ?? (length ? "" : own),
      length: length ?? 0,
      language: this.state.language,
      unit: "token",
      longest: longestLab,
      ...{ layer, head, part },
    };
  }

  /** The head in view of several. */
  get #headShown(): number {
    const { shown } = this;
    return shown && shown.heads > 1 ? Math.min(Math.max(0, this.head), shown.heads - 1) : 0;
  }

  /** One object for as long as it holds the same, so that nothing is looked through again. */
  #sourceOf(shown: ShownMap): MapSource {
    const head = this.#headShown;
    const from = [shown, head, this.hideFirst];
    if (this.#source?.from.every((one, at) => one === from[at])) return this.#source.source;
    const { rows, columns } = shown;
    const part = (list: Float32Array) =>
      list.subarray(head * rows * columns, (head + 1) * rows * columns);
    const source = {
      ...{ rows, columns, hidesFirst: this.hideFirst, values: part(shown.values) },
      minus: shown.minus && part(shown.minus),
    };
    this.#source = { from, source };
    return source;
  }

  #valueAt({ row, column }: Cell): number {
    const { columns, values, minus } = this.#sourceOf(this.shown!);
    const at = row * columns + column;
    return minus ? values[at]! - minus[at]! : values[at]!;
  }

  #describe = (row: number, column: number, value: number): string => {
    const { rowLabels, columnLabels } = this.shown!;
    const words = this.say(zoomWords);
    return words.cell(row + 1, rowLabels[row]!, column + 1, columnLabels[column]!, value);
  };

  #reading(): string {
    const { shown, extent, pointed } = this;
    if (!shown || !extent) return "";
    const cell = pointed ?? this.#link.chosen;
    const isThere = cell && cell.row < shown.rows && cell.column < shown.columns;
    if (isThere) return this.#describe(cell.row, cell.column, this.#valueAt(cell));
    const { peak } = extent;
    if (!peak) return "";
    const { row, column } = peak;
    const texts = [shown.rowLabels[row]!, shown.columnLabels[column]!] as const;
    const words = this.say(zoomWords);
    return words.peak(row + 1, texts[0], column + 1, texts[1], this.#valueAt(peak));
  }

  get #isSigned(): boolean {
    const { shown, extent } = this;
    return Boolean(shown?.minus) || (extent?.least ?? 0) < 0;
  }

  get #limit(): number {
    return scaleEnd(this.extent ? [this.extent] : []);
  }

  #scale() {
    const words = this.say(zoomWords);
    const label = this.shown?.minus ? words.difference : words.scales[this.show];
    const scale = { limit: this.#limit, signed: this.#isSigned, log: this.log };
    const hatched = this.extent?.hasGaps ? this.words.scale.masked : "";
    return mapScale(label, scale, words, hatched, this.state.theme);
  }

  #controls() {
    const { log, hideFirst, reduce } = this;
    const words = this.say(zoomWords);
    const look = { log, hideFirst, reduce };
    const change = (changed: Partial<typeof look>) => Object.assign(this, changed);
    return html`${lookControls(look, words, this.#isSigned, change)}
    ${openLine(words, (file) => void this.open(file))}`;
  }

  #title(): string {
    const words = this.say(attentionMapWords);
    const { shown, against } = this;
    if (shown?.title) return words.titleOwn(shown.title);
    const { schemes } = shown?.answer ?? {};
    return against && schemes ? words.titleAgainst(schemes[0]!, against) : words.title;
  }

  #takeaway(title: string) {
    const { shown } = this;
    if (!shown || !this.extent) return undefined;
    const source = this.#sourceOf(shown);
    return {
      at: "attention-map",
      title,
      code: shown.answer ? mapsCode(shown.answer) : ownMapCode(),
      table: () => [],
      csv: () => mapAsCsv(source, shown.rowLabels, shown.columnLabels),
      scene: () => this.renderRoot.querySelector<MapView>("wf-map-view"),
    };
  }

  #heads(shown: ShownMap) {
    if (shown.heads < 2) return nothing;
    const words = this.say(attentionMapWords);
    const choose = ({ detail }: CustomEvent<{ row: number; column: number; chosen: boolean }>) => {
      if (detail.chosen) this.head = detail.column + detail.row * headsInRow;
    };
    return html`<wf-scene
      class="heads"
      .label=${words.heads}
      .hint=${this.words.keys}
      .draw=${drawHeads(shown, this.#headShown, words)}
      @wf-cell=${choose}
    ></wf-scene>`;
  }

  #map(shown: ShownMap) {
    const hear = ({ detail }: CustomEvent<Extent>) => {
      this.extent = detail;
    };
    const point = ({ detail }: CustomEvent<Cell>) => {
      this.pointed = detail;
    };
    const leave = () => {
      this.pointed = undefined;
    };
    return html`<wf-map-view
      .source=${this.#sourceOf(shown)}
      .rows=${shown.rowLabels}
      .columns=${shown.columnLabels}
      .reduce=${this.reduce}
      .signed=${this.#isSigned}
      .limit=${this.extent && this.#limit}
      .log=${this.log}
      .link=${this.#link}
      .label=${this.say(attentionMapWords).name}
      .words=${this.say(zoomWords)}
      .describe=${this.#describe}
      .theme=${this.state.theme}
      @wf-extent=${hear}
      @wf-cell=${point}
      @wf-leave=${leave}
    ></wf-map-view>`;
  }

  protected override render() {
    const words = this.say(attentionMapWords);
    const { shown } = this;
    const title = this.#title();
    const cut = shown?.answer?.cut ? words.cut(longestLab) : "";
    return html`<wf-frame
      .name=${words.name}
      .heading=${title}
      .reading=${this.#reading()}
      .waiting=${words.loading}
      .note=${shown ? words.source[shown.by] + cut : ""}
      .caveat=${words.caveat}
      .isQuiet=${true}
      .failure=${this.failure}
      .takeaway=${this.#takeaway(title)}
      @wf-again=${this.#again}
    >
      ${shown ? html`${this.#heads(shown)}${this.#map(shown)}` : nothing}
      ${this.#scale()}
      <span slot="legend" class="query">${this.words.scale.query}</span>
      <span slot="legend" class="key">${this.words.scale.key}</span>
      ${this.#controls()}
    </wf-frame>`;
  }
}

customElements.define("wf-attention-map", AttentionMap);

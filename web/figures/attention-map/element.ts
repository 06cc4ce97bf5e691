/**
 * `<wf-attention-map>`: a map of up to 4,096 tokens a side, of given numbers or of a call of the
 * engine, to zoom, compare and save.
 */

import { html, nothing, type PropertyValues } from "lit";
import type { MapNumbers, MapsOnDemand } from "whereformer/elements";
import { linkOf } from "../../controls/map-link.js";
import type { MapView } from "../../controls/map-view.js";
import { sightedScheme } from "../../defaults.js";
import { define } from "../../define.js";
import type { MapSource, Reduce } from "../../drawing/map-pyramid.js";
import { longestLab } from "../../engine/both/lab-sizes.js";
import {
  type MapPart,
  type MapsQuestion,
  mapParts,
  type SmallHeads,
} from "../../engine/both/map-messages.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { Memo } from "../shared/figure/memo.js";
import {
  address,
  flag,
  mapNumbers,
  ofKind,
  oneOf,
  text,
  tokenTexts,
  whole,
} from "../shared/given/kinds.js";
import {
  labelsOfWords,
  type Sides,
  sidesOf,
  sidesShown,
  sourceByWord,
  type Unit,
  unitChoice,
  units,
} from "../shared/maps/by-word.js";
import { mapsCode } from "../shared/maps/map-code.js";
import { mapAsCsv } from "../shared/maps/map-file.js";
import { MapFilesFigure } from "../shared/maps/map-files-figure.js";
import { lookControls } from "../shared/maps/map-looks.js";
import { headSource, sourceOfParts, valueIn } from "../shared/maps/map-sources.js";
import type { FigureMap } from "../shared/maps/maps-figure.js";
import { unitWords } from "../shared/maps/unit-words.js";
import { mapsQuestion } from "../shared/trained/maps-request.js";
import { nameOfScheme } from "../shared/trained/scheme-name.js";
import { givenMapCode } from "./code.js";
import { blanksOf, headsOfLayer, isOnDemand } from "./on-demand.js";
import {
  mapOfAddress,
  mapOfEngine,
  mapOfFile,
  mapOfWeights,
  mapOnDemand,
  type ShownMap,
} from "./shown-map.js";
import { blankHeads, SmallHeadsLine } from "./small-heads.js";
import { attentionMapWords } from "./words.js";
import "../../controls/choice.js";
import "../shared/figure/frame.js";

export class AttentionMap extends MapFilesFigure<ShownMap> {
  static override properties = {
    ...MapFilesFigure.properties,
    weights: ofKind(mapNumbers),
    minus: ofKind(mapNumbers),
    tokens: ofKind(tokenTexts),
    keyTokens: ofKind(tokenTexts, undefined, "key-tokens"),
    scheme: ofKind(text),
    model: ofKind(text),
    against: ofKind(text),
    text: ofKind(text),
    length: ofKind(whole()),
    layer: ofKind(whole(), 0),
    head: ofKind(whole(), 0),
    show: ofKind(oneOf(mapParts), "weights"),
    models: ofKind(address),
    reduce: ofKind(oneOf(["max", "mean"]), "max"),
    log: ofKind(flag, false),
    hideFirst: ofKind(flag, false, "hide-first"),
    by: ofKind(oneOf(units), ""),
    small: { state: true },
  };

  /**
   * [T, S], [H, T, S], [L, H, T, S] or { data, shape }: given numbers, or JSON of them; or
   * functions that return the numbers in view. Null, NaN and minus infinity are masked cells.
   * @type {MapNumbers | MapsOnDemand | string | undefined}
   */
  declare weights: MapNumbers | MapsOnDemand | undefined;
  /**
   * Of the same shape: the map is then `weights − minus`.
   * @type {MapNumbers | string | undefined}
   */
  declare minus: MapNumbers | undefined;
  /**
   * Texts or ids of the rows as a list, JSON, or words with spaces between them; of the columns
   * too, unless `keyTokens` has those.
   * @type {GivenTokens | undefined}
   */
  declare tokens: readonly string[] | undefined;
  /**
   * Texts of the columns, if they differ from those of the rows.
   * @type {GivenTokens | undefined}
   */
  declare keyTokens: readonly string[] | undefined;
  /**
   * Address of a file of weights: JSON (as `weights`, or `{ weights, tokens }`), NPY, CSV or TSV.
   */
  declare src: string | undefined;
  /** Id of a scheme in an untrained layer that reads `text`. */
  declare scheme: string | undefined;
  /** Id of a trained model that reads `text`. */
  declare model: string | undefined;
  /** Another scheme or model, whose map is subtracted from the first one's. */
  declare against: string | undefined;
  /** The text; empty for the held-out text. */
  declare text: string | undefined;
  /** Number of tokens of the held-out text, if there is no text. */
  declare length: number | undefined;
  /** Layer of the trained model, from 0. */
  declare layer: number;
  /** Head, from 0. */
  declare head: number;
  /** `weights`, or of the scores their `sum`, `content` or `position`. */
  declare show: MapPart;
  /** Folder of the trained models and their tokenizer, relative to the document. */
  declare models: string | undefined;
  /** Maps of the same group show the same part and mark the same cell. */
  declare group: string | undefined;
  /** How several cells become one point: by the largest (`max`) or the `mean`. */
  declare reduce: Reduce;
  /** Colours cells by the logarithm. */
  declare log: boolean;
  /** Leaves out the first column. */
  declare hideFirst: boolean;
  /**
   * Whether rows and columns are words or tokens. Empty for words in a text that was typed, if some
   * word there has several tokens; given numbers are shown as they stand.
   */
  declare by: "" | "word" | "token";
  /** All heads of the layer from the engine; undefined until they have been computed. */
  declare small: SmallHeads | undefined;
  #line = new NewestWins("maps");
  #heads = new SmallHeadsLine();
  #labels = new Memo<Pick<FigureMap, "rowLabels" | "columnLabels">>();
  /** The maps on demand and the layer whose small maps were requested. */
  #smallOf: readonly [MapsOnDemand?, number?] = [];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#line.cancel();
    this.#heads.cancel();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("group")) this.link = linkOf(this.group ?? "");
    super.willUpdate(changed);
  }

  override get data() {
    const unit = this.#sides ? "word" : "token";
    return this.shown && { ...this.shown, small: this.small, unit };
  }

  protected override get origins() {
    return {
      numbers: ["weights"],
      asks: ["scheme", "model", "against", "text", "length", "models"],
      readsModels: true,
      hasFile: this.file !== undefined,
    };
  }

  protected get inputs(): unknown[] {
    const { weights, minus, tokens, keyTokens, src, file, scheme, model, against } = this;
    const given = [file, weights, minus, tokens, keyTokens, src];
    if (!file && isOnDemand(weights))
      return [...given, this.layer, this.head, this.reduce, this.hideFirst];
    if (file || weights || src) return given;
    const { text, length, layer, head, show, models } = this;
    const { language } = this.state;
    return [scheme, model, against, text, length, layer, head, show, models, language];
  }

  protected async read(signal: AbortSignal): Promise<ShownMap | undefined> {
    const { file, weights, src, tokens, keyTokens, minus } = this;
    if (file) return mapOfFile(file, { tokens: undefined, keyTokens: undefined });
    if (isOnDemand(weights)) return this.#readOnDemand(weights, signal);
    if (weights) return mapOfWeights({ weights, minus, tokens, keyTokens });
    if (src) return mapOfAddress(src, { tokens, keyTokens }, signal);
    const question = this.#question;
    const shown = await mapOfEngine(this.#line, question);
    if (shown)
      void this.#heads.ask(question, (small) => {
        this.small = small;
      });
    return shown;
  }

  async #askHeads(weights: MapsOnDemand, layer: number): Promise<void> {
    this.#smallOf = [weights, layer];
    this.small = undefined;
    // The request of the map reports the failure.
    const small = await headsOfLayer(weights, layer).catch(() => undefined);
    if (this.#smallOf[0] === weights && this.#smallOf[1] === layer) this.small = small;
  }

  /** Requests the head in view, and the small maps of its layer if those of another are shown. */
  async #readOnDemand(weights: MapsOnDemand, signal: AbortSignal): Promise<ShownMap> {
    const { tokens, keyTokens, layer, head, reduce, hideFirst } = this;
    const wanted = { layer, head, reduce, hideFirst };
    const [weightsBefore, layerBefore] = this.#smallOf;
    if (weightsBefore !== weights || layerBefore !== layer) void this.#askHeads(weights, layer);
    const shown = await mapOnDemand(weights, wanted, { tokens, keyTokens });
    shown.parts?.listen(() => this.requestUpdate(), signal);
    return shown;
  }

  get #question(): MapsQuestion {
    const { model, scheme, against, text, length = 0, layer, head, models } = this;
    const written = text ?? (length ? "" : this.shared.models.text);
    const ids = `${model ?? scheme ?? sightedScheme} ${against ?? ""}`;
    const { language } = this.state;
    const request = { text: written, layer, head, models, language, scheme: ids };
    return { ...mapsQuestion({ ...request, model: model && ids }, this.show), length };
  }

  /** Index of the map in view among the given maps, layer by layer. */
  get #mapShown(): number {
    const { heads, layers } = this.shown!;
    return Math.min(this.layer, layers - 1) * heads + Math.min(this.head, heads - 1);
  }

  /** Numbers of layers and heads to choose from. */
  get #counts(): { layer: number; head: number } {
    const { answer, counts, layers = 1, heads = 1 } = this.shown ?? {};
    return {
      layer: answer?.numLayers ?? counts?.layers ?? layers,
      head: answer?.numHeads ?? counts?.heads ?? heads,
    };
  }

  /** Shows all heads, of the given numbers or of the engine's layer, to choose one. */
  #headsGrid(shown: ShownMap) {
    const choose = (head: number) => this.applyChoice({ head });
    const { answer } = shown;
    const last = Math.min(this.head, this.#counts.head - 1);
    if (isOnDemand(this.weights) && shown.parts)
      return this.headsGrid(this.small ?? blanksOf(this.weights), last, choose);
    if (!answer) return this.headsGrid(this.givenLayer(shown, this.layer), last, choose);
    const small = this.small ?? blankHeads(answer);
    return this.headsGrid(small, last, choose);
  }

  /** The words of both sides, if some have several tokens and the map can be read by word. */
  get #words(): Sides | undefined {
    const { answer, parts, rowTokens, columnTokens } = this.shown ?? {};
    // Scores of tokens have no sum, and of numbers in parts only those in view are here.
    if (!rowTokens || !columnTokens || parts || (answer && this.show !== "weights"))
      return undefined;
    return (answer ? sidesOf : sidesShown)(rowTokens, columnTokens);
  }

  /** The words of both sides while the map is read by word. */
  get #sides(): Sides | undefined {
    const { by } = this;
    const isTyped = Boolean(this.shown?.answer?.text);
    return by === "word" || (by === "" && isTyped) ? this.#words : undefined;
  }

  #sourceOf(shown: ShownMap): MapSource {
    const at = this.#mapShown;
    const { hideFirst } = this;
    const { parts } = shown;
    if (parts) return this.sources.of("map", [parts], () => sourceOfParts(parts));
    const sides = this.#sides;
    return this.sources.of("map", [shown, at, hideFirst, sides?.rows, sides?.columns], () => {
      const source = headSource(shown, at, hideFirst);
      return sides ? sourceByWord(source, sides) : source;
    });
  }

  /** Returns the labels of the map as it is read. */
  #labelled({ rowLabels, columnLabels }: ShownMap) {
    const sides = this.#sides;
    const of = [rowLabels, columnLabels, sides?.rows, sides?.columns];
    return this.#labels.of(of, () =>
      sides
        ? { rowLabels: labelsOfWords(sides.rows), columnLabels: labelsOfWords(sides.columns) }
        : { rowLabels, columnLabels },
    );
  }

  #unitChoice() {
    if (!this.#words) return nothing;
    return unitChoice(this.say(unitWords), this.#sides !== undefined, this.#chooseUnit);
  }

  #chooseUnit = (by: Unit): void => {
    // The same indices are other cells then.
    this.link.set({ view: undefined, active: undefined, chosen: undefined });
    this.applyChoice({ by });
  };

  protected get maps(): readonly FigureMap[] {
    const { shown } = this;
    if (!shown) return [];
    const { title, minus } = shown;
    const source = this.#sourceOf(shown);
    const isAboutZero = minus !== undefined;
    return [{ id: "map", title, source, ...this.#labelled(shown), isAboutZero }];
  }

  protected get look() {
    return { reduce: this.reduce, log: this.log };
  }

  #caption(map: FigureMap): string {
    const { rowLabels, columnLabels } = map;
    const source = map.source!;
    const cell = this.cellIn(source);
    if (cell) return this.describe(map, cell.row, cell.column, valueIn(source, cell));
    const peak = this.extents.get(map.id)?.peak;
    if (!peak) return "";
    const { row, column } = peak;
    const texts = [rowLabels[row]!, columnLabels[column]!] as const;
    return this.zoom.peak(row + 1, texts[0], column + 1, texts[1], this.peakOf(map));
  }

  #controls() {
    const { log, hideFirst, reduce, shown } = this;
    const look = { log, hideFirst, reduce };
    const isSigned = Boolean(shown?.minus) || this.isSigned;
    return html`${this.layerChoice(this.layer, this.#counts.layer)}
    ${lookControls(look, this.zoom, isSigned, (change) => this.applyChoice({ ...change }))}
    ${this.#unitChoice()} ${this.openLine()}`;
  }

  #title(): string {
    const words = this.say(attentionMapWords);
    const { shown, against } = this;
    if (shown?.title) return words.titleGiven(shown.title);
    const { schemes } = shown?.answer ?? {};
    return against && schemes ? words.titleAgainst(schemes[0]!, against) : words.title;
  }

  #takeaway({ source, rowLabels, columnLabels }: FigureMap, title: string) {
    const { answer } = this.shown!;
    return {
      at: "attention-map",
      title,
      code: answer ? mapsCode(answer, this.#sides !== undefined) : givenMapCode(),
      table: () => [],
      csv: () => mapAsCsv(source!, rowLabels, columnLabels),
      scene: () => this.renderRoot.querySelector<MapView>("wf-map-view"),
    };
  }

  /** Returns the name of the scale; given numbers have a general one unless they can be shares. */
  #scaleName(): string {
    const { scales, given } = this.zoom;
    const { shown } = this;
    if (!shown || shown.answer) return scales[this.show];
    return shown.areShares ? scales.weights : given;
  }

  #beyond(): string {
    const { layer, head } = this.#counts;
    return this.beyond("layer", this.layer, layer) + this.beyond("head", this.head, head);
  }

  #note(shown: ShownMap): string {
    const words = this.say(attentionMapWords);
    const shortened = shown.answer?.isShortened ? words.shortened(longestLab) : "";
    const said = words.source[shown.by](this.#schemeName()) + shortened + this.#beyond();
    return this.#sides ? said + this.words.join.sentences + this.say(unitWords).note : said;
  }

  #schemeName(): string {
    const [id] = this.shown?.answer?.schemes ?? [];
    return id ? nameOfScheme(id, this.state.language) : "";
  }

  protected override render() {
    const words = this.say(attentionMapWords);
    const { shown, zoom } = this;
    const [map] = this.maps;
    const title = this.#title();
    return this.framed({
      name: words.name,
      title,
      caption: map ? this.#caption(map) : "",
      note: shown ? this.#note(shown) : "",
      caveat: words.caveat,
      isQuiet: true,
      takeaway: map && this.extents.size ? this.#takeaway(map, title) : undefined,
      inside: map ? html`${this.#headsGrid(shown!)}${this.mapView(map, words.name)}` : nothing,
      around: html`${this.scales(this.#scaleName(), zoom.difference)}
        <span slot="legend" class="query">${this.words.scale.query}</span>
        <span slot="legend" class="key">${this.words.scale.key}</span>
        ${this.#controls()}`,
    });
  }
}

define("wf-attention-map", AttentionMap);

/**
 * `<wf-heads>`: all heads of a model as small maps, and as dots by two measures, of a trained model
 * or of given numbers.
 */
import { html } from "lit";
import type { GivenMeasures, MapNumbers } from "whereformer/elements";
import { yieldToEvents } from "whereformer/yield";
import type { CellEventDetail } from "../../../controls/scene-view.js";
import { sightedScheme } from "../../../defaults.js";
import { define } from "../../../define.js";
import type { Cell } from "../../../drawing/scene.js";
import { NewestWins } from "../../../engine/page/newest-wins.js";
import { plain } from "../../../text/numbers.js";
import { DataFigure, type PickedCell, rowByName } from "../../shared/data/data-figure.js";
import { fetchData, nameOfAddress } from "../../shared/data/data-source.js";
import { type Numbers, numbersOf } from "../../shared/data/numbers.js";
import { readMapFile } from "../../shared/data/opened-file.js";
import {
  address,
  headMeasures,
  mapNumbers,
  ofKind,
  text,
  whole,
} from "../../shared/given/kinds.js";
import {
  dotOrder,
  drawHeadsAndDots,
  headAt,
  layerAxis,
} from "../../shared/pictures/heads-and-dots.js";
import type { ShownHeads } from "../../shared/pictures/shown-heads.js";
import { askMaps, mapsQuestion } from "../../shared/trained/maps-request.js";
import { givenHeadsCode, headsCode } from "./code.js";
import { givenHeads } from "./given.js";
import { measuresOfMaps } from "./measures.js";
import { type HeadsWords, headsWords } from "./words.js";
import "../../../controls/choice.js";
import "../../shared/figure/frame.js";

async function headsOfMaps(maps: Numbers): Promise<ShownHeads> {
  const { layers, heads } = maps;
  return { layers, heads, measures: await measuresOfMaps(maps), maps };
}

export class Heads extends DataFigure<ShownHeads> {
  static override properties = {
    ...DataFigure.properties,
    measures: ofKind(headMeasures),
    weights: ofKind(mapNumbers),
    model: ofKind(text, sightedScheme),
    text: ofKind(text),
    models: ofKind(address),
    layer: ofKind(whole()),
    head: ofKind(whole()),
    x: ofKind(text, "previous"),
    y: ofKind(text, "entropy"),
    pointed: { state: true },
  };

  /**
   * Numbers of one's own by name, one for each head of each layer: lists of layers, a list with a
   * number for each layer, or { data, shape }; null is a gap. Also the `measures` of a result of
   * `model.heads`. Nothing else is then computed.
   */
  declare measures: GivenMeasures | undefined;
  /**
   * Attention weights of all heads, [L, H, T, S]: drawn small, and measured if there are no
   * `measures`.
   * @type {MapNumbers | string | undefined}
   */
  declare weights: MapNumbers | undefined;
  /** Address of a file of weights: JSON (as `weights`), NPY, CSV or TSV. */
  declare src: string | undefined;
  /** Id of a trained model that reads `text`. */
  declare model: string;
  /** The text; empty for the default of the language. */
  declare text: string | undefined;
  /** Folder of the trained models and their tokenizer, relative to the document. */
  declare models: string | undefined;
  /** Layer of the chosen head, from 0; undefined if none is chosen. */
  declare layer: number | undefined;
  /** The chosen head, from 0; undefined if none is chosen. */
  declare head: number | undefined;
  /**
   * The measure across: `previous`, `self`, `first`, `entropy`, `distance`, a name of `measures`,
   * or `layer`.
   */
  declare x: string;
  /** The measure upwards, and the colour of a head without a small map. */
  declare y: string;
  /** The head under the pointer. */
  declare pointed: Cell | undefined;
  #line = new NewestWins("maps");

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#line.cancel();
  }

  protected override get origins() {
    return {
      numbers: ["measures", "weights"],
      asks: ["model", "text", "models"],
      readsModels: true,
    };
  }

  protected get inputs() {
    const { measures, weights, src, model, text, models } = this;
    if (measures || weights || src) return [measures, weights, src];
    return [model, text, models, this.state.language];
  }

  protected async read(signal: AbortSignal): Promise<ShownHeads | undefined> {
    const { measures, weights, src } = this;
    const maps = weights && (await numbersOf(weights, 0, yieldToEvents));
    if (measures) return { ...givenHeads(measures), maps };
    if (maps) return headsOfMaps(maps);
    if (!src) return this.#readModel();
    return headsOfMaps(await readMapFile(await fetchData(src, signal), nameOfAddress(src)));
  }

  /** Requests the maps of all heads, one after the other. */
  async #readModel(): Promise<ShownHeads | undefined> {
    const { model, models } = this;
    const { language } = this.state;
    const text = this.text || this.shared.models.text;
    const ask = (layer: number, head: number) => {
      const request = { scheme: "", model, text, layer, head, models, language };
      return askMaps(this.#line, mapsQuestion(request, "weights"));
    };
    const answer = await ask(0, 0);
    if (!answer) return undefined;
    const { numLayers: layers, numHeads: heads, tokens } = answer;
    const values = new Float32Array(layers * heads * tokens.length ** 2);
    for (let at = 0; at < layers * heads; at++) {
      const found = at ? await ask(Math.floor(at / heads), at % heads) : answer;
      if (!found) return undefined;
      values.set(found.maps[0]!.values!, at * tokens.length ** 2);
    }
    const maps = { layers, heads, rows: tokens.length, columns: tokens.length, values };
    return { ...(await headsOfMaps(maps)), answer };
  }

  /** The measures on the axes: the wanted ones, else the first that there are. */
  #axes({ measures }: ShownHeads): { x: string; y: string } {
    const names = Object.keys(measures);
    const isKnown = names.includes(this.x) || this.x === layerAxis;
    const first = names.length > 1 ? names.find((name) => name !== this.y)! : layerAxis;
    const x = isKnown ? this.x : first;
    const y = names.includes(this.y) ? this.y : (names.find((name) => name !== x) ?? names[0]!);
    return { x, y };
  }

  get #chosen(): Cell | undefined {
    const { layer, head, shown } = this;
    if (!shown || (layer === undefined && head === undefined)) return undefined;
    const last = (count: number, wanted = 0) => Math.min(wanted, count - 1);
    return { row: last(shown.layers, layer), column: last(shown.heads, head) };
  }

  #nameOf(words: HeadsWords, { row, column }: Cell, heads: number): string {
    return words.head(row + 1, column + 1, heads);
  }

  #caption(shown: ShownHeads, y: string): string {
    const words = this.say(headsWords);
    const { measures, heads } = shown;
    const cell = this.pointed ?? this.#chosen;
    const named = (name: string) => words.measures[name] ?? name;
    if (cell) {
      const at = cell.row * heads + cell.column;
      const values = Object.entries(measures).map(([name, list]) =>
        words.value(named(name), list[at]!),
      );
      return words.told(this.#nameOf(words, cell, heads), values.join(this.words.join.items));
    }
    const list = measures[y]!;
    const best = list.indexOf(Math.max(...list.filter((value) => !Number.isNaN(value))));
    if (best < 0) return "";
    return words.highest(named(y), this.#nameOf(words, headAt(best, heads), heads), list[best]!);
  }

  #note({ answer, measures, layers, heads }: ShownHeads): string {
    const words = this.say(headsWords);
    const { x, y, layer = 0, head = 0 } = this;
    const names = Object.keys(measures);
    const unknown = [x, y].find(
      (name, at) =>
        this.given.has(at ? "y" : "x") && !names.includes(name) && (at > 0 || name !== layerAxis),
    );
    return [
      answer
        ? words.noteModel(this.schemeName(answer.schemes[0]!), answer.tokens.length)
        : this.measures
          ? this.dataWords.given
          : words.noteWeights,
      unknown === undefined ? "" : words.unknown(unknown, names.join(this.words.join.items)),
      this.beyond("layer", layer, layers),
      this.beyond("head", head, heads),
    ].join("");
  }

  /** A row for each head; a gap is empty. */
  #table({ measures, layers, heads }: ShownHeads): (string | number)[][] {
    const lists = Object.entries(measures);
    const rows = Array.from({ length: layers * heads }, (_, at) => {
      const { row, column } = headAt(at, heads);
      return [row, column, ...lists.map(([, list]) => (Number.isNaN(list[at]!) ? "" : list[at]!))];
    });
    return [["layer", "head", ...lists.map(([name]) => name)], ...rows];
  }

  /** The head of a cell of either part of the picture. */
  #headOf({ grid, row, column }: PickedCell): Cell | undefined {
    const { shown } = this;
    if (!shown) return undefined;
    if (grid === "heads") {
      const { rows = 1, columns = 1 } =
        this.scene()?.picture?.grids.find(({ id }) => id === grid) ?? {};
      const parts = rows / shown.layers;
      const head = (row % parts) * columns + column;
      return head < shown.heads ? { row: Math.floor(row / parts), column: head } : undefined;
    }
    const { x, y } = this.#axes(shown);
    const at = dotOrder(shown, x, y)[column];
    return at === undefined ? undefined : headAt(at, shown.heads);
  }

  protected picked(cell: PickedCell) {
    const head = this.#headOf(cell);
    const { shown } = this;
    return head && shown && rowByName(this.#table(shown), head.row * shown.heads + head.column);
  }

  #onCell = ({ detail }: CustomEvent<CellEventDetail>): void => {
    const head = this.#headOf(detail);
    this.pointed = detail.chosen ? undefined : head;
    if (detail.chosen && head) this.applyChoice({ layer: head.row, head: head.column });
  };

  #leave = (): void => {
    this.pointed = undefined;
  };

  /** Returns a choice of the measure on an axis. */
  #choice(name: "x" | "y", label: string, value: string, names: readonly string[]) {
    const { short } = this.say(headsWords);
    const choose = ({ detail }: CustomEvent<string>) => this.applyChoice({ [name]: detail });
    return html`<wf-choice
      slot="controls"
      class=${name}
      .label=${label}
      .value=${value}
      .options=${names.map((id) => ({ value: id, text: short[id] ?? id }))}
      @wf-change=${choose}
    ></wf-choice>`;
  }

  #controls(shown: ShownHeads, x: string, y: string) {
    const words = this.say(headsWords);
    const names = Object.keys(shown.measures);
    if (names.length < 2) return "";
    return html`${this.#choice("x", words.across, x, [layerAxis, ...names])}
    ${this.#choice("y", words.up, y, names)}`;
  }

  #picture(shown: ShownHeads, x: string, y: string, label: string) {
    return html`<wf-scene
      .label=${label}
      .hint=${this.words.keys}
      .draw=${drawHeadsAndDots({ shown, x, y, words: this.say(headsWords) })}
      .active=${this.pointed ?? this.#chosen}
      @wf-cell=${this.#onCell}
      @wf-leave=${this.#leave}
    ></wf-scene>`;
  }

  protected override render() {
    const words = this.say(headsWords);
    const { shown } = this;
    if (!shown)
      return this.framed({
        name: words.name,
        title: words.name,
        caption: "",
        caveat: words.caveat,
        inside: "",
      });
    const { x, y } = this.#axes(shown);
    const { layers, heads } = shown;
    const title = words.title(layers, heads);
    const names = Object.keys(shown.measures);
    return this.framed({
      name: words.name,
      title,
      caption: this.#caption(shown, y),
      isQuiet: true,
      note: this.#note(shown),
      caveat: this.measures ? words.caveatGiven : words.caveat,
      inside: this.#picture(shown, x, y, `${words.name}. ${title}`),
      around: this.#controls(shown, x, y),
      takeaway: {
        at: "heads",
        title,
        code: shown.answer ? headsCode(shown.answer) : givenHeadsCode(),
        table: () => this.#table(shown),
        scene: () => this.scene(),
      },
      table: {
        label: this.dataWords.table,
        columns: [...words.columns, ...names.map((name) => words.measures[name] ?? name)],
        rows: this.#table(shown)
          .slice(1)
          .map(([layer, head, ...values]) => [
            String(Number(layer) + 1),
            String(Number(head) + 1),
            ...values.map((value) => (typeof value === "number" ? plain(value) : "–")),
          ]),
      },
    });
  }
}

define("wf-heads", Heads);

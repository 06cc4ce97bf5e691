/** `<wf-chooser>`: questions about a planned model, and the recommended schemes with reasons. */
import { html, nothing } from "lit";
import { costSizes, modelsFolder } from "../../defaults.js";
import { define } from "../../define.js";
import type { CatalogueRow } from "../../engine/both/catalogue-messages.js";
import { engine } from "../../engine/page/client.js";
import { type ExtensionResults, fetchExtension } from "../../engine/page/extension-results.js";
import { readImage } from "../../engine/page/image-results.js";
import { type LengthResults, readResults } from "../../engine/page/length-results.js";
import { folderAddress, readIndex } from "../../engine/page/models-index.js";
import { page } from "../../state.js";
import { costShare, grouped } from "../../text/numbers.js";
import { schemeWords, shortTitle, wordsOf } from "../../text/schemes.js";
import { belowStyles } from "../shared/figure/below-styles.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { linkedName } from "../shared/figure/page-link.js";
import { ofState } from "../shared/figure/state-properties.js";
import { address, ofKind } from "../shared/given/kinds.js";
import {
  type Cell,
  type Order,
  sortedTable,
  sortedTableStyles,
} from "../shared/tables/sorted-table.js";
import { numberTable } from "../shared/tables/table-styles.js";
import { chooserCode } from "./code.js";
import { drawRanges, type RangeRow } from "./picture.js";
import {
  type Answers,
  answersIn,
  budgets,
  counts,
  isGrid,
  lengthsOf,
  type Question,
  questions,
} from "./questions.js";
import { fitting, followsFrom, type Known, type Line, measuredMultiple } from "./rules.js";
import { chooserStyles } from "./styles.js";
import { chooserWords } from "./words.js";
import "../../controls/choice.js";
import "../../controls/scene-view.js";
import "../../controls/slider.js";
import "../shared/figure/frame.js";

interface Files {
  lengths: LengthResults | undefined;
  extension: ExtensionResults | undefined;
  images: ReadonlyMap<string, number> | undefined;
}

export class Chooser extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    what: ofState("chosen", 0),
    sees: ofState("chosen", 1),
    trained: ofState("chosen", 2),
    read: ofState("chosen", 3),
    cache: ofState("chosen", 4),
    start: ofState("chosen", 5),
    models: ofKind(address),
    rows: { state: true },
    files: { state: true },
    order: { state: true },
  };

  static override styles = [
    ...figureStyles,
    numberTable,
    sortedTableStyles,
    belowStyles,
    chooserStyles,
  ];

  /** Answer to “text or grid?”: 0 or 1. */
  declare what: number;
  /** Answer to “causal or not?”: 0 or 1. */
  declare sees: number;
  /** Index of the trained length, from 0: 512 tokens, and up to 131,072. */
  declare trained: number;
  /** Index of the length that it reads later, from 0. */
  declare read: number;
  /** Bytes of the cache for a token and layer: 0 for any, then 4,096, 2,048, 1,024 or 512. */
  declare cache: number;
  /** The existing model: 0 for none, or a checkpoint by its kind, from 1 to 4. */
  declare start: number;
  /** Folder of the models and the results, relative to the document. */
  declare models: string | undefined;
  declare rows: readonly CatalogueRow[] | undefined;
  declare files: Files | undefined;
  declare order: Order;
  #isAsking = false;

  constructor() {
    super();
    // Schemes that fit come first.
    this.order = { column: 1, isDown: true };
  }

  get data() {
    if (!this.rows || !this.files) return undefined;
    const answers = this.#answers;
    const fits = fitting(answers, this.rows).map(({ scheme }) => scheme);
    return { answers, fits, lines: this.#lines(), rows: this.rows };
  }

  protected stateChanged(): void {
    this.fetchNames();
    void this.#ask();
  }

  get #answers(): Answers {
    return answersIn(this.state.chosen);
  }

  /** Length of the longer test in the chart, in training lengths. */
  get #multiple(): number {
    const { lengths } = this.files ?? {};
    return lengths ? measuredMultiple(this.#answers, lengths) : 1;
  }

  async #ask(): Promise<void> {
    if (this.#isAsking || (this.rows && this.files)) return;
    this.#isAsking = true;
    await this.attempt(async () => {
      const [rows, files] = await Promise.all([engine.ask("catalogue", {}), this.#fetchFiles()]);
      this.rows = rows;
      this.files = files;
    });
    this.#isAsking = false;
  }

  async #fetchFiles(): Promise<Files> {
    const folder = folderAddress(this.models ?? modelsFolder);
    const { experiments } = await readIndex(folder);
    const get = async <T>(name: string, read: (file: never) => T): Promise<T | undefined> => {
      if (!experiments.includes(name)) return undefined;
      const response = await fetch(new URL(`${name}.json`, folder));
      return read((await response.json()) as never);
    };
    const [lengths, extension, images] = await Promise.all([
      get("length", readResults),
      fetchExtension(folder),
      get("image", readImage),
    ]);
    return { lengths, extension, images };
  }

  #name = (scheme: string): string => shortTitle(wordsOf(schemeWords(this.state.language), scheme));

  get #known(): Known {
    const { language } = this.state;
    return { rows: this.rows!, ...this.files!, language, nameOf: this.#name };
  }

  #lines(): Line[] {
    return followsFrom(this.#answers, this.#known, this.say(chooserWords));
  }

  /**
   * Losses of the schemes that fit, the best in the longer test first; empty if none was measured.
   */
  #ranges(): RangeRow[] {
    const { what, sees, start } = this.#answers;
    if (what || sees || start || !this.rows) return [];
    const { lengths } = this.files ?? {};
    const column = lengths?.multiples.indexOf(this.#multiple) ?? -1;
    const rows = fitting(this.#answers, this.rows).flatMap(({ scheme }) => {
      const curve = lengths?.curves.get(scheme)?.[this.state.language];
      const first = curve?.[0]?.mean;
      if (first === undefined) return [];
      return [{ name: this.#name(scheme), first, far: curve![column]?.mean }];
    });
    return rows.sort((a, b) => (a.far ?? Infinity) - (b.far ?? Infinity));
  }

  // -------------------------------------------------------------------------- parts

  #cells(): Cell[][] {
    const words = this.say(chooserWords);
    const rows = this.rows!;
    const fits = new Set(fitting(this.#answers, rows));
    const flag = (value: boolean): Cell => ({
      text: value ? words.yes : words.no,
      value: Number(value),
    });
    const bits = (value: number | undefined): Cell => ({
      text: value?.toFixed(2) ?? words.unknown,
      value,
    });
    return rows.map((row) => {
      const name = this.#name(row.scheme);
      const curve = this.files?.lengths?.curves.get(row.scheme)?.[this.state.language];
      const cache = row.decodes ? row.cacheBytes : undefined;
      return [
        { text: linkedName(row.scheme, this.shared, name), value: name },
        flag(fits.has(row)),
        { text: grouped(row.parameters), value: row.parameters },
        { text: row.share ? costShare(row.share) : "0", value: row.share },
        { text: cache === undefined ? words.unknown : grouped(cache), value: cache },
        flag(row.isShiftInvariant),
        flag(!row.ends),
        flag(row.decodes),
        bits(curve?.[0]?.mean),
        bits(curve?.at(-1)?.mean),
      ];
    });
  }

  #choice(question: Question, index: number) {
    const words = this.say(chooserWords);
    const { [question]: value } = this.#answers;
    const chosen = questions.map((one) => this.#answers[one]);
    const set = ({ detail }: CustomEvent<string | number>) =>
      this.change({ chosen: chosen.with(index, Number(detail)) });
    if (question === "trained" || question === "read") {
      const length = lengthsOf(this.#answers)[question];
      return html`<wf-slider
        class=${question}
        .label=${words.questions[question]}
        .value=${value}
        .max=${counts[question] - 1}
        .text=${isGrid(this.#answers) ? words.side(length) : words.tokens(length)}
        @wf-change=${set}
      ></wf-slider>`;
    }
    const texts = question === "cache" ? budgets.map(words.budget) : words.answers[question];
    const options = texts.map((text, at) => ({ value: String(at), text }));
    return html`<wf-choice
      class=${question}
      .label=${words.questions[question]}
      .value=${String(value)}
      .options=${options}
      @wf-change=${set}
    ></wf-choice>`;
  }

  #line({ text, source }: Line) {
    const [said, href] = this.say(chooserWords).sources[source];
    const hasPosition = href && page.ownsAddress;
    const link = hasPosition ? html`<a href=${href}>${said}</a>` : said;
    return html`<li>${text} <small>${link}</small></li>`;
  }

  #rows(): (string | number)[][] {
    return [
      ["scheme", "fits", "parameters", "extra_share", "cache_bytes", "shift_invariant", "ends"],
      ...this.rows!.map((row) => [
        row.scheme,
        this.data!.fits.includes(row.scheme) ? 1 : 0,
        row.parameters,
        row.share,
        row.decodes ? row.cacheBytes : "",
        row.isShiftInvariant ? 1 : 0,
        row.ends ? 1 : 0,
      ]),
    ];
  }

  protected override render() {
    const words = this.say(chooserWords);
    const { data } = this;
    const { tokens, numHeads, headDim, numLayers } = costSizes;
    const title = data
      ? data.answers.start
        ? words.titleKeep
        : words.title(data.fits.length, data.rows.length)
      : words.name;
    const ranges = this.#ranges();
    const takeaway = data && {
      at: "choose",
      title,
      code: chooserCode(),
      table: () => this.#rows(),
      scene: () => this.scene(),
    };
    const sort = (order: Order) => {
      this.order = order;
    };
    return html`<wf-frame
      .name=${words.name}
      .heading=${title}
      .waiting=${data ? "" : this.words.waiting}
      .note=${words.note(tokens, numHeads, headDim, numLayers)}
      .caveat=${words.caveat}
      .failure=${this.failure}
      .takeaway=${takeaway}
      @wf-again=${() => this.#ask()}
    >
      <div slot="ask">${questions.map((question, index) => this.#choice(question, index))}</div>
      <ol aria-live="polite"
        >${data?.lines.map((line) => this.#line(line))}</ol
      >
      <wf-scene
        .label=${words.gridLabel}
        .hint=${this.words.keys}
        .draw=${ranges.length ? drawRanges(ranges, words, this.#multiple) : undefined}
        class=${ranges.length ? "" : "to-come"}
      ></wf-scene>
      ${data && !ranges.length ? html`<p class="hint">${words.unmeasured}</p>` : nothing}
      <div slot="options" class="below">
        ${data ? sortedTable(this.#cells(), this.order, words, sort) : nothing}
      </div>
    </wf-frame>`;
  }
}

define("wf-chooser", Chooser);

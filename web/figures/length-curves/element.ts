/**
 * `<wf-length-curves>`: "train short, test long" for every scheme, measured in advance; hidden
 * until the reader opens it.
 */
import { html, nothing } from "lit";
import { lengthSchemes, maxCurves, maxTrained, modelsFolder } from "../../defaults.js";
import { define } from "../../define.js";
import { looksOf } from "../../drawing/family-colours.js";
import { bestAtEnd, type LengthResults, readResults } from "../../engine/page/length-results.js";
import { folderAddress, readIndex } from "../../engine/page/models-index.js";
import { schemeWords, shortTitle, wordsOf } from "../../text/schemes.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { ofState } from "../shared/figure/state-properties.js";
import { address, ofKind } from "../shared/given/kinds.js";
import { numberTable } from "../shared/tables/table-styles.js";
import { curvesCode } from "./code.js";
import { type CurvesChart, drawCurves } from "./picture.js";
import { curvesStyles } from "./styles.js";
import { languages, rowsOf, tableOf } from "./table.js";
import { curvesWords } from "./words.js";
import "../../controls/scene-view.js";
import "../../controls/several.js";
import "../shared/figure/frame.js";

/** Tag of the figure in which the reader trains, if the page has it. */
const trainer = "wf-train-short";

export class LengthCurves extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    schemes: ofState("curveSchemes"),
    models: ofKind(address),
    results: { state: true },
    isMissing: { state: true },
  };

  static override styles = [...figureStyles, numberTable, curvesStyles];

  /** Ids of the schemes whose curves are shown; empty while they are hidden. */
  declare schemes: string;
  /** Folder of the models and the results, relative to the document. */
  declare models: string | undefined;
  declare results: LengthResults | undefined;
  /** True if the folder has no results. */
  declare isMissing: boolean;

  #asked = false;

  constructor() {
    super();
    this.isMissing = false;
  }

  get data() {
    const { results } = this;
    if (!results) return this.isMissing ? { isMissing: true } : undefined;
    const curves = Object.fromEntries(results.curves);
    return { chosen: this.#chosen, named: this.#named(results), curves };
  }

  /** The curves are hidden until the reader has made a guess or opened them. */
  protected override get isFilled(): boolean {
    return true;
  }

  protected stateChanged(): void {
    this.fetchNames();
    if (this.#isShown) void this.#fetch();
  }

  get #isShown(): boolean {
    return this.state.curveSchemes !== "";
  }

  get #folder(): string {
    return folderAddress(this.models ?? modelsFolder);
  }

  #code({ multiples, length, command }: LengthResults): string {
    const lengths = multiples.map((multiple) => multiple * length);
    return curvesCode(this.#folder, this.#chosen, lengths, command);
  }

  /** Runs when the curves are first shown, so that a reader who only guesses downloads nothing. */
  async #fetch(): Promise<void> {
    if (this.#asked) return;
    this.#asked = true;
    await this.attempt(async () => {
      const folder = this.#folder;
      const { experiments } = await readIndex(folder);
      if (!experiments.includes("length")) {
        this.isMissing = true;
        return;
      }
      const response = await fetch(new URL("length.json", folder));
      this.results = readResults(await response.json());
    });
    this.#asked = this.failure === undefined;
  }

  #name(scheme: string): string {
    return shortTitle(wordsOf(schemeWords(this.state.language), scheme));
  }

  /** Schemes in the address that were measured. */
  get #chosen(): string[] {
    const known = [...(this.results?.curves.keys() ?? [])];
    const written = this.state.curveSchemes.split(".");
    const chosen = known.filter((id) => written.includes(id)).slice(0, maxCurves);
    return chosen.length ? chosen : known.slice(0, 1);
  }

  /** The chosen schemes, and those in the heading. */
  #named(results: LengthResults): string[] {
    const best = languages.flatMap((language) => bestAtEnd(results, language)?.scheme ?? []);
    return [...new Set([...this.#chosen, ...best])];
  }

  /** Shows the schemes of the figure above. */
  #show(): void {
    this.change({ curveSchemes: this.state.lengthSchemes || lengthSchemes.join(".") });
  }

  /** Sets these schemes in the figure that trains, and scrolls to it. */
  #reproduce(figure: Element): void {
    (figure as Element & { schemes: string }).schemes = this.#chosen.slice(0, maxTrained).join(".");
    figure.scrollIntoView();
  }

  // -------------------------------------------------------------------------- words

  #heading(): string {
    const words = this.say(curvesWords);
    const { results } = this;
    if (!results || !this.#isShown) return words.question;
    const [en, zh] = languages.map((language) => bestAtEnd(results, language));
    if (!en || !zh) return words.question;
    return words.finding(results.multiples.at(-1)!, this.#name(en.scheme), this.#name(zh.scheme));
  }

  /**
   * Returns the caption: the rise of each named curve from the training length to its end, or where
   * it ends early.
   */
  #caption(results: LengthResults): string {
    const { curves, multiples, length } = results;
    const named = this.#named(results);
    const words = this.say(curvesWords);
    const lengths = this.shared.lengths;
    const joiner = this.words.join.items;
    const lists = languages.flatMap((language) => {
      const changes = named.flatMap((scheme) => {
        const curve = curves.get(scheme)![language];
        const [first, far] = [curve[0], curve.at(-1)];
        return first && far ? [lengths.change(this.#name(scheme), far.mean - first.mean)] : [];
      });
      return changes.length ? [words.changesOn[language] + changes.join(joiner)] : [];
    });
    const list = lists.join(this.words.join.parts);
    const changed = list ? words.changes(length, multiples.at(-1)! * length, list) : "";
    const ends = named.flatMap((scheme) => {
      const column = curves.get(scheme)!.en.indexOf(undefined);
      return column < 0 ? [] : [words.ends(this.#name(scheme), multiples[column]! * length)];
    });
    return [changed, ...ends].join("");
  }

  #cell(chart: CurvesChart, row: number, column: number, results: LengthResults): string {
    const words = this.say(curvesWords);
    const name = this.#name(this.#named(results)[row]!);
    const at = results.multiples[column]! * results.length;
    const found = chart.named[row]![column];
    return found ? words.cell(name, at, found) : words.cellUndefined(name, at);
  }

  // -------------------------------------------------------------------------- parts

  #renderBelow(results: LengthResults) {
    const words = this.say(curvesWords);
    const figure = document.querySelector(trainer);
    const chosen = this.#chosen;
    const choose = ({ detail }: CustomEvent<string[]>) =>
      this.change({ curveSchemes: detail.join(".") });
    return html`<div slot="options" class="below">
      <wf-several
        .label=${this.shared.lengths.schemes}
        .min=${1}
        .max=${maxCurves}
        .values=${chosen}
        .options=${[...results.curves.keys()].map((id) => ({ value: id, text: this.#name(id) }))}
        @wf-change=${choose}
      ></wf-several>
      ${
        figure && chosen.length > 1
          ? html`<button class="reproduce" @click=${() => this.#reproduce(figure)}>
              ${words.reproduce}
            </button>`
          : nothing
      }
      ${tableOf(results, { words, lengths: this.shared.lengths }, (id) => this.#name(id))}
    </div>`;
  }

  #renderPicture(results: LengthResults | undefined, caption: string) {
    const words = this.say(curvesWords);
    if (this.isMissing) return html`<div class="hidden"><p>${words.missing}</p></div>`;
    if (!this.#isShown)
      return html`<div class="hidden">
        <p>${words.hidden}</p>
        <button class="show" @click=${this.#show}>${words.show}</button>
      </div>`;
    if (!results) return nothing;
    const named = this.#named(results);
    const charts = languages.map((language): CurvesChart => {
      const others = [...results.curves].filter(([id]) => !named.includes(id));
      return {
        id: language,
        title: words.titles[language],
        named: named.map((id) => results.curves.get(id)![language]),
        others: others.map(([, curve]) => curve[language]),
      };
    });
    const draw = drawCurves({
      charts,
      names: named.map((id) => this.#name(id)),
      looks: looksOf(named),
      length: results.length,
      multiples: results.multiples,
      words: { ...words, trained: this.shared.lengths.trained },
      notDefined: this.shared.lengths.notDefined,
      describe: (chart, row, column) => this.#cell(chart, row, column, results),
    });
    return html`<wf-scene
      .label=${`${words.name}. ${caption}`}
      .hint=${this.words.keys}
      .draw=${draw}
    ></wf-scene>`;
  }

  protected override render() {
    const words = this.say(curvesWords);
    const results = this.#isShown ? this.results : undefined;
    const caption = results ? this.#caption(results) : "";
    const isWaiting = this.#isShown && !results && !this.isMissing;
    const takeaway = results && {
      at: "curves",
      title: this.#heading(),
      code: this.#code(results),
      table: () => rowsOf(results),
      scene: () => this.scene(),
    };
    return html`<wf-frame
      .name=${words.name}
      .heading=${this.#heading()}
      .caption=${caption}
      .waiting=${isWaiting ? this.words.waiting : ""}
      .note=${results ? words.note(results) : ""}
      .caveat=${results ? words.caveat : ""}
      .failure=${this.failure}
      .takeaway=${takeaway}
      @wf-again=${() => this.#fetch()}
    >
      ${this.#renderPicture(results, caption)} ${results ? this.#renderBelow(results) : nothing}
    </wf-frame>`;
  }
}

define("wf-length-curves", LengthCurves);

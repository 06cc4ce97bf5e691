/**
 * `<wf-longer-reading>`: the trained rotary model on texts longer than in training, with every
 * method: measured in advance, and computed in this tab on request.
 */
import { html, nothing } from "lit";
import { progressBar } from "../../controls/shared-styles.js";
import {
  type Language,
  longerMethods,
  longerMultiples,
  maxCurves,
  modelsFolder,
  type StretchMethod,
} from "../../defaults.js";
import { define } from "../../define.js";
import { EngineClient } from "../../engine/page/client.js";
import {
  type ExtensionResults,
  fetchExtension,
  type LongerScore,
} from "../../engine/page/extension-results.js";
import { folderAddress } from "../../engine/page/models-index.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { belowStyles } from "../shared/figure/below-styles.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { ofState } from "../shared/figure/state-properties.js";
import { address, ofKind } from "../shared/given/kinds.js";
import { foldedTable } from "../shared/tables/plain-table.js";
import { numberTable } from "../shared/tables/table-styles.js";
import { captionOf, type ShownScore } from "./caption.js";
import { longerCode } from "./code.js";
import type { LongerAnswer } from "./messages.js";
import { drawLonger } from "./picture.js";
import { longerWords } from "./words.js";
import "../../controls/choice.js";
import "../../controls/scene-view.js";
import "../../controls/several.js";
import "../shared/figure/frame.js";

interface Progress {
  done: number;
  total: number;
}

export class LongerReading extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    methods: ofState("longerMethods"),
    multiple: ofState("longerMultiple"),
    textLanguage: ofState("longerText", undefined, "text-language"),
    models: ofKind(address),
    results: { state: true },
    isMissing: { state: true },
    answer: { state: true },
    progress: { state: true },
    showsHere: { state: true },
  };

  static override styles = [...figureStyles, numberTable, progressBar, belowStyles];

  /** Ids of the methods side by side; empty for the defaults. */
  declare methods: string;
  /** Length of the text as a multiple of the trained length. */
  declare multiple: string;
  /** Language of the held-out text; empty for that of the figure. */
  declare textLanguage: "" | "en" | "zh";
  /** Folder of the models and the results, relative to the document. */
  declare models: string | undefined;
  declare results: ExtensionResults | undefined;
  /** True if the folder has no results. */
  declare isMissing: boolean;
  /** Answer for the text as read in this tab. */
  declare answer: LongerAnswer | undefined;
  /** Set while this tab reads. */
  declare progress: Progress | undefined;
  /** Draws the losses measured in this tab, if it has read the chosen text. */
  declare showsHere: boolean;

  /** A separate worker, so that other figures do not wait. */
  #line: NewestWins<"longer"> | undefined;
  #asked = 0;
  #isFetching = false;

  constructor() {
    super();
    this.isMissing = false;
    this.showsHere = false;
  }

  get data() {
    const { results, answer } = this;
    if (!results) return this.isMissing ? { isMissing: true } : undefined;
    const scores = this.#methods.map((method) => this.#fileScore(method));
    return {
      multiple: this.#multiple,
      language: this.#language,
      methods: this.#methods,
      scores,
      answer,
    };
  }

  protected stateChanged(): void {
    void this.#fetch();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#line?.cancel();
  }

  get #folder(): string {
    return folderAddress(this.models ?? modelsFolder);
  }

  async #fetch(): Promise<void> {
    if (this.#isFetching || this.results || this.isMissing) return;
    this.#isFetching = true;
    await this.attempt(async () => {
      this.results = await fetchExtension(this.#folder);
      this.isMissing = !this.results;
    });
    this.#isFetching = false;
  }

  get #multiple(): number {
    return Number(this.state.longerMultiple);
  }

  get #language(): Language {
    return this.state.longerText || this.state.language;
  }

  /** Methods in the address that were measured. */
  get #methods(): StretchMethod[] {
    const known = this.results?.methods ?? [];
    const written: readonly string[] = this.state.longerMethods.split(".");
    const chosen = known.filter((method) => written.includes(method)).slice(0, maxCurves);
    return chosen.length ? chosen : known.filter((method) => longerMethods.includes(method));
  }

  #fileScore(method: StretchMethod): LongerScore | undefined {
    return this.results?.scoreOf(method, this.#multiple, this.#language);
  }

  /** Returns this tab's loss with a method, if it has read this text to this length. */
  #hereScore(method: StretchMethod): LongerScore | undefined {
    const { answer } = this;
    if (answer?.multiple !== this.#multiple || answer.language !== this.#language) return undefined;
    return answer.losses.find((loss) => loss.method === method);
  }

  get #canShowHere(): boolean {
    return this.#methods.every((method) => this.#hereScore(method));
  }

  /** The text and its length, for this tab and for the code below. */
  get #question() {
    const multiple = this.#multiple;
    const longFactor = this.results?.divisorsFor(multiple);
    return { language: this.#language, multiple, methods: this.#methods, longFactor };
  }

  async #read(): Promise<void> {
    const asked = ++this.#asked;
    this.progress = { done: 0, total: 0 };
    this.#line ??= new NewestWins("longer", new EngineClient());
    const question = { folder: this.#folder, ...this.#question };
    const hear = (done: number, total: number) => {
      if (asked === this.#asked) this.progress = { done, total };
    };
    await this.attempt(async () => {
      const answer = await this.#line!.ask(question, hear);
      if (asked !== this.#asked || !answer) return;
      this.answer = answer;
      this.showsHere = true;
    });
    if (asked === this.#asked) this.progress = undefined;
  }

  #cancel(): void {
    this.#asked++;
    this.#line?.cancel();
    this.progress = undefined;
  }

  #name(method: StretchMethod): string {
    return this.say(longerWords).names[method];
  }

  #scoresShown(): ShownScore[] {
    const isHere = this.showsHere && this.#canShowHere;
    return this.#methods.flatMap((method) => {
      const score = isHere ? this.#hereScore(method) : this.#fileScore(method);
      return score ? [{ method, score }] : [];
    });
  }

  /** Returns bits per token at the training length. */
  #trainedLoss(results: ExtensionResults): number {
    return results.scoreOf("none", 1, this.#language)!.bitsPerToken;
  }

  #heading(): string {
    const words = this.say(longerWords);
    const scores = this.#scoresShown();
    if (!this.results || !scores.length) return words.question;
    const best = scores.reduce((a, b) => (b.score.bitsPerToken < a.score.bitsPerToken ? b : a));
    return words.finding(this.#multiple, this.#name(best.method));
  }

  #caption(results: ExtensionResults): string {
    return captionOf({
      words: this.say(longerWords),
      joiner: this.words.join.items,
      multiple: this.#multiple,
      trained: this.#trainedLoss(results),
      plain: results.scoreOf("none", this.#multiple, this.#language)!.bitsPerToken,
      scores: this.#scoresShown(),
      here: this.showsHere && this.#canShowHere ? this.answer : undefined,
    });
  }

  #note(results: ExtensionResults): string {
    const words = this.say(longerWords);
    const isSearched = results.methods.includes("longrope");
    const list = this.#methods.includes("longrope") && results.divisorsFor(this.#multiple);
    const divisors = list ? this.words.join.sentences + words.divisors(list) : "";
    return words.note(results.length, isSearched) + divisors;
  }

  #rows(): (string | number)[][] {
    const { length } = this.results!;
    const rows = this.#methods.flatMap((method) =>
      (["beforehand", "in_this_tab"] as const).flatMap((source) => {
        const score = source === "beforehand" ? this.#fileScore(method) : this.#hereScore(method);
        return (score?.byPosition ?? []).map((value, part) => [
          this.#language,
          this.#multiple * length,
          method,
          source,
          part * length,
          value,
        ]);
      }),
    );
    return [["text", "tokens", "method", "source", "from_token", "bits_per_token"], ...rows];
  }

  #controls(results: ExtensionResults) {
    const words = this.say(longerWords);
    const choose = (name: "longerMultiple" | "longerText") => (event: CustomEvent<string>) =>
      this.change({ [name]: event.detail });
    const chooseMethods = ({ detail }: CustomEvent<string[]>) =>
      this.change({ longerMethods: detail.join(".") });
    const languages: readonly Language[] = ["en", "zh"];
    return html`<wf-choice
        slot="controls"
        class="multiple"
        .label=${words.multiple}
        .value=${this.state.longerMultiple}
        .options=${longerMultiples.map((value) => ({
          value,
          text: words.multiples(value, results.length),
        }))}
        @wf-change=${choose("longerMultiple")}
      ></wf-choice>
      <wf-choice
        slot="controls"
        class="text"
        .label=${words.text}
        .value=${this.#language}
        .options=${languages.map((value) => ({ value, text: words.texts[value] }))}
        @wf-change=${choose("longerText")}
      ></wf-choice>
      <wf-several
        slot="controls"
        .label=${words.methods}
        .min=${1}
        .max=${maxCurves}
        .values=${this.#methods}
        .options=${results.methods.map((value) => ({ value, text: words.names[value] }))}
        @wf-change=${chooseMethods}
      ></wf-several>`;
  }

  #acts() {
    const words = this.say(longerWords);
    const { progress } = this;
    if (progress) {
      const { done, total } = progress;
      return html`<div class="acts">
        <progress
          max=${Math.max(1, total)}
          .value=${done}
          aria-label=${words.progressLabel}
        ></progress>
        <span>${total ? words.progress(done, total) : words.starting}</span>
        <button class="cancel" @click=${this.#cancel}>${words.cancel}</button>
      </div>`;
    }
    return html`<div class="acts">
      <button class="read" @click=${this.#read}>
        ${this.#canShowHere ? words.again : words.read}
      </button>
      ${this.#canShowHere ? this.#shownChoice() : nothing}
    </div>`;
  }

  #shownChoice() {
    const words = this.say(longerWords);
    const options = [
      { value: "file", text: words.shownFile },
      { value: "here", text: words.shownHere },
    ];
    const set = ({ detail }: CustomEvent<string>) => {
      this.showsHere = detail === "here";
    };
    return html`<wf-choice
      class="shown"
      .label=${words.shown}
      .value=${this.showsHere ? "here" : "file"}
      .options=${options}
      @wf-change=${set}
    ></wf-choice>`;
  }

  #table() {
    const words = this.say(longerWords);
    const fixed = (value: number | undefined) => value?.toFixed(2) ?? words.none;
    return foldedTable({
      label: words.tableLabel,
      columns: words.columns,
      rows: this.#methods.map((method) => {
        const file = this.#fileScore(method);
        return [
          this.#name(method),
          fixed(file?.bitsPerToken),
          fixed(this.#hereScore(method)?.bitsPerToken),
          fixed(file?.byPosition[0]),
          fixed(file?.byPosition.at(-1)),
        ];
      }),
    });
  }

  #picture(results: ExtensionResults, caption: string) {
    const words = this.say(longerWords);
    const draw = drawLonger({
      lines: this.#scoresShown().map(({ method, score }) => ({
        name: this.#name(method),
        byPosition: score.byPosition,
      })),
      length: results.length,
      trained: this.#trainedLoss(results),
      multiple: this.#multiple,
      words,
    });
    return html`<wf-scene
      .label=${`${words.name}. ${caption}`}
      .hint=${this.words.keys}
      .draw=${draw}
    ></wf-scene>`;
  }

  protected override render() {
    const words = this.say(longerWords);
    const { results, isMissing } = this;
    const caption = results ? this.#caption(results) : "";
    const takeaway = results && {
      at: "longer",
      title: this.#heading(),
      code: longerCode(this.#question, results.length),
      table: () => this.#rows(),
      scene: () => this.scene(),
    };
    return html`<wf-frame
      .name=${words.name}
      .heading=${this.#heading()}
      .caption=${caption}
      .waiting=${isMissing ? "" : this.words.waiting}
      .note=${results ? this.#note(results) : ""}
      .caveat=${words.caveat}
      .failure=${this.failure}
      .takeaway=${takeaway}
      @wf-again=${() => (this.results ? this.#read() : this.#fetch())}
    >
      ${isMissing ? html`<p class="missing">${words.missing}</p>` : nothing}
      ${results ? this.#picture(results, caption) : nothing}
      ${results ? this.#controls(results) : nothing}
      <div slot="options" class="below">
        ${results ? html`${this.#acts()} ${this.#table()}` : nothing}
      </div>
    </wf-frame>`;
  }
}

define("wf-longer-reading", LongerReading);

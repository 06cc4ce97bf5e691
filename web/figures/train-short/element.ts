/**
 * `<wf-train-short>`: small models tested on longer texts than in training: guess one scheme's
 * recorded results, or train all schemes in this tab.
 */
import { html, nothing } from "lit";
import type { SchemeDescription } from "whereformer";
import type { Draw } from "../../controls/scene-view.js";
import { progressBar } from "../../controls/shared-styles.js";
import {
  fewestTrained,
  formulaScheme,
  type LengthTask,
  lengthRecipe,
  lengthSchemes,
  lengthTasks,
  lengthText,
  maxTrained,
  modelsFolder,
} from "../../defaults.js";
import { define } from "../../define.js";
import type { Frame } from "../../drawing/axes.js";
import { looksOf } from "../../drawing/family-colours.js";
import { engine } from "../../engine/page/client.js";
import { Experiment, type Run } from "../../engine/page/experiment.js";
import { fetchText } from "../../engine/page/length-text.js";
import { folderAddress } from "../../engine/page/models-index.js";
import { fetchSchemeWords, schemeWords, shortTitle, wordsOf } from "../../text/schemes.js";
import { save } from "../shared/exports/files.js";
import { causeOf, failureSentence, notArrived } from "../shared/figure/failure-sentence.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { ofState } from "../shared/figure/state-properties.js";
import type { Written } from "../shared/formula/slots.js";
import { formulaFields, optionsOf, writtenIn } from "../shared/formula/written.js";
import { address, ofKind } from "../shared/given/kinds.js";
import { numberTable } from "../shared/tables/table-styles.js";
import { lengthCode } from "./code.js";
import { measureOf, type TestMeasure } from "./measures.js";
import { drawLengths, type Guess } from "./picture.js";
import { recordedRuns } from "./recorded.js";
import { hasAnswer, positionRings, renderRings } from "./rings.js";
import { cellOf, changesOf, findingOf, type SentenceParts } from "./sentences.js";
import { trainStyles } from "./styles.js";
import { isContinued, type Line, linesOfRuns } from "./summary.js";
import { progressOf, rowsOf, tableOf } from "./table.js";
import { type TrainWords, taskWords, trainWords } from "./words.js";
import { writtenAs } from "./written-as.js";
import "../../controls/choice.js";
import "../../controls/pick.js";
import "../../controls/scene-view.js";
import "../../controls/several.js";
import "../shared/figure/frame.js";

const { multiples, length } = lengthRecipe;

export class TrainShort extends FigureElement {
  static override lead = ".now";
  static override properties = {
    ...FigureElement.properties,
    schemes: ofState("lengthSchemes"),
    task: ofState("lengthTask"),
    models: ofKind(address),
    experiment: { state: true },
    guesses: { state: true },
    guessed: { state: true },
    isShown: { state: true },
    said: { state: true },
  };

  static override styles = [...figureStyles, numberTable, progressBar, trainStyles];

  /**
   * Ids of the schemes to train, with `formula` for that of the group's `<wf-formula>`; empty for
   * the defaults.
   */
  declare schemes: string;
  /** What they learn: `text`, or a task among random symbols. */
  declare task: LengthTask;
  /** Folder of the models and the text, relative to the document. */
  declare models: string | undefined;
  declare experiment: Experiment | undefined;
  /** Guesses by scheme, at each multiple; only those that the reader has moved. */
  declare guesses: Record<string, number[]>;
  /** Scheme whose guess the rings show. */
  declare guessed: string;
  /** Whether the reader has seen the recorded results of that scheme. */
  declare isShown: boolean;
  /** Note on a loaded file, or its error. */
  declare said: string;

  #frame: Frame | undefined;
  /** The formula that was trained. */
  #formula: Written | undefined;

  constructor() {
    super();
    this.guesses = {};
    this.guessed = "";
    this.isShown = false;
    this.said = "";
  }

  get data() {
    const { experiment } = this;
    if (!experiment) return undefined;
    const { stage, runs, progress, task } = experiment;
    const lines = linesOfRuns(runs);
    const recorded = runs.length ? [] : this.#lines;
    return { stage, task, progress, runs, lines, recorded, guesses: this.guesses };
  }

  protected override get watched() {
    return [...super.watched, ...formulaFields];
  }

  protected override wake(): void {
    void this.#prepare();
  }

  protected stateChanged(): void {
    this.fetchNames();
    this.#learn();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.experiment?.cancel();
  }

  /** Loads the text, the list of schemes and their words; does not train. */
  async #prepare(): Promise<void> {
    await this.attempt(async () => {
      const folder = folderAddress(this.models ?? modelsFolder);
      const address = new URL(lengthText, folder).href;
      const [text, all] = await Promise.all([
        fetchText(address),
        engine.ask("schemes", {}),
        fetchSchemeWords(this.state.language),
      ]);
      const offered = all.filter(({ positionAxes, claims }) => positionAxes < 2 && claims.decodes);
      this.experiment = new Experiment(text, offered);
      this.#learn();
      this.experiment.changes.listen(() => this.requestUpdate());
    });
  }

  /** Another task has no results yet, and its guesses are of another measure. */
  #learn(): void {
    const { experiment } = this;
    if (!experiment || experiment.task === this.state.lengthTask) return;
    experiment.task = this.state.lengthTask;
    this.guesses = {};
    this.isShown = false;
    this.said = "";
  }

  get #trainWords(): TrainWords {
    return this.say(this.state.lengthTask === "text" ? trainWords : taskWords);
  }

  get #measure(): TestMeasure {
    return measureOf(this.state.lengthTask);
  }

  get #offered(): readonly SchemeDescription[] {
    return this.experiment?.schemes ?? [];
  }

  /** Ids of all that can be trained: the schemes, and the reader's formula. */
  get #ids(): string[] {
    return [...this.#offered.map(({ id }) => id), formulaScheme];
  }

  /** Schemes in the address, limited to those that can be trained. */
  get #chosen(): string[] {
    const known = (id: string) => !this.experiment || this.#ids.includes(id);
    const written = [...new Set(this.state.lengthSchemes.split("."))].filter(known);
    const makesSense = written.length >= fewestTrained && written.length <= maxTrained;
    return makesSense && this.state.lengthSchemes ? written : [...lengthSchemes];
  }

  /** True while nothing has been trained. */
  get #isBefore(): boolean {
    return !this.experiment || this.experiment.stage === "ready";
  }

  get #isBusy(): boolean {
    return this.experiment?.stage === "running" || this.experiment?.stage === "paused";
  }

  #name(scheme: string): string {
    if (scheme === formulaScheme) return this.shared.formula;
    return shortTitle(wordsOf(schemeWords(this.state.language), scheme));
  }

  #lineName(line: Line): string {
    const name = this.#name(line.scheme);
    return isContinued(line) ? this.#trainWords.continued(name, line.steps) : name;
  }

  /** True while the rings stand for the results of one scheme. */
  get #isGuessing(): boolean {
    return this.#isBefore && !this.isShown;
  }

  /** Lines of recorded results. */
  get #recorded(): Line[] {
    return linesOfRuns(recordedRuns(this.state.lengthTask, this.#chosen));
  }

  /** Lines of the reader's training; before it the recorded ones, without that of the rings. */
  get #lines(): Line[] {
    const { runs = [] } = this.experiment ?? {};
    if (runs.length) return linesOfRuns(runs);
    const hidden = this.#isGuessing ? this.#guessing : undefined;
    return this.#recorded.map((line) =>
      line.scheme === hidden ? { ...line, runs: [], tested: [] } : line,
    );
  }

  /** The scheme whose guess is being drawn. */
  get #guessing(): string {
    const chosen = this.#chosen;
    if (chosen.includes(this.guessed)) return this.guessed;
    return chosen.findLast((scheme) => hasAnswer(scheme, this.#offered)) ?? chosen[0]!;
  }

  /** The guesses, with the one of the rings in view even if they have not been moved. */
  get #drawn(): Record<string, number[]> {
    return { [this.#guessing]: multiples.map(() => this.#measure.resting), ...this.guesses };
  }

  #guess(column: number, value: number): void {
    const scheme = this.#guessing;
    this.guesses = { ...this.#drawn, [scheme]: this.#drawn[scheme]!.with(column, value) };
  }

  #train(): void {
    this.said = "";
    this.#takeFormula();
    void this.experiment?.start(this.#chosen);
  }

  /** What is trained stays the same if the formula is changed meanwhile. */
  #takeFormula(): void {
    const written = writtenIn(this.state);
    this.#formula = written;
    if (this.experiment) this.experiment.formula = () => optionsOf(written);
  }

  /** The reader's formula, if it is chosen. */
  #renderFormula() {
    const words = this.#trainWords;
    if (!this.#chosen.includes(formulaScheme)) return nothing;
    const { runs = [] } = this.experiment ?? {};
    const written = writtenIn(this.state);
    const isTrained = runs.some(({ scheme }) => scheme === formulaScheme);
    const isChanged = isTrained && JSON.stringify(written) !== JSON.stringify(this.#formula);
    return writtenAs(written, isChanged ? words.formulaAgain : words.formulaIs, words);
  }

  /** The code; undefined while the formula cannot be read. */
  #code(experiment: Experiment): string | undefined {
    if (this.#isBefore) this.#takeFormula();
    try {
      return lengthCode(experiment, this.#chosen);
    } catch {
      return undefined;
    }
  }

  async #load(event: Event): Promise<void> {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = "";
    if (!file || !this.experiment) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    const remote = await import("../../engine/page/remote.js").catch(() => undefined);
    if (!remote) {
      this.said = causeOf(notArrived, this.words);
      return;
    }
    const note = remote.noteOf(bytes);
    const isKnown = note && this.#ids.includes(note.scheme);
    this.#takeFormula();
    const words = this.#trainWords;
    if (!isKnown) this.said = words.notOurs(file.name);
    else if (note.recipe !== this.experiment.recipeOf(note.scheme))
      this.said = words.otherRecipe(file.name);
    else {
      this.said = words.goesOn(this.#name(note.scheme), note.steps);
      void this.experiment.goOn(bytes, note, note.steps);
    }
  }

  #keep(run: Run): void {
    const name = `whereformer-${run.scheme}-seed${run.seed}-${run.steps}.safetensors`;
    save(name, new Blob([run.file!], { type: "application/octet-stream" }));
  }

  // -------------------------------------------------------------------------- words

  get #sentenceParts(): SentenceParts {
    return {
      words: this.#trainWords,
      measure: this.#measure,
      lengths: this.shared.lengths,
      join: this.words.join.items,
      nameOf: (line) => this.#lineName(line),
    };
  }

  /** Different symbols that a model reads. */
  get #symbols(): number {
    const { experiment, state } = this;
    return state.lengthTask === "text"
      ? (experiment?.text.vocabSize ?? 0)
      : lengthRecipe.ofTask.symbols;
  }

  #heading(lines: readonly Line[]): string {
    const isKnown = this.experiment?.stage === "done" || (this.#isBefore && this.isShown);
    const finding = isKnown && findingOf(lines, this.#sentenceParts);
    return finding || this.#trainWords.question(length);
  }

  #caption(lines: readonly Line[]): string {
    const { experiment } = this;
    if (!experiment || this.#isBusy) return "";
    const words = this.#trainWords;
    const isRecorded = lines.some(({ tested }) => tested.length > 0);
    if (this.#isGuessing) return words.atRest(this.#name(this.#guessing), isRecorded);
    const changes = changesOf(lines, this.guesses, this.#sentenceParts);
    return this.#isBefore && changes ? words.recorded + changes : changes;
  }

  // -------------------------------------------------------------------------- parts

  #setFrame(frame: Frame): void {
    this.#frame = frame;
    positionRings(this.renderRoot, frame, this.#measure);
  }

  protected override updated(): void {
    if (this.#frame) this.#setFrame(this.#frame);
  }

  #renderRings() {
    const scheme = this.#guessing;
    const values = this.guesses[scheme];
    const guess = (column: number, value: number) => this.#guess(column, value);
    return renderRings(values, this.#name(scheme), this.#measure, this.#trainWords, guess);
  }

  #renderButtons() {
    const { experiment } = this;
    const words = this.#trainWords;
    if (!experiment) return nothing;
    const { stage } = experiment;
    if (!this.#isBusy)
      return html`${this.#renderShow()}<button class="train" @click=${this.#train}>
          ${stage === "done" ? words.again : words.train}
        </button>`;
    return html`${
      stage === "paused"
        ? html`<button class="resume" @click=${() => experiment.resume()}
              >${words.resume}</button
            >`
        : html`<button class="pause" @click=${() => experiment.pause()}>${words.pause}</button>`
    } <button class="cancel" @click=${() => experiment.cancel()}>${words.cancel}</button>`;
  }

  /** A button that ends the guess, if there is a result to show. */
  #renderShow() {
    const scheme = this.#guessing;
    const hasResult = this.#recorded.some((line) => line.scheme === scheme && line.tested.length);
    if (!this.#isGuessing || !hasResult) return nothing;
    const show = () => {
      this.isShown = true;
    };
    return html`<button class="show" @click=${show}>
      ${this.#trainWords.show(this.#name(scheme))}
    </button>`;
  }

  #renderRefused() {
    const { runs = [] } = this.experiment ?? {};
    const refused = runs.find((run) => run.stage === "failed");
    if (!refused) return nothing;
    return html`<p class="refused" role="alert">
      ${this.#trainWords.refused(this.#name(refused.scheme))}
      ${refused.failure ? failureSentence(refused.failure, this.words) : nothing}
    </p>`;
  }

  /** Returns the guess that is being drawn before training; all guesses afterwards. */
  #guessesFor(lines: readonly Line[]): Guess[] {
    const looks = looksOf(lines.map(({ scheme }) => scheme));
    return lines.flatMap((shown, at) => {
      const { scheme } = shown;
      const values = isContinued(shown) ? undefined : this.guesses[scheme];
      const isShown = values && (!this.#isGuessing || scheme === this.#guessing);
      return isShown ? [{ name: this.#name(scheme), look: looks[at]!, values }] : [];
    });
  }

  #ringsFor(lines: readonly Line[]): Guess {
    const scheme = this.#guessing;
    const looks = looksOf(lines.map((line) => line.scheme));
    const look = looks[lines.findIndex((line) => line.scheme === scheme)]!;
    return { name: this.#name(scheme), look, values: this.#drawn[scheme]! };
  }

  #draw(lines: readonly Line[]): Draw {
    const looks = looksOf(lines.map(({ scheme }) => scheme));
    const recorded = this.#isBefore ? [] : this.#recorded;
    return drawLengths({
      series: lines.map((line, at) => ({
        name: this.#lineName(line),
        look: looks[at]!,
        losses: line.runs.map(({ losses }) => losses),
        firstStep: line.firstStep,
        tested: line.tested,
        recorded: recorded.find(({ key }) => key === line.key)?.tested ?? [],
      })),
      rings: this.#isGuessing ? this.#ringsFor(lines) : undefined,
      isTrained: !this.#isBefore,
      guesses: this.#guessesFor(lines),
      length,
      multiples,
      steps: lengthRecipe.steps,
      measure: this.#measure,
      words: { ...this.#trainWords, ...this.shared.lengths },
      describe: (row, column) => cellOf(lines[row]!, column, this.#sentenceParts),
      onFrame: (frame) => this.#setFrame(frame),
    });
  }

  #renderGuess() {
    const words = this.#trainWords;
    const chosen = this.#chosen;
    const choose = (event: CustomEvent<number>) => {
      this.guessed = chosen[event.detail]!;
      this.isShown = false;
    };
    return html`<p class="guess">
      ${words.myGuess}
      <wf-pick
        .label=${words.guessFor}
        .words=${chosen.map((scheme) => this.#name(scheme))}
        .value=${chosen.indexOf(this.#guessing)}
        @wf-change=${choose}
      ></wf-pick>
    </p>`;
  }

  /** Shows the actions: show, train, pause, cancel. */
  #renderActs() {
    const { experiment } = this;
    return html`<div class="acts">
      ${this.#renderButtons()}
      ${experiment && this.#isBusy ? progressOf(experiment, this.#trainWords) : nothing}
      <span role="status">${this.said}</span>
    </div>`;
  }

  /** Lets the reader continue from a file. */
  #renderLoad() {
    if (!this.experiment || this.#isBusy) return nothing;
    return html`<p
      ><label class="load"
        >${this.#trainWords.load}<input type="file" accept=".safetensors" @change=${this.#load}
      /></label>
    </p>`;
  }

  /** What is learnt. */
  #renderTask() {
    const words = this.#trainWords;
    const { lengthTask } = this.state;
    const options = lengthTasks.map((value) => ({ value, text: words.tasks[value] }));
    const set = ({ detail }: CustomEvent<LengthTask>) => this.change({ lengthTask: detail });
    return html`<div slot="controls">
      <wf-choice
        class="task"
        .label=${words.task}
        .value=${lengthTask}
        .options=${options}
        @wf-change=${set}
      ></wf-choice>
      <p class="why" ?hidden=${lengthTask === "text"}>${words.whys[lengthTask]}</p>
    </div>`;
  }

  #renderBelow(lines: readonly Line[]) {
    const words = { ...this.#trainWords, ...this.shared.lengths };
    const choose = (event: CustomEvent<string[]>) =>
      this.change({ lengthSchemes: event.detail.join(".") });
    return html`<div slot="controls" class="below">
        <wf-several
          .label=${words.schemes}
          .min=${fewestTrained}
          .max=${maxTrained}
          .values=${this.#chosen}
          .options=${this.#ids.map((id) => ({ value: id, text: this.#name(id) }))}
          .disabled=${this.#isBusy}
          @wf-change=${choose}
        ></wf-several>
        ${this.#renderFormula()} ${this.#isBefore ? this.#renderGuess() : nothing}
        ${this.#renderLoad()}</div
      ><div slot="controls" class="below now">${this.#renderActs()} ${this.#renderRefused()}</div
      ><div slot="options" class="below"
        >${tableOf(lines, this.#measure, words, {
          nameOf: (line) => this.#lineName(line),
          keep: (run) => this.#keep(run),
        })}
      </div>`;
  }

  protected override render() {
    const words = this.#trainWords;
    const lines = this.#lines;
    const { experiment } = this;
    const caption = this.#caption(lines);
    const code = experiment && this.#code(experiment);
    const takeaway = code !== undefined && {
      at: "lengths",
      title: words.question(length),
      code,
      table: () => rowsOf(lines, this.#drawn, this.#measure),
      scene: () => this.scene(),
    };
    return html`<wf-frame
      .name=${words.name}
      .heading=${this.#heading(lines)}
      .caption=${caption}
      .waiting=${experiment ? "" : this.words.waiting}
      .note=${words.note(lengthRecipe, this.#symbols)}
      .caveat=${words.caveat}
      .failure=${this.failure ?? experiment?.failure}
      .takeaway=${takeaway || undefined}
      @wf-again=${() => (experiment ? this.#train() : this.#prepare())}
    >
      ${this.#renderTask()}
      <div class="chart">
        <wf-scene
          .label=${`${words.name}. ${caption}`}
          .hint=${this.words.keys}
          .draw=${this.#draw(lines)}
        ></wf-scene>
        ${experiment && this.#isGuessing ? this.#renderRings() : nothing}
      </div>
      <span slot="legend">${words.band(lengthRecipe.seeds.length)}</span>
      ${this.#renderBelow(lines)}
    </wf-frame>`;
  }
}

define("wf-train-short", TrainShort);

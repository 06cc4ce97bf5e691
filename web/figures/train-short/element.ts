/** `<wf-train-short>`: guess, train small models in this tab, and test them on longer texts than they were trained on. */
import { html, nothing } from "lit";
import type { SchemeDescription } from "whereformer";
import { progressBar } from "../../controls/shared-styles.js";
import { save } from "../../controls/takeaway.js";
import {
  fewestTrained,
  lengthRecipe,
  lengthSchemes,
  lengthText,
  modelsFolder,
  mostTrained,
} from "../../defaults.js";
import { type Frame, heightOf } from "../../drawing/axes.js";
import { engine } from "../../engine/page/client.js";
import { Experiment, type Run, recipeKey } from "../../engine/page/experiment.js";
import { fetchText } from "../../engine/page/length-text.js";
import { noteOf } from "../../engine/page/training-file.js";
import { page } from "../../state.js";
import { fetchSchemeWords, schemeWords, shortTitle, wordsOf } from "../../text/schemes.js";
import { FigureElement, figureStyles } from "../shared/figure-element.js";
import { numberTable } from "../shared/number-table.js";
import { lengthCode } from "./code.js";
import { drawLengths, type Guess, leastBits, mostBits } from "./picture.js";
import { trainStyles } from "./styles.js";
import { distanceOf, isContinued, type Line, linesOfRuns } from "./summary.js";
import { progressOf, tableOf } from "./table.js";
import { trainWords } from "./words.js";
import "../../controls/pick.js";
import "../../controls/several.js";
import "../shared/frame.js";

const { multiples, length } = lengthRecipe;
const restingGuess = 3;
const number = (value: number): string => value.toFixed(2);

export class TrainShort extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    models: {},
    experiment: { state: true },
    guesses: { state: true },
    guessed: { state: true },
    said: { state: true },
  };

  static override styles = [...figureStyles, numberTable, progressBar, trainStyles];

  /** Folder of the models, seen from the document: the text lies there. */
  declare models: string | undefined;
  declare experiment: Experiment | undefined;
  /** By scheme, in bits at each multiple; only what the reader has touched. */
  declare guesses: Record<string, number[]>;
  /** Which of the chosen schemes the rings are for. */
  declare guessed: string;
  /** What became of a file. */
  declare said: string;

  #frame: Frame | undefined;

  constructor() {
    super();
    this.guesses = {};
    this.guessed = "";
    this.said = "";
  }

  get data() {
    const { experiment } = this;
    if (!experiment) return undefined;
    const { stage, runs, progress } = experiment;
    return { stage, progress, runs, lines: linesOfRuns(runs), guesses: this.guesses };
  }

  protected get watched() {
    return ["lengthSchemes"] as const;
  }

  protected wake(): void {
    void this.#prepare();
  }

  protected stateChanged(): void {
    void fetchSchemeWords(this.state.language).then(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.experiment?.cancel();
  }

  /** The text, the list of schemes and their words; nothing is trained. */
  async #prepare(): Promise<void> {
    await this.attempt(async () => {
      const folder = (this.models ?? modelsFolder).replace(/\/?$/, "/");
      const address = new URL(folder + lengthText, document.baseURI).href;
      const [text, all] = await Promise.all([
        fetchText(address),
        engine.ask("schemes", {}),
        fetchSchemeWords(this.state.language),
      ]);
      const offered = all.filter(({ positionAxes, claims }) => positionAxes < 2 && claims.decodes);
      this.experiment = new Experiment(text, offered);
      this.experiment.addEventListener("change", () => this.requestUpdate());
    });
  }

  get #offered(): readonly SchemeDescription[] {
    return this.experiment?.schemes ?? [];
  }

  /** What the address says, as far as it makes sense. */
  get #chosen(): string[] {
    const known = (id: string) => !this.experiment || this.#offered.some((one) => one.id === id);
    const written = [...new Set(this.state.lengthSchemes.split("."))].filter(known);
    const makesSense = written.length >= fewestTrained && written.length <= mostTrained;
    return makesSense && this.state.lengthSchemes ? written : [...lengthSchemes];
  }

  get #isBusy(): boolean {
    return this.experiment?.stage === "running" || this.experiment?.stage === "paused";
  }

  #name(scheme: string): string {
    return shortTitle(wordsOf(schemeWords(this.state.language), scheme));
  }

  #lineName(line: Line): string {
    const name = this.#name(line.scheme);
    return isContinued(line) ? this.say(trainWords).continued(name, line.steps) : name;
  }

  get #lines(): Line[] {
    const { runs = [] } = this.experiment ?? {};
    if (runs.length) return linesOfRuns(runs);
    return this.#chosen.map((scheme) => ({
      key: scheme,
      scheme,
      steps: lengthRecipe.steps,
      firstStep: 0,
      runs: [],
      tested: [],
    }));
  }

  /** The scheme whose guess is being drawn. */
  get #guessing(): string {
    const chosen = this.#chosen;
    return chosen.includes(this.guessed) ? this.guessed : chosen[1]!;
  }

  #guess(column: number, value: number): void {
    const scheme = this.#guessing;
    const before = this.guesses[scheme] ?? multiples.map(() => restingGuess);
    this.guesses = { ...this.guesses, [scheme]: before.with(column, value) };
  }

  #train(): void {
    this.said = "";
    void this.experiment?.start(this.#chosen);
  }

  async #load(event: Event): Promise<void> {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = "";
    if (!file || !this.experiment) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    const note = noteOf(bytes);
    const isKnown = note && this.#offered.some(({ id }) => id === note.scheme);
    const words = this.say(trainWords);
    if (!isKnown) this.said = words.notOurs(file.name);
    else if (note.recipe !== recipeKey) this.said = words.otherRecipe(file.name);
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

  #heading(lines: readonly Line[]): string {
    const words = this.say(trainWords);
    const column = multiples.indexOf(lengthRecipe.tableMultiple);
    const tested = lines.flatMap((line) => {
      const at = line.tested[column];
      return at ? [{ line, mean: at.mean }] : [];
    });
    if (this.experiment?.stage !== "done" || tested.length < 2) return words.question(length);
    const best = tested.reduce((a, b) => (b.mean < a.mean ? b : a));
    return words.finding(this.#lineName(best.line), multiples[column]!, number(best.mean));
  }

  #reading(lines: readonly Line[]): string {
    const words = this.say(trainWords);
    const { experiment } = this;
    if (!experiment) return "";
    if (experiment.stage === "ready") return words.atRest(this.#name(this.#guessing));
    if (this.#isBusy) return "";
    const column = multiples.indexOf(lengthRecipe.tableMultiple);
    const joiner = this.words.join.items;
    const changes = lines.flatMap((line) => {
      const [first, far] = [line.tested[0], line.tested[column]];
      if (!first || !far) return [];
      return [this.shared.lengths.change(this.#lineName(line), far.mean - first.mean)];
    });
    const ends = lines.flatMap((line) => {
      const end = line.tested.indexOf(undefined);
      return end < 0 ? [] : [words.ends(this.#lineName(line), multiples[end]! * length)];
    });
    const offs = lines.flatMap((line) => {
      const guess = isContinued(line) ? undefined : this.guesses[line.scheme];
      const off = guess && distanceOf(guess, line.tested);
      return off ? [words.off(this.#lineName(line), off)] : [];
    });
    return [
      words.changes(length, multiples[column]! * length, changes.join(joiner)),
      ...ends,
      ...offs,
    ].join("");
  }

  #cellText(lines: readonly Line[], row: number, column: number): string {
    const words = this.say(trainWords);
    const line = lines[row]!;
    const at = multiples[column]! * length;
    const tested = line.tested[column];
    const name = this.#lineName(line);
    return tested ? words.cell(name, at, tested) : words.cellUndefined(name, at);
  }

  #rows(lines: readonly Line[]): (string | number)[][] {
    const header = ["scheme", "seed", "steps", "test_length", "bits_per_character"];
    const rows = lines.flatMap(({ runs }) =>
      runs.flatMap(({ scheme, seed, steps, tested }) =>
        tested.map((value, column) => [
          scheme,
          seed,
          steps,
          multiples[column]! * length,
          value ?? "not defined",
        ]),
      ),
    );
    return [header, ...rows];
  }

  // -------------------------------------------------------------------------- parts

  /** Puts the rings' tracks where the chart is. */
  #place(frame: Frame): void {
    this.#frame = frame;
    const top = heightOf(frame, mostBits);
    const bottom = heightOf(frame, leastBits);
    for (const [column, input] of this.renderRoot
      .querySelectorAll<HTMLElement>(".ring")
      .entries()) {
      const x = frame.left + (column / frame.mostX) * frame.width;
      input.style.left = `${x - 22}px`;
      input.style.top = `${top - 14}px`;
      input.style.height = `${bottom - top + 28}px`;
    }
  }

  protected override updated(): void {
    if (this.#frame) this.#place(this.#frame);
  }

  #renderRings() {
    const words = this.say(trainWords);
    const scheme = this.#guessing;
    const values = this.guesses[scheme];
    return multiples.map(
      (multiple, column) => html`<input
        class="ring"
        type="range"
        min=${leastBits}
        max=${mostBits}
        step="0.05"
        .value=${String(values?.[column] ?? restingGuess)}
        aria-label=${words.ring(this.#name(scheme), multiple * length)}
        aria-valuetext=${words.bits(number(values?.[column] ?? restingGuess))}
        @input=${(event: Event) =>
          this.#guess(column, Number((event.target as HTMLInputElement).value))}
      />`,
    );
  }

  #renderButtons() {
    const { experiment } = this;
    const words = this.say(trainWords);
    if (!experiment) return nothing;
    const { stage } = experiment;
    if (!this.#isBusy)
      return html`<button class="train" @click=${this.#train}>
        ${stage === "done" ? words.again : words.train}
      </button>`;
    return html`${
      stage === "paused"
        ? html`<button class="resume" @click=${() => experiment.resume()}>${words.resume}</button>`
        : html`<button class="pause" @click=${() => experiment.pause()}>${words.pause}</button>`
    }
      <button class="cancel" @click=${() => experiment.cancel()}>${words.cancel}</button>`;
  }

  #renderRefused() {
    const { runs = [] } = this.experiment ?? {};
    const refused = runs.find((run) => run.stage === "failed");
    if (!refused) return nothing;
    return html`<p class="refused" role="alert">
      ${this.say(trainWords).refused(this.#name(refused.scheme))}
      <span lang="en">${refused.failure?.message}</span>
    </p>`;
  }

  protected override render() {
    const words = this.say(trainWords);
    const lines = this.#lines;
    const { experiment } = this;
    const isReady = experiment?.stage === "ready";
    const chosen = this.#chosen;
    const guesses: Guess[] = chosen.flatMap((scheme) => {
      const values = this.guesses[scheme];
      const isShown = values && (!isReady || scheme === this.#guessing);
      return isShown ? [{ name: this.#name(scheme), values }] : [];
    });
    const reading = this.#reading(lines);
    const draw = drawLengths({
      series: lines.map((line) => ({
        name: this.#lineName(line),
        losses: line.runs.map(({ losses }) => losses),
        firstStep: line.firstStep,
        tested: line.tested,
      })),
      guesses,
      length,
      multiples,
      steps: lengthRecipe.steps,
      words: { ...words, ...this.shared.lengths, joiner: this.words.join.items },
      describe: (row, column) => this.#cellText(lines, row, column),
      onFrame: (frame) => this.#place(frame),
    });
    const takeaway = experiment && {
      at: "lengths",
      title: words.question(length),
      code: lengthCode(experiment, chosen),
      table: () => this.#rows(lines),
      scene: () => this.scene(),
    };
    return html`<wf-frame
      .name=${words.name}
      .heading=${this.#heading(lines)}
      .reading=${reading}
      .waiting=${experiment ? "" : this.words.waiting}
      .note=${words.note(lengthRecipe, experiment?.text.vocabSize ?? 0)}
      .caveat=${words.caveat}
      .failure=${this.failure ?? experiment?.failure}
      .takeaway=${takeaway}
      @wf-again=${() => (experiment ? this.#train() : this.#prepare())}
    >
      <div class="chart">
        <wf-scene .label=${`${words.name}. ${reading}`} .hint=${this.words.keys} .draw=${draw}></wf-scene>
        ${isReady ? this.#renderRings() : nothing}
      </div>
      <div slot="options" class="below">
        <wf-several
          .label=${this.shared.lengths.schemes}
          .least=${fewestTrained}
          .most=${mostTrained}
          .values=${chosen}
          .options=${this.#offered.map(({ id }) => ({ value: id, text: this.#name(id) }))}
          ?disabled=${this.#isBusy}
          @wf-change=${(event: CustomEvent<string[]>) => page.set({ lengthSchemes: event.detail.join(".") })}
        ></wf-several>
        ${
          isReady
            ? html`<p class="guess">
                ${words.myGuess}
                <wf-pick
                  .label=${words.guessFor}
                  .words=${chosen.map((scheme) => this.#name(scheme))}
                  .value=${chosen.indexOf(this.#guessing)}
                  @wf-change=${(event: CustomEvent<number>) => {
                    this.guessed = chosen[event.detail]!;
                  }}
                ></wf-pick>
              </p>`
            : nothing
        }
        <div class="acts">
          ${this.#renderButtons()} ${experiment && this.#isBusy ? progressOf(experiment, words) : nothing}
          ${
            experiment && !this.#isBusy
              ? html`<label class="load"
                  >${words.load}<input type="file" accept=".safetensors" @change=${this.#load}
                /></label>`
              : nothing
          }
          <span role="status">${this.said}</span>
        </div>
        ${this.#renderRefused()} ${tableOf(
          lines,
          { ...words, ...this.shared.lengths },
          {
            nameOf: (line) => this.#lineName(line),
            keep: (run) => this.#keep(run),
          },
        )}
      </div>
    </wf-frame>`;
  }
}

customElements.define("wf-train-short", TrainShort);

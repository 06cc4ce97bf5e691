/** `<wf-formula>`: a positional encoding that its reader writes, and what it makes of attention. */
import { html } from "lit";
import { numbered } from "../../controls/choice.js";
import { type FormulaPreset, formulaPresets, formulaView } from "../../defaults.js";
import { define } from "../../define.js";
import { failureOf } from "../../engine/both/failure.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { plain } from "../../text/numbers.js";
import { failureSentence } from "../shared/figure/failure-sentence.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { folded, foldedStyles } from "../shared/figure/folded.js";
import { ofState } from "../shared/figure/state-properties.js";
import {
  type Declared,
  declaredUntilError,
  type Range,
  rangeAround,
  refusedFormula,
  withNumber,
} from "../shared/formula/parameters.js";
import { type Part, type Slot, slots, type Written } from "../shared/formula/slots.js";
import {
  changeTo,
  changeToPreset,
  optionsOf,
  presetIn,
  writtenIn,
} from "../shared/formula/written.js";
import { formulaCode, gridFormulaCode } from "./code.js";
import { fromMiddle, middleOf } from "./grid-picture.js";
import type { FormulaAnswer } from "./messages.js";
import { namesFor } from "./names.js";
import { byDistance, drawFormula, weightLimit } from "./picture.js";
import { type Refusal, refusalOf } from "./refusal.js";
import { formulaStyles } from "./styles.js";
import { formulaWords } from "./words.js";
import "../../controls/choice.js";
import "../../controls/scale.js";
import "../../controls/scene-view.js";
import "../../controls/several.js";
import "../../controls/slider.js";
import "../shared/figure/frame.js";
import "./formula-field.js";

const { numHeads, headDim, tokens, near } = formulaView;

/** A formula to begin with, for each part that a reader adds. */
const starts: Readonly<Record<Slot, string>> = {
  bias: "-abs(r) / (h + 1)",
  frequency: "10000^(-2*k/D)",
  angle: "i * 10000^(-2*k/D)",
  add: "sin(i / 10000^(c/E))",
  queryScale: "1 + 0.1 * log1p(i)",
  keyScale: "1",
  logitScale: "1 / sqrt(D)",
};

export class FormulaFigure extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    preset: ofState("formulaPreset"),
    bias: ofState("formulaBias"),
    frequency: ofState("formulaFrequency"),
    angle: ofState("formulaAngle"),
    add: ofState("formulaAdd"),
    queryScale: ofState("formulaQueryScale", undefined, "query-scale"),
    keyScale: ofState("formulaKeyScale", undefined, "key-scale"),
    logitScale: ofState("formulaLogitScale", undefined, "logit-scale"),
    parameters: ofState("formulaParameters"),
    pairing: ofState("formulaPairing"),
    head: ofState("formulaHead"),
    answer: { state: true },
    refusal: { state: true },
  };

  static override styles = [...figureStyles, foldedStyles, formulaStyles];

  /** Known encoding to show in place of the formulas; empty for those, or for ALiBi without any. */
  declare preset: "" | FormulaPreset;
  /** What is added to a score: a formula of i, j, r, h and others. */
  declare bias: string;
  /** Radians that a pair of channels turns in one step: a formula of k and h. */
  declare frequency: string;
  /** Radians that a pair turns at a position: a formula of i, k and h, in place of `frequency`. */
  declare angle: string;
  /** What is added to a channel of a word's vector: a formula of i and c. */
  declare add: string;
  /** Factor on a channel of a query: a formula of i, c and h. */
  declare queryScale: string;
  /** Factor on a channel of a key: a formula of j, c and h. */
  declare keyScale: string;
  /** A constant in place of 1/√D. */
  declare logitScale: string;
  /** Numbers that formulas read, a line for each: `positive p[H] = 1`. */
  declare parameters: string;
  /** Channels that turn together: `halves` or `interleaved`. */
  declare pairing: "" | "halves" | "interleaved";
  /** Head, counted from 0. */
  declare head: number;
  declare answer: (FormulaAnswer & { written: Written }) | undefined;
  declare refusal: Refusal | undefined;

  #line = new NewestWins("formula");
  /** Limits of sliders, which stay while one is moved. */
  #ranges = new Map<string, Range>();

  get data() {
    const { answer, refusal } = this;
    return answer && { ...answer, refusal };
  }

  protected override get isFilled(): boolean {
    return this.answer !== undefined || this.refusal !== undefined;
  }

  protected stateChanged(): void {
    void this.#ask();
  }

  #ask(): Promise<void> {
    return this.attempt(async () => {
      const written = writtenIn(this.state);
      try {
        const answer = await this.#line.ask({ options: optionsOf(written) });
        if (!answer) return;
        this.answer = { ...answer, written };
        this.refusal = undefined;
      } catch (reason) {
        const failure = failureOf(reason);
        if (failure.code !== refusedFormula) throw reason;
        this.refusal = refusalOf(failure, written);
      }
    });
  }

  // -------------------------------------------------------------------------- changes

  #write(part: Part, text: string): void {
    this.#ranges.clear();
    this.change(changeTo({ ...writtenIn(this.state), [part]: text }));
  }

  #choose(chosen: readonly string[]): void {
    const written = writtenIn(this.state);
    const isShown = (slot: Slot) => chosen.includes(slot);
    const kept = slots.filter(isShown).map((slot) => [slot, written[slot] ?? starts[slot]]);
    const { parameters, pairing } = written;
    this.change(
      changeTo({
        ...Object.fromEntries(kept),
        ...(parameters === undefined ? {} : { parameters }),
        ...(pairing ? { pairing } : {}),
      }),
    );
  }

  #begin(preset: FormulaPreset): void {
    this.#ranges.clear();
    this.change(changeToPreset(preset));
  }

  #slide(declared: Declared, value: number): void {
    const written = writtenIn(this.state);
    const parameters = withNumber(written.parameters ?? "", declared, value);
    this.change(changeTo({ ...written, parameters }));
  }

  // -------------------------------------------------------------------------- words

  get #head(): number {
    return this.state.formulaHead;
  }

  #caption(): string {
    const { answer } = this;
    const words = this.say(formulaWords);
    if (!answer) return this.refusal ? words.nothingYet : "";
    const head = this.#head;
    if (answer.side) return this.#gridCaption(answer, answer.side, head);
    const end = (head + 1) * tokens * tokens;
    const row = answer.weights.slice(end - tokens, end).reverse();
    if (Math.max(...row) - Math.min(...row) < 1e-6) return words.captionBlind(head + 1);
    const share = row.subarray(0, near).reduce((sum, weight) => sum + weight, 0);
    const mean = row.reduce((sum, weight, distance) => sum + weight * distance, 0);
    return words.caption(head + 1, near, share, mean);
  }

  #gridCaption({ weights }: FormulaAnswer, side: number, head: number): string {
    const words = this.say(formulaWords);
    const row = fromMiddle(weights, head, side);
    if (Math.max(...row) - Math.min(...row) < 1e-6) return words.captionBlind(head + 1);
    const middle = middleOf(side);
    const away = (cell: number) => [
      Math.abs((cell % side) - (middle % side)),
      Math.abs(Math.floor(cell / side) - Math.floor(middle / side)),
    ];
    const near = row.filter((_, cell) => Math.max(...away(cell)) <= 1);
    const share = near.reduce((sum, weight) => sum + weight, 0);
    const steps = (cell: number) => away(cell)[0]! + away(cell)[1]!;
    const mean = row.reduce((sum, weight, cell) => sum + weight * steps(cell), 0);
    return words.captionGrid(head + 1, share, mean);
  }

  /** For a grid: what the cell in the middle adds to the others, and its weights. */
  #gridTable({ added, weights, terms }: FormulaAnswer, side: number): (string | number)[][] {
    const named = Object.entries(terms);
    const heads = Array.from({ length: numHeads }, (_, head) => head);
    return [
      ["head", "row", "column", "added", "weight", ...named.map(([name]) => name)],
      ...heads.flatMap((head) => {
        const columns = [added, weights, ...named.map(([, values]) => values)].map((values) =>
          fromMiddle(values, head, side),
        );
        return Array.from({ length: side * side }, (_, cell) => [
          head + 1,
          Math.floor(cell / side),
          cell % side,
          ...columns.map((values) => values[cell]!),
        ]);
      }),
    ];
  }

  #table(answer: FormulaAnswer): (string | number)[][] {
    if (answer.side) return this.#gridTable(answer, answer.side);
    const names = Object.keys(answer.terms);
    const heads = Array.from({ length: numHeads }, (_, head) => head);
    return [
      ["head", "distance", "added", "weight", ...names],
      ...heads.flatMap((head) =>
        Array.from(byDistance(answer, head), (value, distance) => {
          const at = (head + 1) * tokens * tokens - 1 - distance;
          const terms = names.map((name) => answer.terms[name]![at]!);
          return [head + 1, distance, value, answer.weights[at]!, ...terms];
        }),
      ),
    ];
  }

  // -------------------------------------------------------------------------- parts

  #field(part: Part, text: string, parameters: readonly string[]) {
    const words = this.say(formulaWords);
    const { refusal } = this;
    const isWrong = refusal?.part === part;
    const causes = refusal?.failure.facts?.["character"]
      ? { [refusedFormula]: words.refused }
      : { [refusedFormula]: words.refusedWhole };
    return html`<wf-formula-field
      class=${part}
      .label=${words.labels[part]}
      .hint=${words.hints[part]}
      .names=${namesFor(part, parameters)}
      .offer=${words.offer}
      .value=${text}
      .wrong=${isWrong ? refusal.span : undefined}
      .remark=${isWrong ? failureSentence(refusal.failure, this.words, causes) : ""}
      @wf-change=${({ detail }: CustomEvent<string>) => this.#write(part, detail)}
    ></wf-formula-field>`;
  }

  #slider(declared: Declared) {
    const { name, given } = declared;
    const value = given.initial as number;
    const range = this.#ranges.get(name) ?? rangeAround(value);
    this.#ranges.set(name, range);
    return html`<wf-slider
      class=${name}
      .label=${name}
      .value=${value}
      .min=${range.min}
      .max=${range.max}
      .step=${String(range.step)}
      .text=${plain(value)}
      @wf-change=${({ detail }: CustomEvent<number>) => this.#slide(declared, detail)}
    ></wf-slider>`;
  }

  #editor(written: Written) {
    const words = this.say(formulaWords);
    const shown = slots.filter((slot) => written[slot] !== undefined);
    const all = declaredUntilError(written.parameters ?? "");
    const names = all.map(({ name }) => name);
    const numbers = all.filter(({ given }) => typeof given.initial === "number");
    const sliders = numbers.map((one) => this.#slider(one));
    return html`<wf-choice
        slot="ask"
        class="presets"
        .label=${words.preset}
        .value=${presetIn(this.state) ?? ""}
        .options=${formulaPresets.map((value) => ({ value, text: words.presets[value] }))}
        @wf-change=${({ detail }: CustomEvent<FormulaPreset>) => this.#begin(detail)}
      ></wf-choice>
      <wf-several
        slot="ask"
        class="slots"
        .label=${words.chosen}
        .values=${shown}
        .options=${slots.map((value) => ({ value, text: words.slots[value] }))}
        @wf-change=${({ detail }: CustomEvent<string[]>) => this.#choose(detail)}
      ></wf-several>
      <div slot="ask" class="fields">
        ${shown.map((slot) => this.#field(slot, written[slot]!, names))}
        ${this.#field("parameters", written.parameters ?? "", names)}
        <div class="sliders" ?hidden=${!numbers.length}>${sliders}</div>
      </div>`;
  }

  /** The controls below the picture: the head, and the names of the language. */
  #controls(head: number) {
    const words = this.say(formulaWords);
    const choose = ({ detail }: CustomEvent<string>) =>
      this.change({ formulaHead: Number(detail) });
    const names = words.names.map(
      ([name, meaning]) => html`<dt lang="en">${name}</dt><dd>${meaning}</dd>`,
    );
    return html`<wf-choice
        slot="controls"
        class="head"
        .label=${words.head}
        .value=${String(head)}
        .options=${numbered(numHeads)}
        @wf-change=${choose}
      ></wf-choice>
      ${folded(words.language, html`<dl>${names}</dl>`)}`;
  }

  protected override render() {
    const words = this.say(formulaWords);
    const { answer } = this;
    const older = answer && this.refusal ? [words.lastPicture] : [];
    const caption = [...older, this.#caption()].join(this.words.join.sentences);
    const head = this.#head;
    const note = answer?.side
      ? words.noteGrid(numHeads, headDim, answer.side)
      : words.note(numHeads, headDim, tokens);
    const takeaway = answer && {
      at: "own",
      title: words.title,
      code: (answer.side ? gridFormulaCode : formulaCode)(optionsOf(answer.written), head),
      table: () => this.#table(answer),
      scene: () => this.scene(),
    };
    return html`<wf-frame
      .name=${words.name}
      .heading=${words.title}
      .caption=${caption}
      .waiting=${this.words.waiting}
      .note=${note}
      .caveat=${words.caveat}
      .failure=${this.failure}
      .takeaway=${takeaway}
      @wf-again=${() => this.#ask()}
    >
      ${this.#editor(writtenIn(this.state))}
      <wf-scene
        .label=${`${words.name}. ${caption}`}
        .hint=${this.words.keys}
        .draw=${drawFormula(answer, head, words, this.shared)}
      ></wf-scene>
      <wf-scale
        slot="legend"
        .label=${words.weight}
        .high=${answer ? plain(weightLimit(answer, head)) : "1"}
        .hatchLabel=${answer?.side ? "" : this.words.scale.masked}
        .theme=${this.state.theme}
      ></wf-scale>
      ${this.#controls(head)}
    </wf-frame>`;
  }
}

define("wf-formula", FormulaFigure);

/** `<wf-decoding-forms>`: one token of latent attention in its forms, timed on this device. */
import { html } from "lit";
import type { Draw } from "../../controls/scene-view.js";
import { progressBar } from "../../controls/shared-styles.js";
import { formsLayer, formsTokens } from "../../defaults.js";
import { define } from "../../define.js";
import { namedBarGrid, namedBarMarks, namedBarPitch } from "../../drawing/named-bars.js";
import { EngineClient } from "../../engine/page/client.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { grouped } from "../../text/numbers.js";
import { belowStyles } from "../shared/figure/below-styles.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { ofState } from "../shared/figure/state-properties.js";
import { caption } from "../shared/pictures/captions.js";
import { foldedTable } from "../shared/tables/plain-table.js";
import { numberTable } from "../shared/tables/table-styles.js";
import { formsCode } from "./code.js";
import {
  type DecodingForm,
  decodingForms,
  type FormsAnswer,
  type MeasuredForm,
} from "./messages.js";
import { type ByForm, formsWords } from "./words.js";
import "../../controls/choice.js";
import "../../controls/scene-view.js";
import "../shared/figure/frame.js";

/** Ratio of a form's quartiles from which times vary too much to be meaningful. */
const unsteadyFrom = 1.5;
const fieldHeight = 24 + decodingForms.length * namedBarPitch;

export class DecodingForms extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    tokens: ofState("formsTokens"),
    answer: { state: true },
    progress: { state: true },
    isCancelled: { state: true },
  };

  static override styles = [...figureStyles, numberTable, progressBar, belowStyles];

  /** Tokens in the cache. */
  declare tokens: string;
  declare answer: FormsAnswer | undefined;
  /** Set during a measurement. */
  declare progress: { done: number; total: number } | undefined;
  declare isCancelled: boolean;

  /** A separate worker, so that other figures neither wait nor disturb the measurement. */
  #line: NewestWins<"forms"> | undefined;
  #asked = 0;

  constructor() {
    super();
    this.isCancelled = false;
  }

  get data() {
    if (this.progress) return undefined;
    if (!this.answer) return this.isCancelled ? { isCancelled: true } : undefined;
    return { ...this.answer, isCancelled: this.isCancelled };
  }

  protected override wake(): void {
    void this.#measure();
  }

  protected stateChanged(): void {
    if (this.answer?.tokens !== Number(this.state.formsTokens)) void this.#measure();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#line?.cancel();
  }

  async #measure(): Promise<void> {
    const asked = ++this.#asked;
    this.isCancelled = false;
    this.progress = { done: 0, total: 0 };
    this.#line ??= new NewestWins("forms", new EngineClient());
    const hear = (done: number, total: number) => {
      if (asked === this.#asked) this.progress = { done, total };
    };
    await this.attempt(async () => {
      const answer = await this.#line!.ask({ tokens: Number(this.state.formsTokens) }, hear);
      if (asked === this.#asked && answer) this.answer = answer;
    });
    if (asked === this.#asked) this.progress = undefined;
  }

  #cancel(): void {
    this.#asked++;
    this.#line?.cancel();
    this.progress = undefined;
    this.isCancelled = true;
  }

  // -------------------------------------------------------------------------- words

  #byForm(pick: (form: MeasuredForm) => number): ByForm<number> {
    const entries = this.answer!.forms.map((form): [DecodingForm, number] => [
      form.form,
      pick(form),
    ]);
    return Object.fromEntries(entries) as ByForm<number>;
  }

  get #caption(): string {
    const words = this.say(formsWords);
    const { answer, progress } = this;
    if (progress) return "";
    if (this.isCancelled) return words.cancelled;
    if (!answer) return "";
    const isUnsteady = answer.forms.some(({ quartiles: [low, high] }) => high > unsteadyFrom * low);
    const times = this.#byForm(({ microseconds }) => microseconds);
    const cached = this.#byForm((form) => form.cached);
    return [
      words.caption(times, cached, answer.tokens),
      words.equal(answer),
      isUnsteady ? words.unsteady : "",
    ].join("");
  }

  get #heading(): string {
    const words = this.say(formsWords);
    if (!this.answer || this.progress) return words.question;
    const { remade, absorbed } = this.#byForm(({ microseconds }) => microseconds);
    return words.finding(grouped(Number((remade / absorbed).toPrecision(2))));
  }

  /** Text of about the length of the results, to reserve its space. */
  get #room() {
    const words = this.say(formsWords);
    const tokens = Number(this.state.formsTokens);
    const all = { expanded: 2560, absorbed: 576, remade: 57600 };
    const answer = { tokens, forms: [], difference: 2e-7, size: 0.293, variant: "relaxed" };
    return {
      heading: words.finding("24"),
      caption: words.caption(all, all, tokens) + words.equal(answer),
    };
  }

  // -------------------------------------------------------------------------- parts

  #draw(): Draw {
    const words = this.say(formsWords);
    const { answer } = this;
    return (width, palette, measure) => {
      const isWide = width >= 560;
      const height = isWide ? fieldHeight : 2 * fieldHeight + 16;
      if (!answer) return { width, height, marks: [], grids: [] };
      const column = isWide ? (width - 40) / 2 : width;
      const fieldOf = (x: number, y: number, kind: "microseconds" | "cached") => ({
        x,
        y: y + 24,
        width: column,
        max: Math.max(...answer.forms.map((form) => form[kind])),
        bars: answer.forms.map((form) => ({
          name: words.forms[form.form],
          value: form[kind],
          text: kind === "cached" ? words.numbers(form.cached) : words.microseconds(form[kind]),
          colour: kind === "cached" ? palette.key : palette.query,
        })),
      });
      const times = fieldOf(0, 0, "microseconds");
      const caches = isWide
        ? fieldOf(column + 40, 0, "cached")
        : fieldOf(0, fieldHeight + 16, "cached");
      const describe = (row: number) => {
        const { form, microseconds, cached, operations } = answer.forms[row]!;
        return words.cell(words.forms[form], microseconds, cached, operations);
      };
      const marks = [
        caption(palette, times.x, times.y - 12, words.time),
        caption(palette, caches.x, caches.y - 12, words.cache),
        ...namedBarMarks(times, palette, measure),
        ...namedBarMarks(caches, palette, measure),
      ];
      const grids = [namedBarGrid(times, { id: "forms", label: words.name, describe })];
      return { width, height, marks, grids };
    };
  }

  #acts() {
    const words = this.say(formsWords);
    const { progress } = this;
    if (!progress)
      return html`<div class="acts">
        <button class="again" @click=${this.#measure}>${words.again}</button>
      </div>`;
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

  #table({ forms }: FormsAnswer) {
    const words = this.say(formsWords);
    return foldedTable({
      label: words.tableLabel,
      columns: words.columns,
      rows: forms.map(({ form, microseconds, cached, operations }) => [
        words.forms[form],
        words.microseconds(microseconds),
        grouped(cached),
        grouped(operations),
      ]),
    });
  }

  #rows({ tokens, forms }: FormsAnswer): (string | number)[][] {
    return [
      ["tokens", "form", "microseconds", "numbers_kept", "operations"],
      ...forms.map((form) => [tokens, form.form, form.microseconds, form.cached, form.operations]),
    ];
  }

  protected override render() {
    const words = this.say(formsWords);
    const { answer, progress } = this;
    const { numHeads, headDim, rank, slice } = formsLayer;
    const caption = this.#caption;
    const takeaway = answer && {
      at: "forms",
      title: this.#heading,
      code: formsCode(answer.tokens),
      table: () => this.#rows(answer),
      scene: () => this.scene(),
    };
    const set = ({ detail }: CustomEvent<string>) =>
      this.change({ formsTokens: detail as (typeof formsTokens)[number] });
    return html`<wf-frame
      .name=${words.name}
      .heading=${this.#heading}
      .caption=${caption}
      .waiting=${progress ? words.measuring : ""}
      .note=${words.note(numHeads, headDim, rank, slice, answer?.variant ?? "simd")}
      .room=${this.isCancelled ? {} : this.#room}
      .caveat=${words.caveat}
      .failure=${this.failure}
      .takeaway=${takeaway}
      @wf-again=${this.#measure}
    >
      <wf-scene
        .label=${`${words.name}. ${caption}`}
        .hint=${this.words.keys}
        .draw=${this.#draw()}
      ></wf-scene>
      <wf-choice
        slot="controls"
        class="tokens"
        .label=${words.tokens}
        .value=${this.state.formsTokens}
        .options=${formsTokens.map((value) => ({ value, text: grouped(Number(value)) }))}
        @wf-change=${set}
      ></wf-choice>
      <div slot="options" class="below">${this.#acts()} ${answer ? this.#table(answer) : ""}</div>
    </wf-frame>`;
  }
}

define("wf-decoding-forms", DecodingForms);

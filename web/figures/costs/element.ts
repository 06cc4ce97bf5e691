/**
 * `<wf-costs>`: how long an attention layer takes with each scheme, on this device, beside its
 * formula.
 */
import { html } from "lit";
import { progressBar } from "../../controls/shared-styles.js";
import { costBegin, costChoices, costRows } from "../../defaults.js";
import { define } from "../../define.js";
import { type Family, familyOf } from "../../drawing/family-colours.js";
import { EngineClient } from "../../engine/page/client.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { fetchSchemeWords, schemeWords, shortTitle, wordsOf } from "../../text/schemes.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { linkedName } from "../shared/figure/page-link.js";
import { ofState } from "../shared/figure/state-properties.js";
import { familyKey } from "../shared/pictures/family-key.js";
import { familyStyles } from "../shared/pictures/family-styles.js";
import { familyWords } from "../shared/pictures/family-words.js";
import { numberTable } from "../shared/tables/table-styles.js";
import { costsCode } from "./code.js";
import type { CostSizes, MeasuredScheme, SchemeCostsAnswer } from "./messages.js";
import { drawCosts } from "./picture.js";
import { costsStyles } from "./styles.js";
import { dearFrom, isUnsteady, placeholderOf, summaryOf } from "./summary.js";
import { measurementControls, type Progress, tableOf } from "./table.js";
import { costsWords } from "./words.js";
import "../../controls/choice.js";
import "../../controls/scene-view.js";
import "../shared/figure/frame.js";
import { grouped } from "../../text/numbers.js";

type SizeName = keyof typeof costChoices;
/** Maximum number of schemes to name; of more, only their number is given. */
const maxNamed = 3;
/** Those whose schemes are measured. */
const families: readonly Family[] = ["none", "absolute", "rotary", "relative", "latent"];
const sizeNames = Object.keys(costChoices) as SizeName[];

export class Costs extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    tokens: ofState("costSizes", 0),
    headDim: ofState("costSizes", 1, "head-dim"),
    heads: ofState("costSizes", 2),
    answer: { state: true },
    progress: { state: true },
    isCancelled: { state: true },
  };

  static override styles = [...figureStyles, familyStyles, numberTable, progressBar, costsStyles];

  /** Tokens in the measured layer. */
  declare tokens: number;
  /** Channels of a head. */
  declare headDim: number;
  /** Heads. */
  declare heads: number;
  declare answer: SchemeCostsAnswer | undefined;
  /** Set during a measurement. */
  declare progress: Progress | undefined;
  declare isCancelled: boolean;

  /** A separate worker, so that other figures neither wait nor disturb the measurement. */
  #line: NewestWins<"costs"> | undefined;
  #asked = 0;

  constructor() {
    super();
    this.isCancelled = false;
  }

  get data() {
    if (this.progress || !this.answer) return undefined;
    return { ...this.answer, isCancelled: this.isCancelled };
  }

  protected override wake(): void {
    void this.#measure();
  }

  protected stateChanged(): void {
    this.fetchNames();
    const { tokens, headDim, numHeads } = this.#sizes;
    const measured = this.answer?.sizes;
    const isNew =
      measured?.tokens !== tokens || measured.headDim !== headDim || measured.numHeads !== numHeads;
    if (isNew || this.progress) void this.#measure();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#line?.cancel();
  }

  /** Sizes in the address, replaced by offered ones if invalid. */
  get #sizes(): CostSizes {
    const written = this.state.costSizes;
    const sizes = sizeNames.map((name, index) => {
      const choices: readonly number[] = costChoices[name];
      return choices.includes(written[index]!) ? written[index]! : costBegin[index]!;
    });
    const [tokens, headDim, numHeads] = sizes as [number, number, number];
    return { tokens, headDim, numHeads };
  }

  async #measure(): Promise<void> {
    const asked = ++this.#asked;
    this.isCancelled = false;
    this.progress = { done: 0, total: 0 };
    this.#line ??= new NewestWins("costs", new EngineClient());
    const hear = (done: number, total: number) => {
      if (asked === this.#asked) this.progress = { done, total };
    };
    await this.attempt(async () => {
      const [answer] = await Promise.all([
        this.#line!.ask(this.#sizes, hear),
        fetchSchemeWords(this.state.language),
      ]);
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

  #choose(name: SizeName, value: number): void {
    const sizes = { ...this.#sizes, [name]: value };
    this.change({ costSizes: sizeNames.map((one) => sizes[one]) });
  }

  // -------------------------------------------------------------------------- words

  #name = (scheme: string): string => shortTitle(wordsOf(schemeWords(this.state.language), scheme));

  #list(schemes: readonly MeasuredScheme[]): string {
    return this.say(costsWords).list(schemes.map(({ scheme }) => this.#name(scheme)));
  }

  /** Returns a sentence with the slowest scheme, if its rounds distinguish it from all others. */
  #dearest(all: readonly MeasuredScheme[]): string {
    const words = this.say(costsWords);
    const [{ scheme, ratio, formula }] = all as [MeasuredScheme];
    if (all.length === 1) return words.dearest(this.#name(scheme), ratio, formula);
    return words.undecided(all.length > maxNamed ? words.someSchemes(all.length) : this.#list(all));
  }

  get #heading(): string {
    const words = this.say(costsWords);
    const summary = this.answer && summaryOf(this.answer.rows);
    if (!summary || isUnsteady(this.answer!.quartiles)) return words.question;
    return words.finding(summary.fast, this.answer!.rows.length, dearFrom);
  }

  get #caption(): string {
    const words = this.say(costsWords);
    const summary = this.answer && summaryOf(this.answer.rows);
    if (!summary || this.progress) return this.isCancelled ? words.cancelled : "";
    const { cheap, dear, min, max, dearest } = summary;
    const { quartiles } = this.answer!;
    const isChance = isUnsteady(quartiles);
    // If times are unreliable, a warning replaces the sentence on the more expensive schemes, so
    // that the height hardly changes.
    return [
      isChance ? words.unsteady(...quartiles) : "",
      cheap.length ? words.cheapCaption(cheap.length, min, max, dearFrom) : "",
      dear.length && !isChance ? words.dearCaption(this.#list(dear)) : "",
      this.#dearest(dearest),
      this.isCancelled ? words.cancelled : "",
    ].join("");
  }

  /** Number of empty rows before the first result. */
  get #blanks(): number {
    if (this.answer || this.isCancelled) return 0;
    return this.progress?.total ? this.progress.total + 1 : costRows;
  }

  #rows(all: readonly MeasuredScheme[]): (string | number)[][] {
    const { tokens, headDim, numHeads } = this.answer!.sizes;
    return [
      [
        "tokens",
        "head_dim",
        "heads",
        "scheme",
        "microseconds",
        "ratio",
        "formula_ratio",
        "trained_numbers",
        "cache_bytes_per_token",
      ],
      ...all.map(({ scheme, microseconds, ratio, formula, parameters, cacheBytes }) => [
        tokens,
        headDim,
        numHeads,
        scheme,
        microseconds,
        ratio,
        formula,
        parameters,
        cacheBytes,
      ]),
    ];
  }

  // -------------------------------------------------------------------------- parts

  #renderChoice(name: SizeName) {
    const words = this.say(costsWords);
    return html`<wf-choice
      class=${name}
      .label=${words.sizes[name]}
      .value=${String(this.#sizes[name])}
      .options=${costChoices[name].map((value) => ({
        value: String(value),
        text: grouped(value),
      }))}
      @wf-change=${(event: CustomEvent<string>) => this.#choose(name, Number(event.detail))}
    ></wf-choice>`;
  }

  protected override render() {
    const words = this.say(costsWords);
    const { answer, progress } = this;
    const all = answer ? [answer.base, ...answer.rows] : [];
    const caption = this.#caption;
    const draw = drawCosts({
      bars: all.map(({ scheme, microseconds, ratio, formula }) => ({
        name: this.#name(scheme),
        family: familyOf(scheme),
        microseconds,
        ratio,
        expected: formula,
      })),
      blanks: this.#blanks,
      words,
      describe: (row) => {
        const { scheme, microseconds, ratio, formula } = all[row]!;
        return words.bar(this.#name(scheme), microseconds, ratio, formula);
      },
    });
    const takeaway = answer && {
      at: "cost",
      title: words.question,
      code: costsCode(answer.sizes),
      table: () => this.#rows(all),
      scene: () => this.scene(),
    };
    return html`<wf-frame
      .name=${words.name}
      .heading=${this.#heading}
      .caption=${caption}
      .waiting=${progress ? words.measuring : ""}
      .room=${this.isCancelled ? {} : placeholderOf(words, this.#sizes)}
      .note=${answer ? words.note(answer) : ""}
      .caveat=${words.caveat}
      .failure=${this.failure}
      .takeaway=${takeaway}
      @wf-again=${this.#measure}
    >
      <wf-scene
        class="picture ${progress && answer ? "stale" : ""}"
        .label=${`${words.name}. ${caption}`}
        .hint=${this.words.keys}
        .draw=${draw}
      ></wf-scene>
      ${familyKey(families, this.say(familyWords))}
      <div slot="controls">${sizeNames.map((name) => this.#renderChoice(name))}</div>
      <div slot="options" class="below">
        ${measurementControls(progress, words, {
          cancel: () => this.#cancel(),
          again: () => void this.#measure(),
        })}
        ${tableOf(all, this.#blanks, words, (id) => linkedName(id, this.shared, this.#name(id)))}
      </div>
    </wf-frame>`;
  }
}

define("wf-costs", Costs);

/**
 * `<wf-scheme-portrait>`: the open scheme of the gallery: its description, its picture, its
 * options, one logit as a sum.
 */
import { html, nothing } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import type { SchemeDescription } from "whereformer";
import { numbered } from "../../controls/choice.js";
import { define } from "../../define.js";
import "./option-form.js";
import "../../controls/scale.js";
import "../../controls/scene-view.js";
import type { CellEventDetail, Draw } from "../../controls/scene-view.js";
import { galleryModel } from "../../defaults.js";
import { signed } from "../../drawing/bars.js";
import type { Cell } from "../../drawing/scene.js";
import type { PortraitAnswer } from "../../engine/both/messages.js";
import { type OptionValues, readOptions, writeOptions } from "../../engine/both/scheme-options.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { citation, inline } from "../../text/inline.js";
import { measured } from "../../text/numbers.js";
import type { SchemeWords } from "../../text/schemes.js";
import { FigureElement } from "../shared/figure/figure-element.js";
import { Memo } from "../shared/figure/memo.js";
import { pageLink } from "../shared/figure/page-link.js";
import { claimsList } from "./claims-list.js";
import { portraitCode } from "./code.js";
import { costTable } from "./cost-table.js";
import {
  drawPortrait,
  kindOf,
  type Portrait,
  type Sight,
  termsAt,
  weightsOf,
} from "./portrait-picture.js";
import { portraitStyles } from "./portrait-styles.js";
import { portraitTable } from "./portrait-table.js";
import { type GalleryTexts, galleryWords } from "./words.js";
import "../shared/figure/frame.js";

interface Shown {
  answer: PortraitAnswer;
  options: OptionValues;
}

export class SchemePortrait extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    description: { attribute: false },
    said: { attribute: false },
    tokens: { attribute: false },
    isBare: { attribute: false },
    isNarrow: { attribute: false },
    shown: { state: true },
    pointed: { state: true },
  };
  static override styles = portraitStyles;

  declare description: SchemeDescription;
  declare said: SchemeWords;
  declare tokens: string[];
  /** True if the page around the element describes the scheme. */
  declare isBare: boolean;
  /** True in one column, below its card, which describes the scheme. */
  declare isNarrow: boolean;
  declare shown: Shown | undefined;
  /** Cell under the pointer. */
  declare pointed: Cell | undefined;
  #asked = "";
  #line = new NewestWins("portrait");
  #drawn = new Memo<Draw>();

  get data() {
    const portrait = this.#portrait();
    if (!portrait) return undefined;
    const { answer, ...rest } = portrait;
    return { ...answer, ...rest, ...termsAt(portrait), options: this.shown!.options };
  }

  protected override get watched() {
    return ["galleryOptions", "galleryHead", "galleryCell"] as const;
  }

  protected override get isOpened(): boolean {
    return true;
  }

  protected stateChanged(): void {
    void this.#ask();
  }

  protected override updated(): void {
    if (this.isAwake) void this.#ask();
  }

  get #options(): OptionValues {
    return readOptions(this.description, this.state.galleryOptions);
  }

  async #ask(): Promise<void> {
    const { tokens, description } = this;
    const options = this.#options;
    const asked = JSON.stringify([description.id, options, tokens]);
    if (asked === this.#asked) return;
    this.#asked = asked;
    await this.attempt(async () => {
      const scheme = description.id;
      const answer = await this.#line.ask({ scheme, options, tokens, isDetailed: true });
      if (answer) this.shown = { answer, options };
    });
  }

  /** The drawn answer; undefined while it is that of another scheme. */
  #portrait(): Portrait | undefined {
    const { shown } = this;
    if (!shown || shown.answer.scheme !== this.description.id) return undefined;
    const head = Math.min(this.state.galleryHead, shown.answer.numHeads - 1);
    const sight = { answer: shown.answer, head };
    const [row, column] = this.state.galleryCell.length
      ? this.state.galleryCell
      : this.#suggested(sight);
    const cell = this.pointed ?? { row: row!, column: column! };
    return { ...sight, active: this.#within(cell, shown.answer) };
  }

  /** Returns the nearest cell of the answer that is not masked. */
  #within({ row, column }: Cell, { labels, isCausal }: PortraitAnswer): Cell {
    const last = labels.length - 1;
    const within = Math.min(row, last);
    return { row: within, column: Math.min(column, isCausal ? within : last) };
  }

  /** Returns the key with the last query's largest weight, without the query's own. */
  #suggested(sight: Sight): [number, number] {
    const last = sight.answer.labels.length - 1;
    const row = weightsOf(sight).subarray(last * (last + 1), last * (last + 1) + last);
    return [last, Math.max(0, row.indexOf(Math.max(...row)))];
  }

  get #texts(): GalleryTexts {
    return { gallery: this.say(galleryWords), shared: this.shared, page: this.words };
  }

  #caption(portrait: Portrait): string {
    const words = this.#texts;
    const { terms, total } = termsAt(portrait);
    const { answer, active } = portrait;
    const { labels } = answer;
    const parts = terms.map(
      ({ name, value }) => `${words.shared.terms.names[name] ?? name} ${signed(value)}`,
    );
    const error = Math.abs(terms.reduce((sum, { value }) => sum + value, 0) - total);
    return words.gallery.caption(
      labels[active.row]!,
      labels[active.column]!,
      parts.join(words.page.join.items),
      signed(total),
      measured(error),
    );
  }

  #note(portrait: Portrait | undefined): string {
    const words = this.say(galleryWords);
    const note = words.note(galleryModel.seed, portrait?.answer.isCausal ?? true);
    return portrait?.answer.isShortened
      ? words.shortened(portrait.answer.labels.length) + note
      : note;
  }

  #onCell({ grid, row, column, chosen }: CellEventDetail): void {
    if (grid !== "map" && grid !== "added") return;
    if (!this.shown) return;
    const cell = this.#within({ row, column }, this.shown.answer);
    this.pointed = chosen ? undefined : cell;
    if (chosen) this.change({ galleryCell: [cell.row, cell.column] });
  }

  #about(portrait: Portrait | undefined) {
    const words = this.say(galleryWords);
    const { claims, paper, family, year } = this.description;
    const { summary, formula, symbols } = this.said;
    return html`<div slot="ask" class="about">
      <div class="text">
        ${this.isNarrow ? nothing : html`<p class="summary">${summary}</p>`}
        <p class="symbols">${inline(symbols)}</p>
      </div>
      <div class="facts">
        ${
          formula
            ? html`<div class="formula" tabindex="0" role="group" aria-label=${words.formula}
                >${unsafeHTML(formula)}</div
              >`
            : nothing
        }
        ${claimsList(claims, portrait?.answer.ends, words)}
        <p class="paper">
          <span class="family ${family}">${words.families[family] ?? family}</span> ·
          <span lang="en">${paper ? citation(paper) : year}</span>
        </p>
        ${this.isNarrow ? nothing : pageLink(this.description.id, this.shared)}
      </div>
      <div class="costs">${costTable(portrait?.answer.cost, claims.decodes, this.#texts)}</div>
    </div>`;
  }

  #controls(numHeads: number) {
    const words = this.say(galleryWords);
    const { language } = this.state;
    const write = ({ detail }: CustomEvent<OptionValues>) =>
      this.change({ galleryOptions: writeOptions(this.description, detail) });
    return html`<wf-choice
        slot="legend"
        class="head"
        .label=${words.head}
        .value=${String(Math.min(this.state.galleryHead, numHeads - 1))}
        .options=${numbered(numHeads)}
        @wf-change=${({ detail }: CustomEvent<string>) =>
          this.change({ galleryHead: Number(detail) })}
      ></wf-choice>
      <wf-option-form
        slot="options"
        .scheme=${this.description.id}
        .options=${this.description.options}
        .values=${this.#options}
        .isShort=${this.isNarrow}
        .help=${this.isBare ? {} : this.said.options}
        .language=${language}
        @wf-change=${write}
      ></wf-option-form>`;
  }

  /** Returns the drawing, and the same function while only the marked cell moves. */
  #picture(portrait: Portrait | undefined): Draw {
    const { language, theme } = this.state;
    const { answer, head } = portrait ?? {};
    return this.#drawn.of([answer, head, language, theme], () =>
      drawPortrait(portrait, this.#texts),
    );
  }

  protected override render() {
    const words = this.say(galleryWords);
    const portrait = this.#portrait();
    const caption = portrait ? this.#caption(portrait) : "";
    const kind = portrait && kindOf(portrait.answer.picture);
    const takeaway = portrait && {
      at: this.isBare ? "live" : "schemes",
      title: this.said.title,
      code: portraitCode(portrait, this.shown!.options),
      table: () => portraitTable(portrait),
      scene: () => this.scene(),
    };
    return html`<wf-frame
      class=${this.isNarrow && !this.isBare ? "below-card" : ""}
      .name=${this.said.title}
      .heading=${this.said.title}
      .caption=${caption}
      .isQuiet=${true}
      .waiting=${this.words.waiting}
      .note=${this.#note(portrait)}
      .caveat=${words.caveat}
      .failure=${this.failure}
      .takeaway=${takeaway}
      @wf-again=${() => {
        this.#asked = "";
        void this.#ask();
      }}
    >
      ${this.isBare ? nothing : this.#about(portrait)}
      <wf-scene
        .label=${`${kind ? words.kinds[kind] : ""}. ${caption}`}
        .hint=${this.words.keys}
        .draw=${this.#picture(portrait)}
        .active=${portrait?.active}
        @wf-cell=${(event: CustomEvent<CellEventDetail>) => this.#onCell(event.detail)}
        @wf-leave=${() => (this.pointed = undefined)}
      ></wf-scene>
      ${this.#controls(portrait?.answer.numHeads ?? galleryModel.numHeads)}
      <wf-scale
        slot="legend"
        .label=${this.words.scale.weight}
        .hatchLabel=${portrait?.answer.isCausal === false ? "" : this.words.scale.masked}
        .theme=${this.state.theme}
      ></wf-scale>
    </wf-frame>`;
  }
}

define("wf-scheme-portrait", SchemePortrait);

/** `<wf-score-terms>`: one score of each model, split into its terms. */
import { html } from "lit";
import { define } from "../../define.js";
import "../../controls/pick.js";
import { blindScheme, sightedScheme } from "../../defaults.js";
import { signed } from "../../drawing/bars.js";
import { measured } from "../../text/numbers.js";
import { scoreCode } from "../shared/exports/code.js";
import { figureStyles } from "../shared/figure/figure-element.js";
import { TextFigure } from "../shared/trained/text-figure.js";
import { drawSums, type Sum } from "./picture.js";
import { termsStyles } from "./styles.js";
import { termsWords } from "./words.js";
import "../../controls/scene-view.js";
import "../shared/figure/frame.js";

/** Returns a sum without numbers, to reserve its space. */
const blankOf = (scheme: string): Sum => {
  const content = { name: "content", value: 0 };
  const terms = scheme === blindScheme ? [content] : [content, { name: "rotation", value: 0 }];
  const pairs = scheme === sightedScheme && { pairs: new Float32Array(16) };
  return { scheme, terms, total: 0, ...pairs };
};

export class ScoreTerms extends TextFigure {
  static override styles = [...figureStyles, termsStyles];

  get data(): { row: number; column: number; sums: Sum[] } | undefined {
    const { active, detail } = this.session;
    if (!active || !detail || !this.session.isDetailed) return undefined;
    const at = active.row * detail.tokens.length + active.column;
    const sums = detail.details.map(({ scheme, terms, logits, pairs, wavelengths }): Sum => {
      const split = Object.entries(terms).map(([name, values]) => ({ name, value: values[at]! }));
      const sum = { scheme, terms: split, total: logits[at]! };
      if (!pairs) return sum;
      const count = pairs.length / logits.length;
      return {
        ...sum,
        pairs: pairs.slice(at * count, (at + 1) * count),
        ...(wavelengths && { wavelengths }),
      };
    });
    return { ...active, sums };
  }

  #termName(name: string): string {
    return this.shared.terms.names[name] ?? name;
  }

  #caption(sums: readonly Sum[]): string {
    const words = this.say(termsWords);
    const parts = sums.map(({ scheme, terms, total }) => {
      const added = terms.reduce((sum, { value }) => sum + value, 0);
      const written = terms
        .map(({ name, value }) => `${this.#termName(name)} ${signed(value)}`)
        .join(this.words.join.items);
      return words.sum(
        this.name(scheme),
        written,
        signed(total),
        measured(Math.abs(added - total)),
      );
    });
    return words.caption(parts.join(this.words.join.parts));
  }

  #table(): (string | number)[][] {
    const { row, column, sums } = this.data!;
    const labels = this.labels;
    const cell = [row + 1, labels[row]!, column + 1, labels[column]!];
    const rows = sums.flatMap(({ scheme, terms, total, pairs }) => [
      ...terms.map(({ name, value }) => [scheme, ...cell, name, value]),
      [scheme, ...cell, "sum", total],
      ...[...(pairs ?? [])].map((value, index) => [scheme, ...cell, `pair ${index + 1}`, value]),
    ]);
    return [["scheme", "row", "query", "column", "key", "term", "value"], ...rows];
  }

  #controls() {
    const words = this.say(termsWords);
    const { active } = this.session;
    if (!active)
      return html`<div slot="controls" class="sentence kept">
        <span>${words.pick}</span>
        <span class="pair">
          <wf-pick .words=${["\u00a0"]} .value=${0}></wf-pick>
        </span>
      </div>`;
    const labels = this.labels.map((label, index) => `${index + 1} ${label}`);
    const choose = (row: number, column: number) =>
      this.change({ cell: [row, Math.min(column, row)] });
    return html`<div slot="controls" class="sentence">
      <span>${words.pick}</span>
      <span class="pair">
        <wf-pick
          .label=${words.row}
          .words=${labels}
          .value=${active.row}
          @wf-change=${(event: CustomEvent<number>) => choose(event.detail, active.column)}
        ></wf-pick>
        →
        <wf-pick
          .label=${words.column}
          .words=${labels.slice(0, active.row + 1)}
          .value=${active.column}
          @wf-change=${(event: CustomEvent<number>) => choose(active.row, event.detail)}
        ></wf-pick>
      </span>
    </div>`;
  }

  protected override render() {
    const words = this.say(termsWords);
    const { data } = this;
    const labels = this.labels;
    const heading = data ? words.title(labels[data.row]!, labels[data.column]!) : words.name;
    const blanks = this.session.shown.map(blankOf);
    const caption = data ? this.#caption(data.sums) : "";
    const takeaway = data && {
      at: "terms",
      title: heading,
      code: scoreCode(this.session.headRead, data.row, data.column),
      table: () => this.#table(),
      scene: () => this.scene(),
    };
    const names = {
      total: this.shared.terms.total,
      scheme: (id: string) => this.name(id),
      term: (name: string) => this.#termName(name),
    };
    return html`<wf-frame
      .isQuiet=${true}
      .name=${words.name}
      .heading=${heading}
      .caption=${caption}
      .waiting=${this.waitingText}
      .room=${{ caption: this.#caption(blanks) }}
      .caveat=${words.caveat}
      .failure=${this.failed}
      .takeaway=${takeaway}
      @wf-again=${() => this.session.begin(this.models)}
    >
      <wf-scene
        .label=${`${words.name}. ${caption}`}
        .hint=${this.words.keys}
        .draw=${drawSums(data?.sums ?? blanks, !data, names, words)}
      ></wf-scene>
      ${this.#controls()}
    </wf-frame>`;
  }
}

define("wf-score-terms", ScoreTerms);

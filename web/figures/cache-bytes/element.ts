/**
 * `<wf-cache-bytes>`: numbers that a cache keeps for a token, by the number of heads that share
 * them.
 */
import { html } from "lit";
import type { Draw } from "../../controls/scene-view.js";
import { cacheEnds, cacheModels } from "../../defaults.js";
import { define } from "../../define.js";
import {
  type CacheBytesAnswer,
  type CacheKind,
  type CacheQuestion,
  cacheKinds,
} from "../../engine/both/cache-messages.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { bytesText } from "../../text/bytes.js";
import { grouped } from "../../text/numbers.js";
import { cacheCode } from "../shared/exports/cache-code.js";
import { belowStyles } from "../shared/figure/below-styles.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { ofState } from "../shared/figure/state-properties.js";
import { cachesHeight, drawCaches } from "../shared/pictures/cache-picture.js";
import { foldedTable } from "../shared/tables/plain-table.js";
import { numberTable } from "../shared/tables/table-styles.js";
import { cacheWords, type Told } from "./words.js";
import "../../controls/choice.js";
import "../../controls/scene-view.js";
import "../../controls/scrub.js";
import "../../controls/slider.js";
import "../shared/figure/frame.js";

const bytesPerNumber = 2;
type Sizes = [number, number, number, number, number, number, number];

/** Indices of the sizes that are always in view; the others are folded away. */
const open = [0, 3, 6];
const expert = [1, 2, 4, 5];

/** Returns the largest divisor of `whole` that is not above `wanted`. */
export function divisorBelow(whole: number, wanted: number): number {
  let divisor = Math.min(whole, Math.max(1, wanted));
  while (whole % divisor) divisor--;
  return divisor;
}

/**
 * Returns sizes within their limits: groups divide the heads, and rotated channels come in pairs.
 */
export function fitting(written: readonly number[]): Sizes {
  const [heads, groups, headDim, rank, slice, layers, thousands] = cacheEnds.map(
    ([min, max], index) => Math.min(max, Math.max(min, written[index]!)),
  ) as Sizes;
  const even = (value: number) => value - (value % 2);
  return [heads, divisorBelow(heads, groups), even(headDim), rank, even(slice), layers, thousands];
}

const questionOf = ([numHeads, groups, headDim, rank, slice]: Sizes): CacheQuestion => ({
  numHeads,
  groups,
  headDim,
  rank,
  slice,
});

export class CacheBytes extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    heads: ofState("cacheSizes", 0),
    groups: ofState("cacheSizes", 1),
    headDim: ofState("cacheSizes", 2, "head-dim"),
    rank: ofState("cacheSizes", 3),
    slice: ofState("cacheSizes", 4),
    layers: ofState("cacheSizes", 5),
    thousands: ofState("cacheSizes", 6),
    shown: { state: true },
  };
  static override styles = [...figureStyles, numberTable, belowStyles];

  /** Heads of queries. */
  declare heads: number;
  /** Heads of keys and values in grouped attention. */
  declare groups: number;
  /** Channels of a head. */
  declare headDim: number;
  /** Channels of the latent vector. */
  declare rank: number;
  /** Channels of the part that rotates. */
  declare slice: number;
  /** Layers. */
  declare layers: number;
  /** Length of the text, in 1,024 tokens. */
  declare thousands: number;
  declare shown: CacheBytesAnswer | undefined;
  #line = new NewestWins("cache");

  get data() {
    return this.shown;
  }

  protected stateChanged(): void {
    void this.#ask();
  }

  get #sizes(): Sizes {
    return fitting(this.state.cacheSizes);
  }

  #ask(): Promise<void> {
    return this.attempt(async () => {
      const answer = await this.#line.ask(questionOf(this.#sizes));
      if (answer) this.shown = answer;
    });
  }

  /** Returns the numbers for the caption: bytes of the whole text in all layers. */
  #told(shown: CacheBytesAnswer): Told {
    const [, , , , , layers, thousands] = this.#sizes;
    const tokens = thousands * 1024;
    const entries = cacheKinds.map((kind): [CacheKind, number] => [
      kind,
      shown.numbers[kind] * bytesPerNumber * layers * tokens,
    ]);
    const totals = Object.fromEntries(entries) as Record<CacheKind, number>;
    return { numbers: shown.numbers, totals, question: shown, layers, tokens };
  }

  #draw(told: Told | undefined): Draw {
    const words = this.say(cacheWords);
    if (!told)
      return (width) => ({ width, height: cachesHeight(cacheKinds.length), marks: [], grids: [] });
    const { numbers, question, totals } = told;
    const bars = cacheKinds.map((kind) => ({
      name: words.kinds[kind],
      value: numbers[kind],
      text: words.numbers(numbers[kind]),
      how: words.how[kind](question),
      isMarked: kind === "latent",
      told: words.cell(words.kinds[kind], numbers[kind], bytesText(totals[kind])),
    }));
    return drawCaches(bars, words);
  }

  // -------------------------------------------------------------------------- parts

  #slider(index: number) {
    const words = this.say(cacheWords);
    const sizes = this.#sizes;
    const [min, max] = cacheEnds[index]!;
    const value = sizes[index]!;
    const isText = index === sizes.length - 1;
    const set = ({ detail }: CustomEvent<number>) =>
      this.change({ cacheSizes: sizes.map((size, at) => (at === index ? detail : size)) });
    return html`<wf-slider
      .label=${words.sizes[index]!}
      .value=${value}
      .min=${min}
      .max=${max}
      .text=${isText ? words.text(value) : grouped(value)}
      @wf-change=${set}
    ></wf-slider>`;
  }

  #models() {
    const words = this.say(cacheWords);
    const sizes = this.#sizes.join();
    const known = Object.entries(cacheModels);
    const chosen = known.find(([, model]) => model.join() === sizes)?.[0] ?? "";
    const options = known.map(([value]) => ({ value, text: words.modelNames[value]! }));
    if (!chosen) options.push({ value: "", text: words.custom });
    const set = ({ detail }: CustomEvent<string>) => {
      const model = cacheModels[detail as keyof typeof cacheModels];
      if (model) this.change({ cacheSizes: model });
    };
    return html`<wf-choice
      slot="controls"
      class="model"
      .label=${words.models}
      .value=${chosen}
      .options=${options}
      @wf-change=${set}
    ></wf-choice>`;
  }

  #table({ numbers, totals, layers }: Told) {
    const words = this.say(cacheWords);
    return foldedTable({
      label: words.tableLabel,
      columns: words.columns,
      rows: cacheKinds.map((kind) => [
        words.kinds[kind],
        grouped(numbers[kind]),
        grouped(numbers[kind] * bytesPerNumber * layers),
        bytesText(totals[kind]),
      ]),
    });
  }

  protected override render() {
    const words = this.say(cacheWords);
    const { shown } = this;
    const told = shown && this.#told(shown);
    const caption = told ? words.caption(told) : "";
    const title = shown ? words.title(shown.numbers.mha / shown.numbers.latent) : words.name;
    const takeaway = told && {
      at: "cache",
      title,
      code: cacheCode(told.question),
      table: () => [
        ["kind", "numbers_a_token_and_layer", "bytes_of_the_text"],
        ...cacheKinds.map((kind) => [kind, told.numbers[kind], told.totals[kind]]),
      ],
      scene: () => this.scene(),
    };
    return html`<wf-frame
      .name=${words.name}
      .heading=${title}
      .caption=${caption}
      .waiting=${this.words.waiting}
      .note=${words.note}
      .caveat=${words.caveat}
      .failure=${this.failure}
      .takeaway=${takeaway}
      @wf-again=${() => this.#ask()}
    >
      <wf-scene
        .label=${`${words.name}. ${caption}`}
        .hint=${this.words.keys}
        .draw=${this.#draw(told)}
      ></wf-scene>
      ${this.#models()}
      ${open.map((index) => html`<div slot="controls">${this.#slider(index)}</div>`)}
      <div slot="options" class="below">
        <details class="all"
          ><summary>${words.options}</summary>
          ${expert.map((index) => this.#slider(index))}
        </details>
        ${told ? this.#table(told) : ""}
      </div>
    </wf-frame>`;
  }
}

define("wf-cache-bytes", CacheBytes);

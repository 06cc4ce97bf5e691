/**
 * `<wf-causal-order>`: exchanges the first two tokens, and shows whether the output of the last one
 * changes.
 */
import { html } from "lit";
import { define } from "../../define.js";
import "../../controls/scale.js";
import "../../controls/scene-view.js";
import "../../controls/text-line.js";
import { longestSentence, orderModel } from "../../defaults.js";
import { roundUp } from "../../drawing/axes.js";
import type { OrderAnswer } from "../../engine/both/messages.js";
import { exchange, idsOf, splitWords } from "../../engine/both/sentences.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { typedText, writtenText } from "../../page-state.js";
import { measured } from "../../text/numbers.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { ofState } from "../shared/figure/state-properties.js";
import { orderCode } from "./code.js";
import { drawOrder } from "./picture.js";
import { orderStyles } from "./styles.js";
import { orderWords } from "./words.js";
import "../shared/figure/frame.js";

interface Shown {
  tokens: string[];
  swapped: string[];
  seed: number;
  answer: OrderAnswer;
}

export class CausalOrder extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    text: ofState("orderText"),
    seed: ofState("orderSeed"),
    shown: { state: true },
  };
  static override styles = [...figureStyles, orderStyles];

  /** The sentence, of at least three words; empty for the default of the language. */
  declare text: string;
  /** Seed of the untrained weights. */
  declare seed: number;
  declare shown: Shown | undefined;
  #line = new NewestWins("order");

  get data() {
    if (!this.shown) return undefined;
    const { answer, ...rest } = this.shown;
    return { ...rest, ...answer };
  }

  #typed(): string[] {
    return splitWords(
      typedText(this.state.orderText, this.say(orderWords).sentence),
      this.words.locale,
    );
  }

  protected stateChanged(): void {
    void this.#ask();
  }

  #ask(): Promise<void> {
    return this.attempt(async () => {
      const tokens = this.#typed().slice(0, longestSentence);
      if (tokens.length < 3) return;
      const swapped = exchange(tokens, 0, 1);
      const seed = this.state.orderSeed;
      const ids = (list: string[]) => idsOf(list, orderModel.vocabSize);
      const answer = await this.#line.ask({ idsA: ids(tokens), idsB: ids(swapped), seed });
      if (answer) this.shown = { tokens, swapped, seed, answer };
    });
  }

  #caption(): string {
    if (!this.shown) return "";
    const { tokens, answer } = this.shown;
    const [open, one, two] = answer.cases.map((found) => measured(found.lastDifference));
    return this.say(orderWords).caption(tokens.at(-1)!, open!, one!, two!);
  }

  #table(): (string | number)[][] {
    const { tokens, swapped, answer } = this.shown!;
    const n = tokens.length;
    const rows = answer.cases.flatMap((found) =>
      (
        [
          ["as typed", tokens, found.mapA],
          ["exchanged", swapped, found.mapB],
        ] as const
      ).flatMap(([name, list, map]) =>
        [...map].map((value, index) => [
          found.isCausal ? "causal" : "none",
          found.numLayers,
          name,
          list[Math.floor(index / n)]!,
          list[index % n]!,
          value,
          found.lastDifference,
        ]),
      ),
    );
    return [
      ["mask", "layers", "order", "query", "key", "weight", "last_output_difference"],
      ...rows,
    ];
  }

  #controls() {
    const words = this.say(orderWords);
    const remark = this.#typed().length < 3 ? words.tooShort : "";
    const write = ({ detail }: CustomEvent<string>) =>
      this.change({ orderText: writtenText(detail, words.sentence) });
    const reseed = () => this.change({ orderSeed: this.state.orderSeed + 1 });
    return html`<wf-text-line
        slot="controls"
        .label=${words.input}
        .value=${typedText(this.state.orderText, words.sentence)}
        .remark=${remark}
        .examples=${words.examples}
        @wf-change=${write}
      ></wf-text-line>
      <button slot="controls" class="weights" @click=${reseed}> ${words.newWeights} </button>`;
  }

  protected override render() {
    const words = this.say(orderWords);
    const caption = this.#caption();
    const shown = this.shown;
    const limit = shown
      ? roundUp(Math.max(...shown.answer.cases.flatMap(({ mapA, mapB }) => [...mapA, ...mapB])))
      : 1;
    const takeaway = shown && {
      at: "mask",
      title: words.title,
      code: orderCode(shown.tokens, shown.swapped, shown.seed),
      table: () => this.#table(),
      scene: () => this.scene(),
    };
    return html`<wf-frame
      .name=${words.name}
      .heading=${words.title}
      .caption=${caption}
      .waiting=${this.words.waiting}
      .note=${words.note(this.state.orderSeed)}
      .caveat=${words.caveat}
      .failure=${this.failure}
      .takeaway=${takeaway}
      @wf-again=${() => this.#ask()}
    >
      <wf-scene
        .label=${`${words.name}. ${caption}`}
        .hint=${this.words.keys}
        .draw=${drawOrder(shown && { ...shown, ...shown.answer, limit }, words, this.words)}
      ></wf-scene>
      <wf-scale
        slot="legend"
        .label=${this.words.scale.weight}
        .high=${String(limit)}
        .hatchLabel=${this.words.scale.masked}
        .theme=${this.state.theme}
      ></wf-scale>
      <span slot="legend" class="query">${this.words.scale.query}</span>
      <span slot="legend" class="key">${this.words.scale.key}</span>
      <span slot="legend">${words.inkKey}</span>
      ${this.#controls()}
    </wf-frame>`;
  }
}

define("wf-causal-order", CausalOrder);

/**
 * `<wf-who-chases>`: two orders of the same words through one untrained layer, with or without
 * positions.
 */
import { html } from "lit";
import { define } from "../../define.js";
import "../../controls/scale.js";
import { blindScheme, chaseModel, schemeName } from "../../defaults.js";
import { roundUp } from "../../drawing/axes.js";
import type { PairAnswer } from "../../engine/both/messages.js";
import { idsOf, type Pair, pairOf, splitWords } from "../../engine/both/sentences.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { typedText } from "../../page-state.js";
import { measured } from "../../text/numbers.js";
import { FigureElement } from "../shared/figure/figure-element.js";
import { ofState } from "../shared/figure/state-properties.js";
import { chaseCode } from "./code.js";
import { chaseControls, usedWords } from "./controls.js";
import { drawPair } from "./picture.js";
import { chaseWords } from "./words.js";
import "../../controls/scene-view.js";
import "../shared/figure/frame.js";

/** Maximum difference that rounding in 32-bit arithmetic causes. */
const rounding = 1e-5;

interface Shown {
  pair: Pair;
  scheme: string;
  answer: PairAnswer;
}

export class WhoChases extends FigureElement {
  static override lead = "wf-choice.positions";
  static override properties = {
    ...FigureElement.properties,
    text: ofState("chaseText"),
    first: ofState("chaseSwap", 0),
    second: ofState("chaseSwap", 1),
    scheme: ofState("chaseScheme"),
    unit: ofState("chaseUnit"),
    shown: { state: true },
  };

  /** The sentence; empty for the default of the language. */
  declare text: string;
  /** Index of the word that is exchanged with `second`, from 0. */
  declare first: number;
  /** Index of the word that is exchanged with `first`, from 0. */
  declare second: number;
  /** Positional encoding of the layer: `nope` or another of the compared ones. */
  declare scheme: string;
  /** The unit of a token. */
  declare unit: "word" | "character";
  declare shown: Shown | undefined;
  #line = new NewestWins("pair");

  get data() {
    if (!this.shown) return undefined;
    const { answer, pair, scheme } = this.shown;
    return { scheme, ...pair, ...answer };
  }

  #words(): string[] {
    const { chaseText } = this.state;
    return splitWords(typedText(chaseText, this.say(chaseWords).sentence), this.words.locale);
  }

  /** Returns the two words to exchange, clamped to the sentence. */
  #swap(count: number): [number, number] {
    const [i = 0, j = 0] = this.state.chaseSwap;
    const first = Math.min(i, count - 1);
    const second = Math.min(j, count - 1);
    return first === second ? [0, count - 1] : [first, second];
  }

  protected stateChanged(): void {
    void this.#ask();
  }

  #ask(): Promise<void> {
    return this.attempt(async () => {
      const words = usedWords(this.#words(), this.state.chaseUnit);
      if (words.length < 2) return;
      const pair = pairOf(words, ...this.#swap(words.length), this.state.chaseUnit);
      const scheme = this.state.chaseScheme;
      const question = {
        idsA: idsOf(pair.tokensA, chaseModel.vocabSize),
        idsB: idsOf(pair.tokensB, chaseModel.vocabSize),
        order: pair.order,
        scheme,
      };
      const answer = await this.#line.ask(question);
      if (answer) this.shown = { pair, scheme, answer };
    });
  }

  #texts(): { heading: string; caption: string; note: string } {
    const words = this.say(chaseWords);
    if (!this.shown) return { heading: words.titleSame, caption: "", note: "" };
    const { answer, scheme } = this.shown;
    const numbers = [
      measured(answer.largestDifference),
      measured(answer.pooledDifference),
    ] as const;
    const note = words.note(answer.seed, answer.parameterCount);
    const name = schemeName(scheme, this.state.language);
    // The finding depends on the measurement, not on the name of the scheme.
    if (answer.largestDifference > rounding) {
      return { heading: words.titleDiffer(name), caption: words.captionDiffer(...numbers), note };
    }
    if (scheme === blindScheme) {
      return { heading: words.titleSame, caption: words.captionSame(...numbers), note };
    }
    return { heading: words.titleStill(name), caption: words.captionStill(...numbers), note };
  }

  #table(): (string | number)[][] {
    const { pair, answer } = this.shown!;
    const maps = [
      ["A", pair.tokensA, answer.mapA],
      ["B", pair.tokensB, answer.mapB],
      ["B in A's order minus A", pair.tokensA, answer.difference],
    ] as const;
    const rows = maps.flatMap(([name, tokens, map]) =>
      [...map].map((value, index) => {
        const row = Math.floor(index / tokens.length);
        const column = index % tokens.length;
        return [name, row + 1, tokens[row]!, column + 1, tokens[column]!, value];
      }),
    );
    return [["map", "row", "query", "column", "key", "weight"], ...rows];
  }

  #controls() {
    return chaseControls(
      this.say(chaseWords),
      (change) => this.change(change),
      this.state,
      this.#words(),
      (count) => this.#swap(count),
    );
  }

  protected override render() {
    const words = this.say(chaseWords);
    const { heading, caption, note } = this.#texts();
    const shown = this.shown;
    const limits = shown && {
      weight: roundUp(Math.max(...shown.answer.mapA, ...shown.answer.mapB)),
      difference:
        shown.answer.largestDifference > 0.05 ? roundUp(shown.answer.largestDifference) : 0.05,
    };
    const picture = shown && { ...shown.pair, ...shown.answer, limits: limits! };
    const takeaway = shown && {
      at: "chase",
      title: heading,
      code: chaseCode(shown.pair, shown.scheme),
      table: () => this.#table(),
      scene: () => this.scene(),
    };
    return html`<wf-frame
      .name=${words.name}
      .heading=${heading}
      .caption=${caption}
      .waiting=${this.words.waiting}
      .note=${note}
      .caveat=${words.caveat}
      .failure=${this.failure}
      .takeaway=${takeaway}
      @wf-again=${() => this.#ask()}
    >
      <wf-scene
        .label=${`${words.name}. ${caption}`}
        .hint=${this.words.keys}
        .draw=${drawPair(picture, words, this.words)}
      ></wf-scene>
      <wf-scale
        slot="legend"
        .label=${this.words.scale.weight}
        .high=${String(limits?.weight ?? 1)}
        .theme=${this.state.theme}
      ></wf-scale>
      <wf-scale
        slot="legend"
        .signed=${true}
        .label=${this.words.scale.difference}
        .low=${`−${limits?.difference ?? 0.05}`}
        .high=${`+${limits?.difference ?? 0.05}`}
        .theme=${this.state.theme}
      ></wf-scale>
      <span slot="legend" class="query">${this.words.scale.query}</span>
      <span slot="legend" class="key">${this.words.scale.key}</span>
      <span slot="legend">${words.arrows}</span>
      ${this.#controls()}
    </wf-frame>`;
  }
}

define("wf-who-chases", WhoChases);

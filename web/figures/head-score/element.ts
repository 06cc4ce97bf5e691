/**
 * `<wf-head-score>`: the score of the head with the ghosts by distance, from the strengths of its
 * pairs of channels, beside one pair alone and ALiBi.
 */
import { html } from "lit";
import { modelsFolder } from "../../defaults.js";
import { define } from "../../define.js";
import { folderAddress } from "../../engine/page/models-index.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { ofState } from "../shared/figure/state-properties.js";
import { address, ofKind } from "../shared/given/kinds.js";
import { headScoreCode } from "./code.js";
import type { HeadScoreAnswer } from "./messages.js";
import { drawHeadScore, type HeadPicture } from "./picture.js";
import { peakOf, scoresOf } from "./scores.js";
import { type PairChoice, pairChoices } from "./state.js";
import { headScoreWords, type Told } from "./words.js";
import "../../controls/choice.js";
import "../../controls/scene-view.js";
import "../shared/figure/frame.js";

export class HeadScore extends FigureElement {
  static override lead = "wf-choice";
  static override properties = {
    ...FigureElement.properties,
    pairs: ofState("headPairs"),
    models: ofKind(address),
    answer: { state: true },
  };

  static override styles = figureStyles;

  /** The head with `all` its pairs, or `without` the one that comes round. */
  declare pairs: PairChoice;
  /** Folder of the trained models, relative to the document. */
  declare models: string | undefined;
  declare answer: HeadScoreAnswer | undefined;

  #line = new NewestWins("headScore");

  get data() {
    const picture = this.#picture;
    if (!picture) return undefined;
    const { answer, scores } = picture;
    return { choice: this.state.headPairs, ...answer, ...scores };
  }

  get #picture(): HeadPicture | undefined {
    const { answer } = this;
    const { headPairs } = this.state;
    return answer && { answer, scores: scoresOf(answer, headPairs), isWhole: headPairs === "all" };
  }

  protected stateChanged(): void {
    if (this.answer?.language !== this.state.language) void this.#ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#line.cancel();
  }

  #ask(): Promise<void> {
    return this.attempt(async () => {
      const folder = folderAddress(this.models ?? modelsFolder);
      const answer = await this.#line.ask({ folder, language: this.state.language });
      if (answer) this.answer = answer;
    });
  }

  #told({ answer, scores, isWhole }: HeadPicture): Told {
    const { pairs, returning: index, trained } = answer;
    const { swings, head, peaks } = scores;
    const far = head[peakOf(head, trained, head.length - 1)]!;
    return {
      pair: pairs[index]!,
      index,
      swing: swings[index]!,
      others: Math.max(...swings.filter((_, pair) => pair !== index)),
      peaks,
      far,
      isWhole,
    };
  }

  #rows({ answer, scores }: HeadPicture): (string | number)[][] {
    return [
      ["what", "index", "tokens_or_alone", "strength_or_head", "start"],
      ...answer.pairs.map(({ period, strength, start }, pair) => [
        "pair",
        pair + 1,
        period,
        strength,
        start,
      ]),
      ...Array.from(scores.head, (score, distance) => [
        "distance",
        distance,
        scores.alone[distance]!,
        score,
        "",
      ]),
    ];
  }

  protected override render() {
    const words = this.say(headScoreWords);
    const picture = this.#picture;
    const told = picture && this.#told(picture);
    const caption = told ? words.caption(told) : "";
    const title = told ? words.title(told) : words.name;
    const takeaway = picture && {
      at: "head-score",
      title,
      code: headScoreCode(picture.answer.language),
      table: () => this.#rows(picture),
      scene: () => this.scene(),
    };
    const names = words.choices(picture?.answer.returning ?? 0);
    const set = ({ detail }: CustomEvent<PairChoice>) => this.change({ headPairs: detail });
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
      <wf-choice
        slot="ask"
        .label=${words.choice}
        .value=${this.state.headPairs}
        .options=${pairChoices.map((value) => ({ value, text: names[value] }))}
        @wf-change=${set}
      ></wf-choice>
      <wf-scene
        .label=${`${words.name}. ${caption}`}
        .hint=${this.words.keys}
        .draw=${drawHeadScore(picture, words)}
      ></wf-scene>
    </wf-frame>`;
  }
}

define("wf-head-score", HeadScore);

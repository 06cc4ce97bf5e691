/**
 * `<wf-formula-card>`: the scheme that the reader has written as formulas, as the last card of the
 * gallery. Its picture is chosen by what the formulas do, and the card leads to them.
 */
import { html, nothing } from "lit";
import "../../controls/scene-view.js";
import type { Draw } from "../../controls/scene-view.js";
import { quiet } from "../../controls/shared-styles.js";
import { formulaScheme } from "../../defaults.js";
import { define } from "../../define.js";
import type { PortraitAnswer } from "../../engine/both/messages.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { page } from "../../state.js";
import { failureSentence } from "../shared/figure/failure-sentence.js";
import { FigureElement } from "../shared/figure/figure-element.js";
import { Memo } from "../shared/figure/memo.js";
import { formulaFields, optionsOf, writtenIn } from "../shared/formula/written.js";
import { familyStyles } from "../shared/pictures/family-styles.js";
import { drawThumb } from "./card-picture.js";
import { cardStyles } from "./card-styles.js";
import { cardWords } from "./card-words.js";
import { kindOf } from "./portrait-picture.js";

export class FormulaCard extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    tokens: { attribute: false },
    answer: { state: true },
  };

  static override styles = [quiet, familyStyles, cardStyles];

  declare tokens: string[];
  declare answer: PortraitAnswer | undefined;
  #asked: unknown;
  #line = new NewestWins("portrait");
  #drawn = new Memo<Draw>();

  get data(): PortraitAnswer | undefined {
    return this.answer;
  }

  protected override get watched() {
    return formulaFields;
  }

  protected stateChanged(): void {
    void this.#ask();
  }

  protected override updated(): void {
    if (this.isAwake && this.tokens !== this.#asked) void this.#ask();
  }

  #ask(): Promise<void> {
    return this.attempt(async () => {
      const { tokens } = this;
      this.#asked = tokens;
      const formula = optionsOf(writtenIn(this.state));
      const question = { scheme: formulaScheme, options: {}, formula, tokens, isDetailed: false };
      this.answer = (await this.#line.ask(question)) ?? this.answer;
    });
  }

  protected override render() {
    const words = this.say(cardWords);
    const { answer, failure } = this;
    const { language, theme } = this.state;
    const draw = this.#drawn.of([answer, language, theme], () => drawThumb(answer));
    const label = answer ? words.kinds[kindOf(answer.picture)] : this.words.waiting;
    const { parameters: _parameters, pairing: _pairing, ...formulas } = writtenIn(this.state);
    const texts = Object.entries(formulas).map(([part, text]) => `${part}: ${text}`);
    const change =
      page.ownsAddress && html`<p class="paper"><a href="#own">${words.change}</a></p>`;
    return html`<div class="picture" part="picture">
        ${
          failure
            ? html`<p class="failure">${failureSentence(failure, this.words)}</p>`
            : html`<wf-scene .label=${label} .draw=${draw}></wf-scene>`
        }
      </div>
      <p class="family formula">${label}</p>
      <h3 part="title">${this.shared.formula}</h3>
      <p class="summary" lang="en">${texts.join("; ")}</p>
      ${change || nothing}`;
  }
}

define("wf-formula-card", FormulaCard);

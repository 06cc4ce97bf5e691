/** The controls of "who chases whom": the sentence and its two words, positions, the size of a token. */
import { html, type TemplateResult } from "lit";
import "../../controls/choice.js";
import "../../controls/pick.js";
import "../../controls/text-line.js";
import { comparedSchemes, longestSentence } from "../../defaults.js";
import { type PageState, page, typedText, writtenText } from "../../state.js";
import type { ChaseWords } from "./words.js";

/** `typed` are all words of the sentence; `swapOf` tells which two of the first `count` are exchanged. */
export function chaseControls(
  words: ChaseWords,
  state: PageState,
  typed: readonly string[],
  swapOf: (count: number) => [number, number],
): TemplateResult {
  const used = typed.slice(0, longestSentence);
  const [first, second] = swapOf(used.length);
  const remark =
    typed.length < 2
      ? words.tooShort
      : typed.length > longestSentence
        ? words.tooLong(longestSentence)
        : "";
  const swapTo = (chaseSwap: [number, number]) => page.set({ chaseSwap });
  const options = comparedSchemes.map(({ id, name }) => ({
    value: id,
    text: name[state.language],
  }));
  const units = (["word", "character"] as const).map((value) => ({
    value,
    text: words.units[value],
  }));
  return html`<div slot="controls">
        <wf-text-line
          .label=${words.input}
          .value=${typedText(state.chaseText, words.sentence)}
          .remark=${remark}
          @wf-change=${(event: CustomEvent<string>) => page.set({ chaseText: writtenText(event.detail) })}
        ></wf-text-line>
      </div>
      <div slot="controls" class="sentence">
        ${words.swap}
        <wf-pick
          .label=${words.swapFirst}
          .words=${used}
          .value=${first}
          @wf-change=${(event: CustomEvent<number>) => swapTo([event.detail, second === event.detail ? first : second])}
        ></wf-pick>
        ${words.and}
        <wf-pick
          .label=${words.swapSecond}
          .words=${used}
          .value=${second}
          @wf-change=${(event: CustomEvent<number>) => swapTo([first === event.detail ? second : first, event.detail])}
        ></wf-pick>
      </div>
      <wf-choice
        slot="controls"
        class="positions"
        .label=${words.positions}
        .value=${state.chaseScheme}
        .options=${options}
        @wf-change=${(event: CustomEvent<string>) => page.set({ chaseScheme: event.detail })}
      ></wf-choice>
      <wf-choice
        slot="controls"
        class="unit"
        .label=${words.unit}
        .value=${state.chaseUnit}
        .options=${units}
        @wf-change=${(event: CustomEvent<"word" | "character">) => page.set({ chaseUnit: event.detail })}
      ></wf-choice>`;
}

/**
 * The controls of "who chases whom": the sentence and its two words, positions, the unit of a
 * token.
 */
import { html, type TemplateResult } from "lit";
import "../../controls/choice.js";
import "../../controls/pick.js";
import "../../controls/text-line.js";
import { comparedSchemes, longestSentence, maxCharacters } from "../../defaults.js";
import { firstCharacters } from "../../engine/both/sentences.js";
import { type PageState, typedText, writtenText } from "../../page-state.js";
import type { Unit } from "./state.js";
import type { ChaseWords } from "./words.js";

type Change = (change: Partial<PageState>) => void;

/** Returns as many words as the maps have space for. */
export const usedWords = (typed: readonly string[], unit: Unit): string[] => {
  const words = typed.slice(0, longestSentence);
  return unit === "word" ? words : firstCharacters(words, maxCharacters);
};

/** Returns an error in a sentence, or a note that it was cut; empty if there is none. */
function remarkOn(words: ChaseWords, typed: readonly string[], unit: Unit): string {
  if (typed.length < 2) return words.tooShort;
  const used = usedWords(typed, unit);
  if (used.join("") !== typed.slice(0, longestSentence).join(""))
    return words.tooManyCharacters(maxCharacters);
  return typed.length > longestSentence ? words.tooLong(longestSentence) : "";
}

/** The two words that are exchanged. */
function swapSentence(
  words: ChaseWords,
  change: Change,
  used: readonly string[],
  [first, second]: [number, number],
): TemplateResult {
  const swapTo = (chaseSwap: [number, number]) => change({ chaseSwap });
  // Choosing the other word's place exchanges the two.
  const chooseFirst = ({ detail }: CustomEvent<number>) =>
    swapTo([detail, second === detail ? first : second]);
  const chooseSecond = ({ detail }: CustomEvent<number>) =>
    swapTo([first === detail ? second : first, detail]);
  return html`<div slot="controls" class="sentence">
    ${words.swap}
    <wf-pick
      .label=${words.swapFirst}
      .words=${used}
      .value=${first}
      @wf-change=${chooseFirst}
    ></wf-pick>
    ${words.and}
    <wf-pick
      .label=${words.swapSecond}
      .words=${used}
      .value=${second}
      @wf-change=${chooseSecond}
    ></wf-pick>
  </div>`;
}

function choices(words: ChaseWords, change: Change, state: PageState): TemplateResult {
  const { language, chaseScheme, chaseUnit } = state;
  const schemes = comparedSchemes.map(({ id, name }) => ({ value: id, text: name[language] }));
  const units = (["word", "character"] as const).map((value) => ({
    value,
    text: words.units[value],
  }));
  return html`<wf-choice
      slot="controls"
      class="positions"
      .label=${words.positions}
      .value=${chaseScheme}
      .options=${schemes}
      @wf-change=${(event: CustomEvent<string>) => change({ chaseScheme: event.detail })}
    ></wf-choice>
    <wf-choice
      slot="controls"
      class="unit"
      .label=${words.unit}
      .value=${chaseUnit}
      .options=${units}
      @wf-change=${(event: CustomEvent<Unit>) => change({ chaseUnit: event.detail })}
    ></wf-choice>`;
}

/**
 * `typed` has all words of the sentence; `swapOf` returns which two of the first `count` are
 * exchanged.
 */
export function chaseControls(
  words: ChaseWords,
  change: Change,
  state: PageState,
  typed: readonly string[],
  swapOf: (count: number) => [number, number],
): TemplateResult {
  const used = usedWords(typed, state.chaseUnit);
  const write = ({ detail }: CustomEvent<string>) => {
    const swap = words.examples.find(([text]) => text === detail)?.[1];
    const chaseText = writtenText(detail, words.sentence);
    change({ chaseText, ...(swap && { chaseSwap: swap }) });
  };
  return html`<div slot="controls">
      <wf-text-line
        .label=${words.input}
        .value=${typedText(state.chaseText, words.sentence)}
        .remark=${remarkOn(words, typed, state.chaseUnit)}
        .examples=${words.examples.map(([text]) => text)}
        @wf-change=${write}
      ></wf-text-line>
    </div>
    ${swapSentence(words, change, used, swapOf(used.length))} ${choices(words, change, state)}`;
}

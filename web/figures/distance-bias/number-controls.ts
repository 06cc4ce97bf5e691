/** Controls for the numbers of a scheme: its first number, the others, and those for experts. */
import { html } from "lit";
import type { DistanceScheme } from "../../defaults.js";
import type { DistanceAnswer } from "../../engine/both/distance-messages.js";
import { type DistanceNumber, numbersOf } from "../../engine/both/distance-numbers.js";
import { plain } from "../../text/numbers.js";
import type { DistanceWords } from "./words.js";
import "../../controls/choice.js";
import "../../controls/slider.js";

/** Returns a slider for the first number of a scheme. */
export function firstNumberControl(
  { id, knob, min, max, step }: DistanceScheme,
  value: number,
  words: DistanceWords,
  set: (value: number) => void,
) {
  if (!knob) return "";
  const [label, text] = words.knobs[id]!;
  return html`<wf-slider
    slot="controls"
    class="knob"
    .label=${label}
    .value=${value}
    .min=${min}
    .max=${max}
    .step=${String(step)}
    .text=${text(value)}
    @wf-change=${({ detail }: CustomEvent<number>) => set(detail)}
  ></wf-slider>`;
}

/** The maximum exponent of the power kernel is 2, as in the authors' code. */
const maxOf = ({ key, max }: DistanceNumber, [kernel]: readonly number[]): number =>
  key === "p" && kernel === 2 ? 200 : max;

/**
 * Returns a control for one of the other numbers, at index `at`: a slider, or words to choose from.
 */
function numberControl(
  answer: DistanceAnswer,
  at: number,
  words: DistanceWords,
  set: (at: number, value: number) => void,
) {
  const { scheme, head, lines, values } = answer;
  const number = numbersOf(scheme)[at]!;
  const { key, min, step, unit, choices, isFalling } = number;
  const said = words.numbers[key]!;
  const value = values[at]!;
  if (choices)
    return html`<wf-choice
      slot="controls"
      class=${key}
      .label=${said.label(head + 1)}
      .value=${String(value)}
      .options=${choices.map((_, index) => ({
        value: String(index + 1),
        text: said.choices![index]!,
      }))}
      @wf-change=${({ detail }: CustomEvent<string>) => set(at, Number(detail))}
    ></wf-choice>`;
  const max = maxOf(number, values);
  const sign = isFalling ? -1 : 1;
  const [first, last] = isFalling ? [-max, -min] : [min, max];
  // The slope of a head is its reduction of the logit for one token.
  const slope = lines[head] ? plain(-lines[head].values[1]!) : "";
  return html`<wf-slider
    slot="controls"
    class=${key}
    .label=${said.label(head + 1)}
    .value=${sign * value}
    .min=${first}
    .max=${last}
    .step=${String(step)}
    .text=${said.text!(value * unit, slope)}
    @wf-change=${({ detail }: CustomEvent<number>) => set(at, sign * detail)}
  ></wf-slider>`;
}

/** Returns the controls of all other numbers, either those for experts or the rest. */
export function otherNumberControls(
  answer: DistanceAnswer | undefined,
  isExpert: boolean,
  words: DistanceWords,
  set: (at: number, value: number) => void,
) {
  if (!answer) return [];
  return numbersOf(answer.scheme).flatMap((number, at) =>
    (number.isExpert ?? false) === isExpert ? [numberControl(answer, at, words, set)] : [],
  );
}

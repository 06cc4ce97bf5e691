/**
 * The controls of an operation on a trained model: which model, what is done to it, with what, and
 * where.
 */
import { html, nothing, type TemplateResult } from "lit";
import { numbered } from "../../controls/choice.js";
import "../../controls/pick.js";
import "../../controls/slider.js";
import { farthestMove, type Operation, type SurgeryPlace } from "../../defaults.js";
import type { OperateAnswer } from "../../engine/both/messages.js";
import type { PageState } from "../../state.js";
import { labelsOf } from "../../text/tokens.js";
import type { Session } from "../shared/session.js";
import type { SurgeryWords } from "./words.js";

export interface ControlsView {
  answer: OperateAnswer;
  /** The model that is operated on. */
  scheme: string;
  /** The value in force, in words. */
  valueText: string;
  words: SurgeryWords;
  nameOf: (scheme: string) => string;
  termName: (term: string) => string;
  session: Session;
  change: (change: Partial<PageState>) => void;
}

export const isMove = (operation: Operation): boolean =>
  operation === "move" || operation === "copy";

/** What is swapped belongs to whole layers. */
const isOfLayers = (operation: Operation): boolean =>
  operation === "option" || operation === "scheme";

const setterOf =
  ({ change }: ControlsView) =>
  (surgeryValue: string) =>
    change({ surgeryValue });

function choose(
  name: string,
  label: string,
  value: string,
  options: readonly { value: string; text: string }[],
  change: (value: string) => void,
): TemplateResult {
  return html`<wf-choice
    slot="controls"
    class=${name}
    .label=${label}
    .value=${value}
    .options=${options}
    @wf-change=${(event: CustomEvent<string>) => change(event.detail)}
  ></wf-choice>`;
}

interface Slider {
  label: string;
  value: number;
  least: number;
  most: number;
  step?: string;
  text: string;
}

const slide = (
  view: ControlsView,
  { label, value, least, most, step = "1", text }: Slider,
  valueOfPlace = (place: number): number => place,
): TemplateResult =>
  html`<wf-slider
    slot="controls"
    .label=${label}
    .value=${value}
    .min=${least}
    .max=${most}
    .step=${step}
    .text=${text}
    @wf-change=${({ detail }: CustomEvent<number>) => setterOf(view)(String(valueOfPlace(detail)))}
  ></wf-slider>`;

const pick = (
  label: string,
  words: readonly string[],
  value: number,
  change: (index: number) => void,
): TemplateResult =>
  html`<label slot="controls" class="picked"
    ><span>${label}</span>
    <wf-pick
      .label=${label}
      .value=${value}
      .words=${words}
      @wf-change=${(event: CustomEvent<number>) => change(event.detail)}
    ></wf-pick
  ></label>`;

/** Equal ways of the slider multiply. */
function optionControl(view: ControlsView): TemplateResult {
  const { answer, words, valueText } = view;
  const { least, most } = answer.option!;
  const value = Math.log(Number(answer.value));
  const span = { least: Math.log(least), most: Math.log(most), step: "any" };
  return slide(view, { label: words.option, value, ...span, text: valueText }, (place) =>
    Number(Math.exp(place).toPrecision(3)),
  );
}

/** Which token is moved, and how far; a shared position is that of the token before. */
function moveControls(view: ControlsView): TemplateResult {
  const { answer, words, change } = view;
  const { operation, token, to, tokens } = answer;
  const value = Number(answer.value);
  const moved = pick(words.token, labelsOf(tokens).slice(1), token - 1, (index) =>
    change({ surgeryToken: index + 2 }),
  );
  if (operation !== "move") return moved;
  const span = { least: -farthestMove, most: farthestMove };
  const text = words.moveText(value, token, to);
  return html`${moved}${slide(view, { label: words.move, value, ...span, text })}`;
}

/** What the operation is done with: a term, a pair, a number, a scheme, a token. */
function valueControl(view: ControlsView): TemplateResult {
  const { answer, words, valueText, nameOf, termName } = view;
  const { value, terms, schemes, wavelengths } = answer;
  const setValue = setterOf(view);
  switch (answer.operation) {
    case "zero": {
      const options = terms.map((term) => ({ value: term, text: termName(term) }));
      return choose("term", words.term, value, options, setValue);
    }
    case "drop":
    case "freeze": {
      const span = { least: 0, most: wavelengths!.length - 1 };
      return slide(view, { label: words.pair, value: Number(value), ...span, text: valueText });
    }
    case "option":
      return optionControl(view);
    case "scheme":
      return pick(words.scheme, schemes.map(nameOf), schemes.indexOf(value), (index) =>
        setValue(schemes[index]!),
      );
    default:
      return moveControls(view);
  }
}

/** All layers, one, or one head. */
function placeControl({
  answer,
  words,
  session,
  change,
}: ControlsView): TemplateResult | typeof nothing {
  const { operation, where } = answer;
  if (isMove(operation)) return nothing;
  const { layer, head } = session.chosen;
  const texts = words.places(layer + 1, head + 1);
  const places: SurgeryPlace[] = isOfLayers(operation)
    ? ["all", "layer"]
    : ["all", "layer", "head"];
  return choose(
    "place",
    words.place,
    places.includes(where) ? where : "layer",
    places.map((place) => ({ value: place, text: texts[place] })),
    (value) => change({ surgeryPlace: value as SurgeryPlace }),
  );
}

export function surgeryControls(view: ControlsView): TemplateResult {
  const { answer, scheme, words, nameOf, session, change } = view;
  const { chosen, reading, shown } = session;
  return html`${choose(
    "model",
    words.model,
    scheme,
    shown.map((id) => ({ value: id, text: nameOf(id) })),
    (value) => change({ surgeryScheme: value, surgeryValue: "" }),
  )}
  ${choose(
    "operation",
    words.operation,
    answer.operation,
    answer.operations.map((operation) => ({ value: operation, text: words.operations[operation] })),
    (value) => change({ surgeryOperation: value as Operation, surgeryValue: "" }),
  )}
  ${valueControl(view)} ${placeControl(view)}
  ${choose("layer", words.layer, String(chosen.layer), numbered(reading?.numLayers || 4), (value) =>
    change({ layer: Number(value) }),
  )}
  ${choose("head", words.head, String(chosen.head), numbered(reading?.numHeads || 4), (value) =>
    change({ head: Number(value) }),
  )}`;
}

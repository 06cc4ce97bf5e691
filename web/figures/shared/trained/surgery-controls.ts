/** The controls of surgery on a trained model: its value, and its place. */
import { html, nothing, type TemplateResult } from "lit";
import "../../../controls/choice.js";
import "../../../controls/pick.js";
import "../../../controls/slider.js";
import {
  farthestMove,
  remapMethods,
  type SurgeryKind,
  type SurgeryScope,
} from "../../../defaults.js";
import { remapParts } from "../../../engine/both/remap.js";
import type { SurgeryInForce } from "../../../engine/both/surgery-messages.js";
import { labelsOf } from "../../../text/token-labels.js";
import { type SurgeryNames, valueText } from "./surgery-sentences.js";

/** The reader's choices; for an empty value or a token below 1 the worker chooses. */
export interface SurgeryChoice {
  operation: SurgeryKind;
  scope: SurgeryScope;
  value: string;
  /** Index of the token, counted from 1. */
  token: number;
}

export interface ControlsView extends SurgeryNames {
  inForce: SurgeryInForce;
  /** Tokens of the text in view. */
  tokens: readonly string[];
  change: (change: Partial<SurgeryChoice>) => void;
}

export const isMove = (operation: SurgeryKind): boolean =>
  operation === "move" || operation === "copy";

/** Swaps apply to whole layers. */
const isOfLayers = (operation: SurgeryKind): boolean =>
  operation === "option" || operation === "remap" || operation === "scheme";

const setterOf =
  ({ change }: ControlsView) =>
  (value: string) =>
    change({ value });

export function choose(
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
  min: number;
  max: number;
  step?: string;
  text: string;
}

const slide = (
  view: ControlsView,
  { label, value, min, max, step = "1", text }: Slider,
  valueAt = (position: number): number | string => position,
): TemplateResult =>
  html`<wf-slider
    slot="controls"
    .label=${label}
    .value=${value}
    .min=${min}
    .max=${max}
    .step=${step}
    .text=${text}
    @wf-change=${({ detail }: CustomEvent<number>) => setterOf(view)(String(valueAt(detail)))}
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

/** A slider on which equal steps multiply the value. */
function optionControl(view: ControlsView): TemplateResult {
  const { inForce, words } = view;
  const { min, max } = inForce.option!;
  const value = Math.log(Number(inForce.value));
  const span = { min: Math.log(min), max: Math.log(max), step: "any" };
  return slide(
    view,
    { label: words.option, value, ...span, text: valueText(inForce, view) },
    (position) => Number(Math.exp(position).toPrecision(3)),
  );
}

/**
 * Chooses the token that is moved, and the distance; a shared position is that of the token before.
 */
function moveControls(view: ControlsView): TemplateResult {
  const { inForce, tokens, words, change } = view;
  const { operation, token, to } = inForce;
  const value = Number(inForce.value);
  const moved = pick(words.token, labelsOf(tokens).slice(1), token - 1, (index) =>
    change({ token: index + 2 }),
  );
  if (operation !== "move") return moved;
  const span = { min: -farthestMove, max: farthestMove };
  const text = words.moveText(value, token, to);
  return html`${moved}${slide(view, { label: words.move, value, ...span, text })}`;
}

/** Chooses a method, and from which distance on it counts. */
function remapControls(view: ControlsView): TemplateResult {
  const { inForce, words } = view;
  const { method, window } = remapParts(inForce.value);
  const methods = remapMethods.map((value) => ({ value, text: words.methods[value] }));
  const set = setterOf(view);
  return html`${choose("method", words.method, method, methods, (value) =>
    set(`${value}:${window}`),
  )}${slide(
    view,
    {
      label: words.window,
      value: window,
      min: 1,
      max: inForce.farthest,
      text: words.windowText(window),
    },
    (value) => `${method}:${value}`,
  )}`;
}

/** Chooses the value of the operation: a term, a pair, a number, a scheme, a token. */
function valueControl(view: ControlsView): TemplateResult {
  const { inForce, words, nameOf, termName } = view;
  const { value, terms, schemes, wavelengths } = inForce;
  const setValue = setterOf(view);
  switch (inForce.operation) {
    case "zero": {
      const options = terms.map((term) => ({ value: term, text: termName(term) }));
      return choose("term", words.term, value, options, setValue);
    }
    case "drop":
    case "freeze": {
      const span = { min: 0, max: wavelengths!.length - 1 };
      return slide(view, {
        label: words.pair,
        value: Number(value),
        ...span,
        text: valueText(inForce, view),
      });
    }
    case "option":
      return optionControl(view);
    case "remap":
      return remapControls(view);
    case "scheme":
      return pick(words.scheme, schemes.map(nameOf), schemes.indexOf(value), (index) =>
        setValue(schemes[index]!),
      );
    default:
      return moveControls(view);
  }
}

/** Chooses all layers, one, or one head. */
function scopeControl({ inForce, words, change }: ControlsView): TemplateResult | typeof nothing {
  const { operation, where, layer, head } = inForce;
  if (isMove(operation)) return nothing;
  const texts = words.scopes(layer + 1, head + 1);
  const scopes: SurgeryScope[] = isOfLayers(operation)
    ? ["all", "layer"]
    : ["all", "layer", "head"];
  return choose(
    "scope",
    words.scope,
    scopes.includes(where) ? where : "layer",
    scopes.map((scope) => ({ value: scope, text: texts[scope] })),
    (value) => change({ scope: value as SurgeryScope }),
  );
}

/** Returns the choice of operation; the entries `before` precede the operations. */
export const surgeryControl = (
  { words, change }: Pick<ControlsView, "words" | "change">,
  operations: readonly SurgeryKind[],
  chosen: string,
  before: readonly { value: string; text: string }[] = [],
): TemplateResult =>
  choose(
    "operation",
    words.operation,
    chosen,
    [...before, ...operations.map((value) => ({ value, text: words.operations[value] }))],
    (value) => change({ operation: value as SurgeryKind, value: "" }),
  );

/** Returns the controls of value and place. */
export const surgeryDetails = (view: ControlsView): TemplateResult =>
  html`${valueControl(view)} ${scopeControl(view)}`;

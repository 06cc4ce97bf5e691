/** Controls of the lab: the text and its unit above the maps, all others below them. */
import { html, nothing, type TemplateResult } from "lit";
import { numbered } from "../../controls/choice.js";
import { labLengths, longestLab, maxInLab } from "../../engine/both/lab-sizes.js";
import { type MapsAnswer, mapParts, mapReaders } from "../../engine/both/map-messages.js";
import { writtenText } from "../../page-state.js";
import type { Text } from "../../text/index.js";
import { failureSentence } from "../shared/figure/failure-sentence.js";
import { unitChoice } from "../shared/maps/by-word.js";
import { lookControls } from "../shared/maps/map-looks.js";
import type { ZoomWords } from "../shared/maps/map-words.js";
import type { FigureMap } from "../shared/maps/maps-figure.js";
import type { UnitWords } from "../shared/maps/unit-words.js";
import { canBeByWord, isByWord, type LabState } from "./lab-state.js";
import type { LabWords } from "./words.js";
import "../../controls/choice.js";
import "../../controls/several.js";
import "../../controls/text-line.js";

export interface LabView {
  state: LabState;
  words: LabWords;
  zoom: ZoomWords;
  units: UnitWords;
  /** Content of the text field, and a remark on it. */
  text: string;
  remark: string;
  /** Example texts; the first is the initial one. */
  examples: readonly string[];
  offered: readonly { value: string; text: string }[];
  chosen: readonly string[];
  numLayers: number;
  numHeads: number;
  isSigned: boolean;
  /** Controls of surgery, if there is a trained model. */
  surgery: unknown;
  /** Hint on how to show the reader's own model, unless it is shown. */
  hint: unknown;
  change: (change: Partial<LabState>) => void;
}

export interface Busy {
  progress: readonly [number, number] | undefined;
  isCancelled: boolean;
  answer: MapsAnswer | undefined;
}

/** Maximum characters to type, more than the longest text needs. */
const maxTyped = 6 * longestLab;

const choice = (
  slot: "ask" | "controls",
  name: string,
  label: string,
  value: string,
  options: readonly { value: string; text: string }[],
  choose: (value: string) => void,
): TemplateResult =>
  html`<wf-choice
    slot=${slot}
    class=${name}
    .label=${label}
    .value=${value}
    .options=${options}
    @wf-change=${({ detail }: CustomEvent<string>) => choose(detail)}
  ></wf-choice>`;

/** Returns the controls of the text and its unit. */
export function textControls({
  state,
  words,
  text,
  remark,
  examples,
  change,
}: LabView): TemplateResult {
  const lengths = [0, ...labLengths].map((length) => ({
    value: String(length),
    text: length ? words.lengthName(length) : words.typed,
  }));
  const units = (["token", "character"] as const).map((value) => ({
    value,
    text: words.units[value],
  }));
  const write = ({ detail }: CustomEvent<string>) =>
    change({ text: writtenText(detail, examples[0]), cell: undefined, view: undefined });
  return html`${
    state.length
      ? nothing
      : html`<wf-text-line
          slot="ask"
          .label=${words.input}
          .value=${text}
          .isLong=${true}
          .max=${maxTyped}
          .remark=${remark}
          .examples=${examples}
          @wf-change=${write}
        ></wf-text-line>`
  }
  ${choice("ask", "length", words.length, String(state.length), lengths, (value) =>
    change({ length: Number(value), cell: undefined, view: undefined }),
  )}
  ${choice("ask", "unit", words.unit, state.unit, units, (value) =>
    change({ unit: value as LabState["unit"], cell: undefined, view: undefined }),
  )}`;
}

const layerChoice = ({ state, zoom, numLayers, change }: LabView): TemplateResult =>
  choice(
    "controls",
    "layer",
    zoom.layer,
    String(Math.min(state.layer, numLayers - 1)),
    numbered(numLayers),
    (value) => change({ layer: Number(value) }),
  );

/** Returns the controls of models, head, and shown numbers. */
export function mapControls(view: LabView): TemplateResult {
  const { state, words, zoom, offered, chosen, numLayers, numHeads, isSigned, change } = view;
  const isOperated = state.reader === "model" && state.operation !== "none";
  const named = <T extends string>(values: readonly T[], names: Record<T, string>) =>
    values.map((value) => ({ value, text: names[value] }));
  const schemes = ({ detail }: CustomEvent<string[]>) => change({ schemes: detail });
  const difference = ({ detail }: CustomEvent<string[]>) =>
    change({ difference: detail.length > 0 });
  return html`${choice(
    "controls",
    "reader",
    words.reader,
    state.reader,
    named(mapReaders, words.readers),
    (value) => change({ reader: value as LabState["reader"], schemes: [] }),
  )}
    <wf-several
      slot="controls"
      class=${`schemes${offered.length ? "" : " to-come"}`}
      .label=${state.reader === "model" ? words.models : words.schemes}
      .min=${1}
      .max=${maxInLab}
      .values=${chosen}
      .options=${offered}
      @wf-change=${schemes}
    ></wf-several>
    ${view.hint} ${numLayers > 1 ? layerChoice(view) : nothing}
    ${choice(
      "controls",
      "head",
      zoom.head,
      String(Math.min(state.head, numHeads - 1)),
      numbered(numHeads),
      (value) => change({ head: Number(value) }),
    )}
    ${choice("controls", "part", zoom.part, state.part, named(mapParts, zoom.parts), (value) =>
      change({ part: value as LabState["part"] }),
    )}
    ${
      canBeByWord(state) ? unitChoice(view.units, isByWord(state), (by) => change({ by })) : nothing
    }
    ${view.surgery}
    <wf-several
      slot="controls"
      class="difference"
      .label=${words.difference}
      .values=${state.difference ? ["on"] : []}
      .options=${[{ value: "on", text: words.differenceOn(isOperated) }]}
      @wf-change=${difference}
    ></wf-several>
    ${lookControls(state, zoom, isSigned, change)}`;
}

/**
 * Returns the progress with a button to cancel; a note that the maps were cancelled; or their time.
 * The height is always the same, so that the maps below do not move.
 */
export function busyLine(
  words: LabWords,
  zoom: ZoomWords,
  { progress, isCancelled, answer }: Busy,
  cancel: () => void,
): TemplateResult {
  if (progress)
    return html`<p class="busy"
      ><span role="status">${zoom.computing(...progress)}</span>
      <button class="cancel" @click=${cancel}>${zoom.cancel}</button></p
    >`;
  const took = answer ? words.took(answer.tokens.length, answer.milliseconds) : "";
  return html`<p class="busy" role="status">${isCancelled ? words.cancelled : took}</p>`;
}

/** Returns the notice in place of a map that could not be made. */
export function refusedMap({ title, failure }: FigureMap, text: Text) {
  return html`<section>
    <h4>${title}</h4>
    <p class="refused">${failure ? failureSentence(failure, text) : nothing}</p>
  </section>`;
}

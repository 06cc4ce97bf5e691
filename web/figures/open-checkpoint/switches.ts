/**
 * Controls for the maps: their part of an encoder-decoder model, a linear or logarithmic scale,
 * with or without the first token.
 */
import { html } from "lit";
import type { Part } from "../../engine/both/checkpoint-messages.js";
import type { OpenWords } from "./words.js";
import "../../controls/choice.js";

function choice(
  name: string,
  label: string,
  value: string,
  texts: Record<string, string>,
  choose: (value: string) => void,
) {
  return html`<wf-choice
    slot="controls"
    class=${name}
    .label=${label}
    .value=${value}
    .options=${Object.entries(texts).map(([id, text]) => ({ value: id, text }))}
    @wf-change=${({ detail }: CustomEvent<string>) => choose(detail)}
  ></wf-choice>`;
}

export const partChoice = (words: OpenWords, part: Part, set: (part: Part) => void) =>
  choice("part", words.part, part, words.parts, (value) => set(value as Part));

export const scaleChoice = (words: OpenWords, isLog: boolean, set: (isLog: boolean) => void) =>
  choice("scale", words.scale, isLog ? "log" : "linear", words.scales, (value) =>
    set(value === "log"),
  );

export const firstChoice = (words: OpenWords, hides: boolean, set: (hides: boolean) => void) =>
  choice("first", words.first, hides ? "hidden" : "shown", words.firsts, (value) =>
    set(value === "hidden"),
  );

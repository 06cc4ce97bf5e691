/** The reader's guess: a ring on the chart for each length, which is dragged up and down. */
import { html } from "lit";
import type { SchemeDescription } from "whereformer";
import { blindScheme, lengthRecipe } from "../../defaults.js";
import { type Frame, heightOf } from "../../drawing/axes.js";
import type { TestMeasure } from "./measures.js";
import type { TrainWords } from "./words.js";

const { multiples, length } = lengthRecipe;

/**
 * Whether a scheme has positions and is defined at every length: a guess for a table has no answer
 * past its end.
 */
export const hasAnswer = (id: string, offered: readonly SchemeDescription[]): boolean => {
  const found = offered.find((scheme) => scheme.id === id);
  return id !== blindScheme && !found?.options.some(({ key }) => key === "maxPositions");
};

/** Places the rings' tracks over the chart, and the hint at the first of them. */
export function positionRings(root: ParentNode, frame: Frame, measure: TestMeasure): void {
  const { min, max, resting } = measure;
  const top = heightOf(frame, max);
  const bottom = heightOf(frame, min);
  for (const [column, input] of root.querySelectorAll<HTMLElement>(".ring").entries()) {
    const x = frame.left + (column / frame.maxX) * frame.width;
    input.style.left = `${x - 22}px`;
    input.style.top = `${top - 14}px`;
    input.style.height = `${bottom - top + 28}px`;
  }
  const hint = root.querySelector<HTMLElement>(".drag");
  if (!hint) return;
  hint.style.left = `${frame.left}px`;
  hint.style.top = `${heightOf(frame, resting)}px`;
}

export function renderRings(
  values: readonly number[] | undefined,
  name: string,
  { min, max, step, resting, text }: TestMeasure,
  words: TrainWords,
  guess: (column: number, value: number) => void,
) {
  const rings = multiples.map((multiple, column) => {
    const value = values?.[column] ?? resting;
    return html`<input
      class="ring"
      type="range"
      min=${min}
      max=${max}
      step=${step}
      .value=${String(value)}
      aria-label=${words.ring(name, multiple * length)}
      aria-valuetext=${words.result(text(value))}
      @input=${(event: Event) => guess(column, Number((event.target as HTMLInputElement).value))}
    />`;
  });
  return values
    ? rings
    : [...rings, html`<span class="drag" aria-hidden="true">${words.drag}</span>`];
}

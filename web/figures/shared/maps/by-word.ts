/** Maps read by word instead of by token: the choice, its words, and a zoomed map in words. */
import { html, type TemplateResult } from "lit";
import type { MapSource } from "../../../drawing/map-pyramid.js";
import { labelsOf } from "../../../text/token-labels.js";
import {
  byWord,
  hasPieces,
  showWords,
  type WordGroup,
  wordGroups,
} from "../../../text/word-groups.js";
import type { UnitWords } from "./unit-words.js";
import "../../../controls/choice.js";

/** What rows and columns of a map are; empty for words where a word has several tokens. */
export const units = ["", "word", "token"] as const;
export type Unit = (typeof units)[number];

export function unitChoice(
  words: UnitWords,
  isByWord: boolean,
  choose: (unit: Unit) => void,
): TemplateResult {
  return html`<wf-choice
    slot="controls"
    class="by"
    .label=${words.by}
    .value=${isByWord ? "word" : "token"}
    .options=${Object.entries(words.units).map(([value, text]) => ({ value, text }))}
    @wf-change=${({ detail }: CustomEvent<Unit>) => choose(detail)}
  ></wf-choice>`;
}

const known = new WeakMap<readonly string[], readonly WordGroup[]>();

/** Returns the words of a list of tokens: the same object for the same list. */
export function wordsIn(tokens: readonly string[]): readonly WordGroup[] {
  const groups = known.get(tokens) ?? wordGroups(tokens);
  known.set(tokens, groups);
  return groups;
}

/** The words of a map's rows and columns. */
export interface Sides {
  rows: readonly WordGroup[];
  columns: readonly WordGroup[];
}

/** Returns the words of both sides if some word there has several tokens. */
export function sidesOf(
  rowTokens: readonly string[],
  columnTokens: readonly string[] = rowTokens,
): Sides | undefined {
  const sides = { rows: wordsIn(rowTokens), columns: wordsIn(columnTokens) };
  return hasPieces(sides.rows) || hasPieces(sides.columns) ? sides : undefined;
}

/** As `sidesOf`, for tokens of any origin: none if their texts do not show where words begin. */
export const sidesShown = (
  rowTokens: readonly string[],
  columnTokens: readonly string[] = rowTokens,
): Sides | undefined =>
  [rowTokens, columnTokens].every(showWords) ? sidesOf(rowTokens, columnTokens) : undefined;

export const labelsOfWords = (groups: readonly WordGroup[]): string[] =>
  labelsOf(groups.map(({ text }) => text));

/** Returns the map by word; the first token is left out before its word is summed. */
export function sourceByWord(source: MapSource, { rows, columns }: Sides): MapSource {
  const read = (values: ArrayLike<number>) => byWord(values, rows, columns);
  const { values, minus, hidesFirst } = source;
  let shown = values;
  if (hidesFirst) {
    const rest = Float32Array.from(values);
    for (let at = 0; at < rest.length; at += source.columns) rest[at] = Number.NaN;
    shown = rest;
  }
  const sizes = { rows: rows.length, columns: columns.length };
  return { ...sizes, values: read(shown), ...(minus && { minus: read(minus) }) };
}

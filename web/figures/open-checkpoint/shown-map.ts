/** The map in view, which may be older than the requested one, and its logits. */
import { sameCharacter } from "whereformer/words";
import { signed } from "../../drawing/bars.js";
import type { OpenedModel } from "../../engine/both/checkpoint-messages.js";
import { withoutFirstToken } from "../../engine/both/measures.js";
import { labelsOf } from "../../text/token-labels.js";
import { byWord, showWords } from "../../text/word-groups.js";
import { Memo } from "../shared/figure/memo.js";
import { labelsOfWords, type Sides, sidesShown, type Unit } from "../shared/maps/by-word.js";
import { type Answers, layerTypeOf } from "./answers.js";
import type { HeadSum } from "./picture.js";
import { standing } from "./standing.js";
import type { OpenWords } from "./words.js";

interface MapCell {
  row: number;
  column: number;
}

/** Two tokens, or two words, and the weight between them. */
interface Pair {
  from: string;
  to: string;
  /** The weight: its share of attention. */
  value: number;
}

/** One logit of the map with its terms. */
export interface ChosenScore extends Omit<HeadSum, "title">, Pair {
  /** The words of the two tokens, if these are pieces in a map that is read by word. */
  words?: Pair;
}

export function tokenLabels(tokens: readonly string[] = []): string[] {
  return showWords(tokens) ? labelsOf(tokens) : tokens.flatMap((token) => labelsOf([token]));
}

interface Labels {
  rows: string[];
  columns: string[];
  isCross: boolean;
}

export class ShownMap {
  /** What rows and columns are, as the reader chose. */
  by: Unit = "";
  #rest = new Memo<Float32Array>();
  #byWord = new Memo<Float32Array>();

  constructor(private readonly answers: Answers) {}

  /** Texts of queries and keys; these differ if a decoder attends to the encoder's text. */
  get #tokens(): { rows: readonly string[]; columns: readonly string[]; isCross: boolean } {
    const { encoded, written, head } = this.answers;
    const part = head?.part ?? "encoder";
    const rows = (part === "encoder" ? encoded : written)?.tokens ?? [];
    const isCross = part === "cross";
    return { rows, columns: isCross ? (encoded?.tokens ?? []) : rows, isCross };
  }

  get #tokenLabels(): Labels {
    const { rows, columns, isCross } = this.#tokens;
    const labels = tokenLabels(rows);
    return { rows: labels, columns: isCross ? tokenLabels(columns) : labels, isCross };
  }

  /** The words of both sides, if some have several tokens. */
  get words(): Sides | undefined {
    const { rows, columns } = this.#tokens;
    return sidesShown(rows, columns);
  }

  /** The words of both sides while the map is read by word. */
  get sides(): Sides | undefined {
    return this.by === "token" ? undefined : this.words;
  }

  /** Labels of queries and keys, as the map is read. */
  get labels(): Labels {
    const { sides } = this;
    if (!sides) return this.#tokenLabels;
    const { isCross } = this.#tokens;
    return { rows: labelsOfWords(sides.rows), columns: labelsOfWords(sides.columns), isCross };
  }

  /** Whether the mask is causal. */
  isCausal(model: OpenedModel): boolean {
    const part = this.answers.head?.part ?? "encoder";
    return part !== "cross" && layerTypeOf(model, part).isCausal;
  }

  /** Weights by token. */
  #weights(hidesFirst: boolean): Float32Array | undefined {
    const { head } = this.answers;
    if (!head || !hidesFirst) return head?.weights;
    const { columns } = this.#tokens;
    return this.#rest.of([head], () => withoutFirstToken(head.weights, columns.length));
  }

  /** Returns the weights in the form that is drawn. */
  weights(hidesFirst: boolean): Float32Array | undefined {
    const map = this.#weights(hidesFirst);
    const { sides } = this;
    if (!map || !sides) return map;
    const { rows, columns } = sides;
    return this.#byWord.of([map, rows, columns], () => byWord(map, rows, columns));
  }

  /** Returns the cell of the two tokens with the largest weight in a cell of the shown map. */
  #largest(shown: MapCell, map: Float32Array): MapCell {
    const { sides } = this;
    if (!sides) return shown;
    const [from, to] = [sides.rows[shown.row]!, sides.columns[shown.column]!];
    const width = this.#tokens.columns.length;
    let found = { row: from.end - 1, column: to.first };
    let max = 0;
    for (let row = from.first; row < from.end; row++)
      for (let column = to.first; column < to.end; column++)
        if (map[row * width + column]! > max) {
          max = map[row * width + column]!;
          found = { row, column };
        }
    return found;
  }

  /** Returns the marked cell: the chosen one, if the map has it. */
  active(chosen: MapCell | undefined, hidesFirst: boolean): MapCell | undefined {
    const { rows, columns, isCross } = this.labels;
    if (chosen && chosen.row < rows.length && chosen.column < columns.length) return chosen;
    const map = this.weights(hidesFirst);
    const isText = (labels: readonly string[]) => (at: number) => labels[at] !== sameCharacter;
    const both = { row: isText(rows), column: isText(columns) };
    return map && standing(map, columns.length, isCross, both);
  }

  score(
    active: MapCell | undefined,
    hidesFirst: boolean,
    names: Record<string, string>,
  ): ChosenScore | undefined {
    const { head } = this.answers;
    const map = this.#weights(hidesFirst);
    if (!head || !active || !map) return undefined;
    const { rows, columns, isCross } = this.#tokenLabels;
    const { row, column } = this.#largest(active, map);
    const at = row * columns.length + column;
    // Between two texts most schemes add nothing.
    const given = Object.entries(head.terms).filter(
      ([name, values]) => !isCross || name === "content" || values.some((value) => value !== 0),
    );
    const terms = given.map(([name, values]) => ({
      name: names[name] ?? name,
      value: values[at]!,
      isContent: name === "content",
    }));
    const pair = { from: rows[row]!, to: columns[column]!, value: map[at]! };
    const words = this.#wordsOf(active, pair, hidesFirst);
    return { ...pair, terms, total: head.logits[at]!, ...(words && { words }) };
  }

  /** Returns the words of a cell, unless its two tokens are whole words. */
  #wordsOf({ row, column }: MapCell, pair: Pair, hidesFirst: boolean): Pair | undefined {
    if (!this.sides) return undefined;
    const { rows, columns } = this.labels;
    const [from, to] = [rows[row]!, columns[column]!];
    if (from === pair.from && to === pair.to) return undefined;
    return { from, to, value: this.weights(hidesFirst)![row * columns.length + column]! };
  }
}

/** Returns the sentence on a logit as the sum of its terms. */
export function sentenceOf(
  { terms, total, from, to, value, words: ofWords }: ChosenScore,
  { layer, head }: { layer: number; head: number },
  words: OpenWords,
  joiner: string,
): string {
  const written = terms.map((term) => `${term.name} ${signed(term.value)}`);
  const joined = written.join(joiner);
  const sum = written.length > 1 ? words.sum(joined, signed(total)) : joined;
  if (ofWords) {
    const tokens = words.ofTokens(from, to, sum);
    return words.caption(layer + 1, head + 1, ofWords.from, ofWords.to, ofWords.value, tokens);
  }
  return words.caption(layer + 1, head + 1, from, to, value, sum);
}

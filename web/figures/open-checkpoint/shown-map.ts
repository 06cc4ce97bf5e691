/** The map in view, which may be older than the requested one, and its logits. */
import { signed } from "../../drawing/bars.js";
import type { OpenedModel } from "../../engine/both/checkpoint-messages.js";
import { withoutFirstToken } from "../../engine/both/measures.js";
import { labelsOf } from "../../text/token-labels.js";
import { Memo } from "../shared/figure/memo.js";
import { type Answers, layerTypeOf } from "./answers.js";
import type { HeadSum } from "./picture.js";
import { standing } from "./standing.js";
import type { OpenWords } from "./words.js";

/** Text of a token that continues the previous token's character. */
export const restOfCharacter = "·";

interface MapCell {
  row: number;
  column: number;
}

/** One logit of the map with its terms. */
export interface ChosenScore extends Omit<HeadSum, "title"> {
  from: string;
  to: string;
  /** The weight: its share of attention. */
  value: number;
}

export function tokenLabels(tokens: readonly string[] = []): string[] {
  // Some tokenizers do not encode spaces; word beginnings are then unknown.
  const hasSpaces = tokens.some((token) => token.startsWith(" "));
  return hasSpaces ? labelsOf(tokens) : tokens.flatMap((token) => labelsOf([token]));
}

export class ShownMap {
  #rest = new Memo<Float32Array>();

  constructor(private readonly answers: Answers) {}

  /** Labels of queries and keys; these differ if a decoder attends to the encoder's text. */
  get labels(): { rows: string[]; columns: string[]; isCross: boolean } {
    const { encoded, written, head } = this.answers;
    const part = head?.part ?? "encoder";
    const rows = tokenLabels((part === "encoder" ? encoded : written)?.tokens);
    const isCross = part === "cross";
    return { rows, columns: isCross ? tokenLabels(encoded?.tokens) : rows, isCross };
  }

  /** Whether the mask is causal. */
  isCausal(model: OpenedModel): boolean {
    const part = this.answers.head?.part ?? "encoder";
    return part !== "cross" && layerTypeOf(model, part).isCausal;
  }

  /** Returns the weights in the form that is drawn. */
  weights(hidesFirst: boolean): Float32Array | undefined {
    const { head } = this.answers;
    if (!head || !hidesFirst) return head?.weights;
    const { columns } = this.labels;
    return this.#rest.of([head], () => withoutFirstToken(head.weights, columns.length));
  }

  /** Returns the marked cell: the chosen one, if the map has it. */
  active(chosen: MapCell | undefined, hidesFirst: boolean): MapCell | undefined {
    const { rows, columns, isCross } = this.labels;
    if (chosen && chosen.row < rows.length && chosen.column < columns.length) return chosen;
    const map = this.weights(hidesFirst);
    const isText = (labels: readonly string[]) => (at: number) => labels[at] !== restOfCharacter;
    const both = { row: isText(rows), column: isText(columns) };
    return map && standing(map, columns.length, isCross, both);
  }

  score(
    active: MapCell | undefined,
    hidesFirst: boolean,
    names: Record<string, string>,
  ): ChosenScore | undefined {
    const { head } = this.answers;
    const map = this.weights(hidesFirst);
    if (!head || !active || !map) return undefined;
    const { rows, columns, isCross } = this.labels;
    const at = active.row * columns.length + active.column;
    // Between two texts most schemes add nothing.
    const given = Object.entries(head.terms).filter(
      ([name, values]) => !isCross || name === "content" || values.some((value) => value !== 0),
    );
    const terms = given.map(([name, values]) => ({
      name: names[name] ?? name,
      value: values[at]!,
      isContent: name === "content",
    }));
    const [from, to] = [rows[active.row]!, columns[active.column]!] as const;
    return { from, to, value: map[at]!, terms, total: head.logits[at]! };
  }
}

/** Returns the sentence on a logit as the sum of its terms. */
export function sentenceOf(
  { terms, total, from, to, value }: ChosenScore,
  { layer, head }: { layer: number; head: number },
  words: OpenWords,
  joiner: string,
): string {
  const written = terms.map((term) => `${term.name} ${signed(term.value)}`);
  const joined = written.join(joiner);
  const sum = written.length > 1 ? words.sum(joined, signed(total)) : joined;
  return words.caption(layer + 1, head + 1, from, to, value, sum);
}

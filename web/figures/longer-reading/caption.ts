/** The caption of the longer text. */
import type { StretchMethod } from "../../defaults.js";
import type { LongerScore } from "../../engine/page/extension-results.js";
import type { LongerAnswer } from "./messages.js";
import type { LongerWords } from "./words.js";

export interface ShownScore {
  method: StretchMethod;
  score: LongerScore;
}

export interface CaptionParts {
  words: LongerWords;
  joiner: string;
  multiple: number;
  /** Bits per token at the model's own length, and at this length without a method. */
  trained: number;
  plain: number;
  scores: readonly ShownScore[];
  /** This tab's answer, if it is shown. */
  here: LongerAnswer | undefined;
}

/** Minimum rise in the first piece that another text would not explain. */
const noticeable = 0.1;

export function captionOf({
  words,
  joiner,
  multiple,
  trained,
  plain,
  scores,
  here,
}: CaptionParts): string {
  const nameOf = ({ method }: ShownScore) => words.names[method];
  const list = scores
    .filter(({ method }) => method !== "none")
    .map((shown) => words.gain(nameOf(shown), shown.score.bitsPerToken));
  const firstOf = ({ score }: ShownScore) => score.byPosition[0]!;
  const [worst] = [...scores].sort((a, b) => firstOf(b) - firstOf(a));
  // From the same source as the shown losses, if it includes the unchanged model.
  const unchanged = scores.find(({ method }) => method === "none");
  const before = unchanged ? firstOf(unchanged) : trained;
  // Without a method the first piece is as in training, and a difference comes from the text.
  const isSpoiled = worst && worst.method !== "none" && firstOf(worst) > before + noticeable;
  return [
    words.before(list.join(joiner), plain.toFixed(2), trained.toFixed(2), multiple),
    isSpoiled ? words.spoiled(nameOf(worst), firstOf(worst), before, unchanged !== undefined) : "",
    here ? words.here(here) : "",
  ].join("");
}

/** The note beside a sum of terms on its difference from the logit that was computed directly. */
import type { AsOneWords } from "./sum-words.js";

/** `error` is the difference, as `measured` writes it. */
export const asOne = (words: AsOneWords, error: string): string =>
  error === "0" ? words.same : words.apart(error);

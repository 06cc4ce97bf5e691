/** What is said of a sum of terms beside the score that was computed as one. */
import type { AsOneWords } from "./sum-words.js";

/** Of their difference as `measured` writes it. */
export const asOne = (words: AsOneWords, error: string): string =>
  error === "0" ? words.same : words.apart(error);

/** The text of each token, even if a character consists of several tokens. */
import { TextStream, type Tokenizer } from "whereformer";

/** Returns each token's text: the package's labels, as in the result of `run`. */
export const tokenTexts = (ids: readonly number[], decode: Tokenizer["decode"]): string[] =>
  TextStream.labels({ decode }, ids);

/** The text of each token, where a character may be made of several. */
import { TextStream, type Tokenizer } from "whereformer";

/** What each token says: the package's labels, as `run` gives them. */
export const tokenTexts = (ids: readonly number[], decode: Tokenizer["decode"]): string[] =>
  TextStream.labels({ decode }, ids);

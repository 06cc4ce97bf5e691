/** The beginning of the held-out texts, and a model's loss on it, with and without surgery. */
import type { Model, Surgery, Tokenizer } from "whereformer";
import { heldOutWindow, heldOutWindows, type Language } from "../../defaults.js";
import type { SurgeryLoss } from "../both/surgery-messages.js";

/** Bytes at the beginning of a file: more than the windows need, in either language. */
const enough = 8192;

async function beginningOf(address: URL, signal: AbortSignal): Promise<string> {
  const failed = (code: string, message: string) => Object.assign(new Error(message), { code });
  const response = await fetch(address, { signal }).catch((reason) => {
    throw failed(signal.aborted ? "aborted" : "network", String(reason));
  });
  if (!response.ok) throw failed("network", `${address.pathname}: HTTP status ${response.status}`);
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = 0; bytes < enough; ) {
    const { value, done } = await reader.read();
    if (done) return text;
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
  }
  void reader.cancel();
  return text;
}

/**
 * Windows of a held-out text, each with the token after it, and the number of predicted characters.
 */
export interface HeldOut {
  language: Language;
  windows: number[][];
  characters: number;
}

export async function readHeldOut(
  folder: URL,
  tokenizer: Tokenizer,
  signal: AbortSignal,
): Promise<HeldOut[]> {
  return Promise.all(
    (["en", "zh"] as const).map(async (language) => {
      const text = await beginningOf(new URL(`heldout/${language}.txt`, folder), signal);
      const ids = tokenizer.encode(text);
      const windows = Array.from({ length: heldOutWindows }, (_, index) =>
        ids.slice(index * heldOutWindow, (index + 1) * heldOutWindow + 1),
      );
      // <|unk|> counts as one character without a token.
      const lengthOf = (id: number) => {
        const token = tokenizer.decode([id]);
        return token.startsWith("<|") ? 1 : [...token].length;
      };
      const characters = windows
        .flatMap((window) => window.slice(1))
        .reduce((sum, id) => sum + lengthOf(id), 0);
      return { language, windows, characters };
    }),
  );
}

/**
 * Returns bits per character over all windows. `moved` returns the positions of a window;
 * `yieldToUrgent` is called before each window.
 */
export async function heldOutLoss(
  model: Model,
  { windows, characters }: HeldOut,
  surgery: Surgery | undefined,
  moved: ((length: number) => number[]) | undefined,
  yieldToUrgent: () => Promise<void>,
): Promise<number> {
  let nats = 0;
  for (const window of windows) {
    await yieldToUrgent();
    const options = {
      ...(surgery && { surgery }),
      ...(moved && { positions: moved(window.length) }),
    };
    nats += model.loss(window, options).mean * (window.length - 1);
  }
  return nats / Math.LN2 / characters;
}

/** Returns the number of held-out tokens that are predicted. */
export const scoredIn = (texts: readonly HeldOut[]): number =>
  texts.reduce(
    (sum, { windows }) => sum + windows.reduce((all, { length }) => all + length - 1, 0),
    0,
  );

const untouched = new WeakMap<Model, number[]>();

/** Returns the loss on each text before and after the change. */
export async function lossesOf(
  model: Model,
  heldOut: readonly HeldOut[],
  surgery: Surgery | undefined,
  moved: ((length: number) => number[]) | undefined,
  yieldToUrgent: () => Promise<void>,
): Promise<SurgeryLoss[]> {
  let before = untouched.get(model);
  if (!before) {
    before = [];
    for (const text of heldOut)
      before.push(await heldOutLoss(model, text, undefined, undefined, yieldToUrgent));
    untouched.set(model, before);
  }
  const losses: SurgeryLoss[] = [];
  for (const [index, text] of heldOut.entries()) {
    const after = await heldOutLoss(model, text, surgery, moved, yieldToUrgent);
    losses.push({ language: text.language, before: before[index]!, after });
  }
  return losses;
}

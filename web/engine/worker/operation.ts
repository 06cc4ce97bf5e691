/**
 * Surgery on a trained model: what a figure asks for, as the engine's arguments, and what comes of
 * it.
 */
import type { Engine, Model, SchemeSpec, Surgery, Tokenizer } from "whereformer";
import {
  asScheme,
  blindScheme,
  farthestMove,
  heldOutWindow,
  heldOutWindows,
  type Language,
  type Operation,
  operations,
  turnedOptions,
} from "../../defaults.js";
import type { OperateAnswer, OperateQuestion } from "../both/messages.js";

/** Bytes of a file's beginning: more than its windows need, in either language. */
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
 * Windows of a held-out text, each with the token that follows it, and the characters that are
 * predicted.
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
      // What has no token is written <|unk|>, and was one character.
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

/** Bits a character over all windows. `moved` gives a window its positions. */
export function heldOutLoss(
  model: Model,
  { windows, characters }: HeldOut,
  surgery: Surgery | undefined,
  moved: ((length: number) => number[]) | undefined,
): number {
  let nats = 0;
  for (const window of windows) {
    const options = {
      ...(surgery && { surgery }),
      ...(moved && { positions: moved(window.length) }),
    };
    nats += model.loss(window, options).mean * (window.length - 1);
  }
  return nats / Math.LN2 / characters;
}

/** What may be done to a model, and between what. */
type Offer = Pick<OperateAnswer, "operations" | "terms" | "option" | "schemes">;

function offerOf(wf: Engine, model: Model, pairs: number): Offer {
  const own = model.config.scheme;
  const described = own.map(({ id }) => wf.schemes.find((scheme) => scheme.id === id)!);
  const terms = ["content", ...described.flatMap((scheme) => scheme.terms)];
  const found = own.flatMap(({ options }, index) =>
    turnedOptions.flatMap((key) => {
      const option = described[index]!.options.find((one) => one.key === key);
      return option ? [{ index, option, value: Number(options[key]) }] : [];
    }),
  )[0];
  // A layer can be given what acts in attention; token vectors are made before the first one, and
  // latent projections would have to be trained.
  const schemes = wf.schemes
    .filter(
      ({ id, hooks, positionAxes, family }) =>
        positionAxes < 2 &&
        !hooks.includes("embeddings") &&
        family !== "latent" &&
        own[0]?.id !== id,
    )
    .map(({ id }) => id);
  const offered: Record<Operation, boolean> = {
    zero: true,
    drop: pairs > 0,
    freeze: pairs > 0,
    option: found !== undefined,
    scheme: !described.some(({ hooks }) => hooks.includes("embeddings")),
    move: true,
    copy: true,
  };
  const result: Offer = {
    operations: operations.filter((operation) => offered[operation]),
    terms,
    schemes,
  };
  if (!found) return result;
  const { option, value } = found;
  const least = Math.max(option.minimum ?? 0, value / 256);
  const most = Math.min(option.maximum ?? Infinity, value * 16);
  return { ...result, option: { key: option.key, own: value, least, most } };
}

const within = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));

/** The value in force: what was written where it fits, else one that shows something. */
function fittingValue(operation: Operation, written: string, offer: Offer, pairs: number): string {
  const number = (otherwise: number, least: number, most: number) =>
    String(
      within(
        written === "" || Number.isNaN(Number(written)) ? otherwise : Number(written),
        least,
        most,
      ),
    );
  const word = (list: readonly string[], otherwise: string | undefined) =>
    list.includes(written) ? written : (otherwise ?? list[0]!);
  switch (operation) {
    case "zero":
      return word(offer.terms, offer.terms[1]);
    case "drop":
    case "freeze":
      return number(Math.floor(pairs / 4), 0, pairs - 1);
    case "option":
      return number(offer.option!.own / 64, offer.option!.least, offer.option!.most);
    case "scheme":
      return word(offer.schemes, offer.schemes.includes(blindScheme) ? blindScheme : undefined);
    case "move":
      return number(farthestMove / 2, -farthestMove, farthestMove);
    case "copy":
      return "";
  }
}

function surgeryOf(
  { where, layer, head }: OperateQuestion,
  operation: Operation,
  value: string,
  model: Model,
  offer: Offer,
): Surgery | undefined {
  const layers = where === "all" ? {} : { layers: [layer] };
  const heads = where === "head" ? { heads: [head] } : {};
  switch (operation) {
    case "zero":
      return { ...layers, ...heads, zero: [value] };
    case "drop":
      return { ...layers, ...heads, dropPairs: [Number(value)] };
    case "freeze":
      return { ...layers, ...heads, freezePairs: [Number(value)] };
    case "option": {
      const { key } = offer.option!;
      const scheme = model.config.scheme.map(({ id, options }) =>
        key in options ? { id, options: { ...options, [key]: Number(value) } } : { id, options },
      ) as SchemeSpec[];
      return { ...layers, scheme };
    }
    case "scheme":
      return { ...layers, scheme: asScheme(value) };
    default:
      return undefined;
  }
}

/** What is operated on, and what shows the effect. */
export interface Subject {
  model: Model;
  ids: readonly number[];
  tokens: string[];
  wavelengths: Float32Array | undefined;
  heldOut: readonly HeldOut[];
}

/** Held-out tokens that are predicted. */
export const scoredIn = (texts: readonly HeldOut[]): number =>
  texts.reduce(
    (sum, { windows }) => sum + windows.reduce((all, { length }) => all + length - 1, 0),
    0,
  );

/** Which token is moved and where to, and the positions of a text in which it is. */
function moveOf(question: OperateQuestion, operation: Operation, value: string, n: number) {
  const token = within(question.token < 0 ? n >> 1 : question.token, 1, n - 1);
  const by = operation === "copy" ? -1 : Number(value);
  const to = within(token + by, 0, heldOutWindow - 1);
  const moved =
    operation === "move" || operation === "copy"
      ? (length: number) => Array.from({ length }, (_, at) => (at === token ? to : at))
      : undefined;
  return { token, to, moved };
}

const untouched = new WeakMap<Model, number[]>();

/** `pause` lets newer questions in, and throws where one has come. */
export async function operate(
  wf: Engine,
  { model, ids, tokens, wavelengths, heldOut }: Subject,
  question: OperateQuestion,
  pause: () => Promise<void>,
): Promise<OperateAnswer> {
  const started = performance.now();
  const pairs = wavelengths?.length ?? 0;
  const offer = offerOf(wf, model, pairs);
  const operation = offer.operations.includes(question.operation) ? question.operation : "zero";
  const value = fittingValue(operation, question.value, offer, pairs);
  const surgery = surgeryOf(question, operation, value, model, offer);
  const { layer, head } = question;
  const n = ids.length;
  const { token, to, moved } = moveOf(question, operation, value, n);
  const look = (with_: { surgery?: Surgery; positions?: number[] }) =>
    model.run(ids, { record: ["weights"], region: { layers: [layer], heads: [head] }, ...with_ })
      .weights!.data;
  const before = look({});
  const after = look({ ...(surgery && { surgery }), ...(moved && { positions: moved(n) }) });
  let own = untouched.get(model);
  if (!own) {
    own = heldOut.map((text) => heldOutLoss(model, text, undefined, undefined));
    untouched.set(model, own);
  }
  const losses: OperateAnswer["losses"] = [];
  for (const [index, text] of heldOut.entries()) {
    await pause();
    const loss = heldOutLoss(model, text, surgery, moved);
    losses.push({ language: text.language, before: own[index]!, after: loss });
  }
  return {
    ...offer,
    scheme: question.scheme,
    operation,
    where: question.where,
    layer,
    head,
    value,
    token,
    to,
    tokens,
    ids: [...ids],
    before,
    after,
    losses,
    scored: scoredIn(heldOut),
    milliseconds: performance.now() - started,
    ...(surgery && { surgery }),
    ...(moved && { positions: moved(n) }),
    ...(wavelengths && { wavelengths: wavelengths.slice() }),
  };
}

/**
 * Questions of the first figures. A binary with just enough code for them loads before the whole
 * engine (scripts/build/first-engine.mjs).
 */
import { blindScheme, longestSentence, sightedScheme } from "../../defaults.js";
import type { OrderAnswer, OrderQuestion, PairAnswer, PairQuestion } from "../both/messages.js";
import { compareOrders, comparePair, forget, type UntrainedEngine } from "./untrained-models.js";

export type { UntrainedEngine };

const schemes: readonly string[] = [blindScheme, sightedScheme];

/** Calls `use` with an engine; `canBeFirst` allows the small first one. */
type AskEngine = <T>(canBeFirst: boolean, use: (wf: UntrainedEngine) => Promise<T>) => Promise<T>;

export const firstAnswers = (ask: AskEngine) => ({
  pair: (question: PairQuestion): Promise<PairAnswer> =>
    ask(schemes.includes(question.scheme), (wf) => comparePair(wf, question)),
  order: (question: OrderQuestion): Promise<OrderAnswer> =>
    ask(true, (wf) => compareOrders(wf, question)),
});

/** Runs every question that the first engine answers, except splitting a text into words. */
export async function askEverything(wf: UntrainedEngine): Promise<void> {
  for (let length = 2; length <= longestSentence; length++) {
    const ids = Array.from({ length }, (_, index) => index);
    const texts = { idsA: ids, idsB: ids.toReversed() };
    for (const scheme of schemes)
      await comparePair(wf, { ...texts, order: ids.toReversed(), scheme });
    await compareOrders(wf, { ...texts, seed: length });
  }
  // Includes creating and freeing models.
  forget(wf);
}

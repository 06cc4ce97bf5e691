/** Texts of the clock, in both languages. */
import type { Bilingual } from "../../text/bilingual.js";
import { periodText, plain } from "../../text/numbers.js";

interface PairNumbers {
  wavelength: number;
  between: number;
  share: number;
}

export interface Told extends PairNumbers {
  query: number;
  key: number;
  pair: number;
  pairs: number;
  score: number;
}

const en = {
  name: "A dial for every pair of channels",
  title: (distance: number) =>
    distance
      ? `Query and key, ${distance} apart, move on together: no angle between them changes`
      : "At the same position all hands of query and key agree",
  both: "Query and key at",
  bothText: (query: number, key: number) => `${query} and ${key}`,
  query: "Query at",
  key: "Key at",
  queryHand: "query’s hand",
  keyHand: "key’s hand",
  way: "angle between them",
  handle: { query: "Query’s hand", key: "Key’s hand" },
  position: (position: number, pair: number) => `position ${position}, pair ${pair + 1}`,
  play: "Let time run",
  stop: "Stop",
  step: "One position on",
  dials:
    "A dial for each pair of channels. Below it: tokens for a turn, and what the pair adds to the score, or takes from it",
  pair: (pair: number) => `pair ${pair + 1}`,
  tokens: (period: string) => `${period} tokens`,
  pairs: "Pairs of channels, the fastest first",
  row: (pair: number, { wavelength, between, share }: PairNumbers) =>
    `pair ${pair + 1}, a turn in ${periodText(wavelength)} tokens: ${Math.round(between)}° between the hands, adds ${plain(share)}`,
  sum: (distance: number, score: number, pairs: number) =>
    `The score, the sum of all ${pairs} pairs: ${plain(score)} of ${pairs} at distance ${distance}`,
  distance: "distance in tokens",
  caption: ({ query, key, pair, pairs, wavelength, between, share, score }: Told) =>
    `The query stands at ${query}, the key at ${key}: ${Math.abs(query - key)} apart. In pair ${pair + 1}, which needs ${periodText(wavelength)} tokens for a turn, ${Math.round(between)}° lie between the two hands, and it adds their cosine, ${plain(share)}. All ${pairs} pairs add up to ${plain(score)}.`,
  note: (pairs: number) =>
    `The ${pairs} pairs of one head of this page’s small models, base 10,000, the fastest first. At position 0 every hand points up; query and key are (1, 0) in every pair, no scaling by √d. Click a dial to choose its pair, and drag its hands.`,
  caveat:
    "Not shown: a trained head, whose hands begin at any angle and with any length. The next figure shows one.",
};

export type ClockWords = typeof en;

const zh: ClockWords = {
  name: "每对通道一个钟面",
  title: (distance) =>
    distance
      ? `查询与键相距 ${distance}，一起往前走，夹角一个也不变`
      : "在同一个位置，查询和键的指针全都重合",
  both: "查询和键的位置",
  bothText: (query, key) => `${query} 和 ${key}`,
  query: "查询在",
  key: "键在",
  queryHand: "查询的指针",
  keyHand: "键的指针",
  way: "两者的夹角",
  handle: { query: "查询的指针", key: "键的指针" },
  position: (position, pair) => `位置 ${position}，第 ${pair + 1} 对`,
  play: "让时间走",
  stop: "停",
  step: "往前一个位置",
  dials: "每对通道一个钟面；下面是几个词元转一圈，以及这一对给得分添多少、减多少",
  pair: (pair) => `第 ${pair + 1} 对`,
  tokens: (period) => `${period} 个词元`,
  pairs: "各对通道，由快到慢",
  row: (pair, { wavelength, between, share }) =>
    `第 ${pair + 1} 对，${periodText(wavelength)} 个词元转一圈：两根指针夹角 ${Math.round(between)}°，添 ${plain(share)}`,
  sum: (distance, score, pairs) =>
    `得分，即 ${pairs} 对之和：距离 ${distance} 处为 ${plain(score)}，最多 ${pairs}`,
  distance: "距离（词元）",
  caption: ({ query, key, pair, pairs, wavelength, between, share, score }) =>
    `查询在 ${query}，键在 ${key}，相距 ${Math.abs(query - key)}。第 ${pair + 1} 对 ${periodText(wavelength)} 个词元转一圈，两根指针夹角 ${Math.round(between)}°，它给得分添上夹角的余弦 ${plain(share)}。${pairs} 对加起来是 ${plain(score)}。`,
  note: (pairs) =>
    `本页小模型的一个头，共 ${pairs} 对通道，基数 10,000，由快到慢。位置 0 处所有指针指向正上方；查询和键的每一对都是 (1, 0)，不除以 √d。点一个钟面就选中那一对，它的指针可以拖动。`,
  caveat: "图上看不出的：训练好的注意力头。它的查询和键，指针长短、起始角度各不相同，见下一张图。",
};

export const clockWords: Bilingual<ClockWords> = { en, zh };

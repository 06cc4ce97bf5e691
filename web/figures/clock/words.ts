/** Texts of the clock, in both languages. */
import type { Bilingual } from "../../text/bilingual.js";
import { grouped, plain, wavelengthText } from "../../text/numbers.js";

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
  name: "One clock with all hands",
  title: (distance: number) =>
    distance
      ? `All hands run; between query and key, ${distance} apart, no angle changes`
      : "At the same position all hands of query and key agree",
  both: "Both at",
  bothText: (query: number, key: number) => `${query} and ${key}`,
  query: "Query at",
  key: "Key at",
  queryHand: "query’s hand, filled",
  keyHand: "key’s hand, dashed",
  way: "angle between them",
  hands: { query: "query", key: "key" },
  rings: { outer: "pair 1, the fastest", inner: "slowest" },
  handle: { query: "Query’s hand", key: "Key’s hand" },
  position: (position: number, pair: number) => `position ${position}, pair ${pair + 1}`,
  play: "Let time run",
  stop: "Stop",
  step: "One position on",
  rotations: "tokens for a turn",
  adds: "adds to the score",
  pairs: "Pairs of channels, the fastest first",
  row: (pair: number, { wavelength, between, share }: PairNumbers) =>
    `pair ${pair + 1}, a turn in ${wavelengthText(wavelength)} tokens: ${Math.round(between)}° between the hands, adds ${plain(share)}`,
  sum: (score: number, pairs: number) => `sum ${plain(score)} of ${pairs}`,
  sumByDistance: (pairs: number, farthest: number) =>
    `the sum of all ${pairs} at every distance up to ${grouped(farthest)} tokens`,
  distance: "distance in tokens",
  here: (distance: number) => `here: ${distance}`,
  sumAt: (distance: number, score: number) => `distance ${distance}: sum ${plain(score)}`,
  caption: ({ query, key, pair, pairs, wavelength, between, share, score }: Told) =>
    `The query stands at ${query}, the key at ${key}: ${Math.abs(query - key)} apart. In pair ${pair + 1}, which needs ${wavelengthText(wavelength)} tokens for a turn, ${Math.round(between)}° lie between the two hands, and it adds their cosine, ${plain(share)}. All ${pairs} pairs add up to ${plain(score)}.`,
  note: (pairs: number) =>
    `A ring for each of the ${pairs} pairs of one head of this page’s small models, base 10,000; the fastest is the outermost. At position 0 every hand points up; query and key are (1, 0) in every pair, no scaling by √d. Drag a hand, click a ring for another pair.`,
  caveat:
    "Not shown: what a trained head does with it. Its queries and keys have hands of any length and direction, and with those it chooses the distances that it likes.",
};

export type ClockWords = typeof en;

const zh: ClockWords = {
  name: "一座钟，所有的指针",
  title: (distance) =>
    distance
      ? `指针都在走；查询与键相距 ${distance}，夹角一个也不变`
      : "在同一个位置，查询和键的指针全都重合",
  both: "一起在",
  bothText: (query, key) => `${query} 和 ${key}`,
  query: "查询在",
  key: "键在",
  queryHand: "查询的指针（实心）",
  keyHand: "键的指针（虚线）",
  way: "两者的夹角",
  hands: { query: "查询", key: "键" },
  rings: { outer: "第 1 对，最快", inner: "最慢" },
  handle: { query: "查询的指针", key: "键的指针" },
  position: (position, pair) => `位置 ${position}，第 ${pair + 1} 对`,
  play: "让时间走",
  stop: "停",
  step: "往前一个位置",
  rotations: "几个词元转一圈",
  adds: "给得分添多少",
  pairs: "各对通道，由快到慢",
  row: (pair, { wavelength, between, share }) =>
    `第 ${pair + 1} 对，${wavelengthText(wavelength)} 个词元转一圈：两根指针夹角 ${Math.round(between)}°，添 ${plain(share)}`,
  sum: (score, pairs) => `合计 ${plain(score)}，最多 ${pairs}`,
  sumByDistance: (pairs, farthest) => `${pairs} 对的和：从距离 0 到 ${grouped(farthest)} 个词元`,
  distance: "距离（词元）",
  here: (distance) => `现在：${distance}`,
  sumAt: (distance, score) => `距离 ${distance}：合计 ${plain(score)}`,
  caption: ({ query, key, pair, pairs, wavelength, between, share, score }) =>
    `查询在 ${query}，键在 ${key}，相距 ${Math.abs(query - key)}。第 ${pair + 1} 对 ${wavelengthText(wavelength)} 个词元转一圈，两根指针夹角 ${Math.round(between)}°，它给得分添上夹角的余弦 ${plain(share)}。${pairs} 对加起来是 ${plain(score)}。`,
  note: (pairs) =>
    `一圈是一对通道，共 ${pairs} 对，取自本页小模型的一个头，基数 10,000；最外圈最快。位置 0 处所有指针指向正上方；查询和键的每一对都是 (1, 0)，不除以 √d。指针可以拖动，点一圈就换成那一对。`,
  caveat:
    "图上看不出的：训练好的注意力头怎样用它。真实的查询和键，指针长短、方向各不相同，模型正是靠这些来选它偏爱的距离。",
};

export const clockWords: Bilingual<ClockWords> = { en, zh };

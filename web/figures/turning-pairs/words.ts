/** The words of "two hands in every pair". */
import { fadingDistance } from "../../defaults.js";
import type { Bilingual } from "../../text/index.js";
import { grouped, plain, turns } from "../../text/numbers.js";

const en = {
  name: "Two hands in every pair",
  title: "A score reads only the angle between two hands",
  titleAlike: "With one speed for all, the score comes back with every turn",
  query: "Query at position",
  key: "Key at position",
  both: "Move both",
  base: "Base",
  bases: (base: number) => (base < 2 ? "1.0001" : grouped(base)),
  position: (position: number) => String(position),
  steps: (from: number) => `from ${from}`,
  pair: (pair: number) => `pair ${pair + 1}`,
  turn: (tokens: number) => `a turn in ${turns(tokens)} tokens`,
  hands: "hands of query and key",
  shares: "what the pair adds to the score",
  sum: (score: number, pairs: number) => `sum ${plain(score)} of ${pairs}`,
  queryHand: "query’s hand, whole, drawn longer",
  keyHand: "key’s hand, dashed",
  curve: "score and bound by distance, divided by the number of pairs",
  score: "score",
  bound: "RoFormer’s bound",
  fading: `xPos, fading by B = ${fadingDistance} tokens`,
  distance: "distance in tokens",
  here: (distance: number) => `here: ${distance}`,
  cell: (pair: number, degrees: number, share: number) =>
    `pair ${pair + 1}: ${Math.round(degrees)}° between the hands, adds ${plain(share)}`,
  point: (distance: number, score: number, bound: number, fading: number) =>
    `distance ${distance}: score ${plain(score)}, bound ${plain(bound)}, xPos ${plain(fading)}`,
  reading: (query: number, key: number, score: number, pairs: number) =>
    `The query stands at ${query}, the key at ${key}: ${Math.abs(query - key)} apart. Each pair adds the cosine of the angle between its hands, and all ${pairs} add up to ${plain(score)}. Move both and every hand turns, but no angle between two of them changes, and neither does the score.`,
  readingAlike: (query: number, key: number, score: number, pairs: number) =>
    `The query stands at ${query}, the key at ${key}. With a base next to 1 all ${pairs} pairs turn alike: together they say ${plain(score)}, and after every full turn, 6.3 tokens, they say the same again. Nobody can tell 1 from 7 by this.`,
  note: (pairs: number) =>
    `Every pair of query and key is (1, 0), a hand that points up at position 0; ${pairs} pairs, no scaling by √d.`,
  caveat:
    "Not shown: what a trained head does with it. Its queries and keys have hands of any length and direction, and with those it chooses the distances that it likes. The bound can be had for any of them; the bound and the score drawn are those of these hands. xPos fades over B tokens; its authors take 512.",
};

export type TurningWords = typeof en;

const zh: TurningWords = {
  name: "每对通道里的两根指针",
  title: "得分只看两根指针的夹角",
  titleAlike: "各对转得一样快，每转一圈得分就重来一遍",
  query: "查询的位置",
  key: "键的位置",
  both: "一起移动",
  base: "基数",
  bases: en.bases,
  position: en.position,
  steps: (from) => `从 ${from} 起`,
  pair: (pair) => `第 ${pair + 1} 对`,
  turn: (tokens) => `${turns(tokens)} 个词元转一圈`,
  hands: "查询与键的指针",
  shares: "这一对给得分添多少",
  sum: (score, pairs) => `合计 ${plain(score)}，最多 ${pairs}`,
  queryHand: "查询的指针（实线，画得长些）",
  keyHand: "键的指针（虚线）",
  curve: "得分与上界随距离的变化（都除以对数，距离 0 处得分为 1）",
  score: "得分",
  bound: "RoFormer 的上界",
  fading: `xPos，衰减尺度 B = ${fadingDistance}`,
  distance: "距离（词元）",
  here: (distance) => `现在：${distance}`,
  cell: (pair, degrees, share) =>
    `第 ${pair + 1} 对：两根指针夹角 ${Math.round(degrees)}°，贡献 ${plain(share)}`,
  point: (distance, score, bound, fading) =>
    `距离 ${distance}：得分 ${plain(score)}，上界 ${plain(bound)}，xPos ${plain(fading)}`,
  reading: (query, key, score, pairs) =>
    `查询在 ${query}，键在 ${key}，相距 ${Math.abs(query - key)}。每一对贡献的，是它两根指针夹角的余弦；${pairs} 对加起来是 ${plain(score)}。把两者一起移动，每根指针都在转，可是夹角一个也没变，得分也就不变。`,
  readingAlike: (query, key, score, pairs) =>
    `查询在 ${query}，键在 ${key}。基数接近 1 时，${pairs} 对转得一样快：合起来是 ${plain(score)}，每转一圈（6.3 个词元）又是同样的数。光看这个，分不清相距 1 还是相距 7。`,
  note: (pairs) =>
    `查询和键的每一对都是 (1, 0)，也就是在位置 0 指向正上方的一根指针；共 ${pairs} 对，不除以 √d。`,
  caveat:
    "这张图没有告诉你的：训练好的注意力头怎样用它。真实的查询和键，指针长短、方向各不相同，模型正是靠这些来选它偏爱的距离。上界的算法对任何指针都成立；图上画的上界和得分，都是这一组指针的。",
};

export const turningWords: Bilingual<TurningWords> = { en, zh };

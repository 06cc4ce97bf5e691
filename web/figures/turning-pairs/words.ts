/** The words of "two hands in every pair". */

import { fadingDistance } from "../../defaults.js";
import { oneHand, type RotationStep } from "../../engine/both/rotated-heads.js";
import type { Bilingual } from "../../text/index.js";
import { grouped, plain, wavelengthText } from "../../text/numbers.js";
import type { RotatedHands } from "./messages.js";

/** An angle in degrees: 67.5, 1,440, 0.036. */
const angle = (degrees: number): string =>
  degrees < 1 ? plain(Number(degrees.toPrecision(2))) : grouped(Math.round(degrees * 10) / 10);

/** A coordinate of a hand of length 1, to three decimals, as exact as the product. */
const three = (value: number): string => plain(Math.round(value * 1000) / 1000);

const vector = ([first, second]: readonly [number, number]): string =>
  `(${three(first)},\u00a0${three(second)})`;

/** A factor of a product. */
const factor = (value: number): string => (value < 0 ? `(${three(value)})` : three(value));

const products = ({ query, key }: RotatedHands): string =>
  `${factor(query[0])} × ${factor(key[0])} + ${factor(query[1])} × ${factor(key[1])}`;

const ascending = (positions: readonly [number, number]): number[] =>
  [...positions].sort((a, b) => a - b);

const round = (2 * Math.PI) / oneHand.theta;
const stepDegrees = angle((oneHand.theta * 180) / Math.PI);

/** Returns full rotations and the rest, in degrees: 1 and 22.5 for 382.5. */
const rounds = (degrees: number): [number, number] => [Math.floor(degrees / 360), degrees % 360];

const untrained: Bilingual<string> = {
  en: "Not shown: a trained head. Its queries and keys have hands of any length and direction, and with those it chooses the distances that it likes.",
  zh: "图上看不出的：训练好的注意力头怎样用它。真实的查询和键，指针长短、方向各不相同，模型正是靠这些来选它偏爱的距离。",
};

const en = {
  name: "Two hands in every pair",
  steps: "Step",
  stepNames: {
    one: "1 One hand",
    many: "2 All hands",
    sum: "3 Their sum",
    far: "4 Far apart",
    base: "5 The base",
    all: "All at once",
  } as Record<RotationStep, string>,
  next: {
    one: "Next: all hands, each at its own speed",
    many: "Next: what they add up to",
    sum: "Next: the sum far apart",
    far: "Next: another base, and the bound",
    base: "Then all of it at once",
    all: "From the beginning, step by step",
  } as Record<RotationStep, string>,
  titles: {
    one: "Only the angle between the two hands counts",
    many: "Every pair is a hand with a speed of its own",
    sum: "The score is the sum of what all hands say",
    far: "Far apart, the score comes back",
    base: "A larger base slows the hands; the bound lies far above the score",
    all: "A score reads only the angle between two hands",
  } as Record<RotationStep, string>,
  titleAlike: "With one speed for all, the score comes back with every turn",
  query: "Query at position",
  key: "Key at position",
  both: "Move both",
  handNames: { query: "query", key: "key" },
  base: "Base",
  bases: (base: number) => (base < 2 ? "1.0001" : grouped(base)),
  position: (position: number) => String(position),
  stepsFrom: (from: number) => `from ${from}`,
  rotated: {
    query: (at: number, degrees: number, to: readonly [number, number]) =>
      `query (1, 0) at ${at}: turned by ${angle(degrees)}° it is ${vector(to)}`,
    key: (at: number, degrees: number, to: readonly [number, number]) =>
      `key (1, 0) at ${at}: turned by ${angle(degrees)}° it is ${vector(to)}`,
  },
  axes: `up: the pair’s first number, right: its second; every position turns a hand clockwise by ${stepDegrees}°`,
  apart(distance: number, degrees: number) {
    const [full, rest] = rounds(degrees);
    const times = full === 1 ? "once round" : `${full} times round`;
    const gone = full ? `, ${times}${rest ? ` and ${angle(rest)}°` : ""}` : "";
    return `between them: ${distance} × ${stepDegrees}° = ${angle(degrees)}°${gone}`;
  },
  multiplied: (hands: RotatedHands) =>
    `multiplied: ${products(hands)}, about ${three(hands.product)}`,
  product: (product: number, degrees: number) =>
    `product ${plain(product)}, cos ${angle(degrees)}°`,
  shifted: (product: number) =>
    `As far apart, elsewhere: the same angle, the same product ${plain(product)}`,
  standing: (positions: readonly [number, number]) => ascending(positions).join(" and "),
  hand: ({ at, query, key, product }: RotatedHands, degrees: number) =>
    `query at ${at[0]} ${vector(query)}, key at ${at[1]} ${vector(key)}: ${angle(degrees)}° between them, product ${plain(product)}`,
  pair: (pair: number) => `pair ${pair + 1}`,
  wavelength: (tokens: number) => `a turn in ${wavelengthText(tokens)} tokens`,
  hands: "hands of query and key",
  angles: "between them",
  degrees: (degrees: number) => `${angle(degrees)}°`,
  angleAndShare: (degrees: string, share: number) => `${degrees}, adds ${plain(share)}`,
  shares: "what the pair adds to the score",
  sum: (score: number, pairs: number) => `sum ${plain(score)} of ${pairs}`,
  waves: "what each pair adds, by distance: from −1 to 1",
  sumWave: (pairs: number) => `their sum, divided by ${pairs}`,
  wave: (pair: number, distance: number, share: number) =>
    `pair ${pair + 1}, distance ${distance}: adds ${plain(share)}`,
  waveSum: (distance: number, score: number) => `sum at distance ${distance}: ${plain(score)}`,
  queryHand: "query’s hand, solid",
  keyHand: "key’s hand, dashed",
  curve: "score and bound by distance, divided by the number of pairs",
  scoreCurve: "score by distance, divided by the number of pairs",
  score: "score",
  bound: "RoFormer’s bound",
  fading: `xPos, fading by B = ${fadingDistance} tokens`,
  distance: "distance in tokens",
  here: (distance: number) => `here: ${distance}`,
  cell: (pair: number, degrees: number, share: number) =>
    `pair ${pair + 1}: ${Math.round(degrees)}° between the hands, adds ${plain(share)}`,
  point: (distance: number, score: number, bound: number, fading: number) =>
    `distance ${distance}: score ${plain(score)}, bound ${plain(bound)}, xPos ${plain(fading)}`,
  scorePoint: (distance: number, score: number) => `distance ${distance}: score ${plain(score)}`,
  captions: {
    one: (distance: number, degrees: number, product: number) =>
      `Query and key stand ${distance} apart, ${angle(degrees)}° lie between their hands, and the product is ${plain(product)}. Move both: each hand turns, the angle does not change, and neither does the product. At a distance of ${round} the angle is a full turn, and the product the same as at 0.`,
    many: (distance: number, first: number, last: number, wavelength: number) =>
      `At a distance of ${distance}, ${angle(first)}° lie between the hands of the first pair, and ${angle(last)}° between those of the last, which takes ${wavelengthText(wavelength)} tokens for a turn. Each pair adds a wave of its own: what the first cannot tell apart after a turn, the slower ones can.`,
    sum: (distance: number, score: number, pairs: number) =>
      `Where the coloured line cuts a wave, at distance ${distance}, it reads what that pair adds: the cosine of the angle between its hands. All ${pairs} add up to ${plain(score)}. Move both and every hand turns, but no angle between two of them changes, and neither does the score.`,
    far: (low: number, min: number, high: number, max: number) =>
      `The score begins at 1. At distance ${low} it has fallen to ${plain(min)}, but it does not stay there: at ${high} it is back at ${plain(max)}. The fast hands have come round many times by then, and now and then most of them agree again.`,
    base: (base: string, wavelength: number, distance: number, score: number, bound: number) =>
      `With base ${base} the slowest pair takes ${wavelengthText(wavelength)} tokens for a turn. At distance ${distance} the score is ${plain(score)} of its value at 0, and RoFormer’s bound ${plain(bound)}: the score keeps below it, but need not fall, and swings at every base.`,
  },
  caption: (query: number, key: number, score: number, pairs: number) =>
    `The query stands at ${query}, the key at ${key}: ${Math.abs(query - key)} apart. Each pair adds the cosine of the angle between its hands, and all ${pairs} add up to ${plain(score)}. Move both and every hand turns, but no angle between two of them changes, and neither does the score.`,
  captionAlike: (query: number, key: number, score: number, pairs: number) =>
    `The query stands at ${query}, the key at ${key}. With a base next to 1 all ${pairs} pairs turn alike: together they say ${plain(score)}, and after every full turn, 6.3 tokens, they say the same again. Nobody can tell 1 from 7 by this.`,
  noteOne: `One pair alone, (1, 0) before it is turned: a hand that points up. Every position turns it by ${stepDegrees}°, π/8; no scaling by √d.`,
  note: (pairs: number, base: string) =>
    `Every pair of query and key is (1, 0), a hand that points up at position 0; ${pairs} pairs, base ${base}, no scaling by √d.`,
  caveat: untrained.en,
  caveatBound: `${untrained.en} The bound can be had for any of them; the bound and the score drawn are those of these hands. xPos fades over B tokens; its authors take 512.`,
};

export type RotationWords = typeof en;

const zh: RotationWords = {
  name: "每对通道里的两根指针",
  steps: "步骤",
  stepNames: {
    one: "1 一根指针",
    many: "2 快慢不同",
    sum: "3 加起来",
    far: "4 隔得远了",
    base: "5 换基数",
    all: "一次看全",
  },
  next: {
    one: "下一步：每一对都是一根指针，快慢不同",
    many: "下一步：把各对加起来",
    sum: "下一步：隔得很远时的得分",
    far: "下一步：换一个基数，再看上界",
    base: "最后：一次看全",
    all: "从头一步步看",
  },
  titles: {
    one: "起作用的，只有两根指针的夹角",
    many: "每一对都是一根指针，各有各的快慢",
    sum: "得分就是各对点积之和",
    far: "隔得远了，得分还会回来",
    base: "基数越大，指针越慢；上界远高于得分",
    all: "得分只看两根指针的夹角",
  },
  titleAlike: "各对转得一样快，每转一圈得分就重来一遍",
  query: "查询的位置",
  key: "键的位置",
  both: "一起移动",
  handNames: { query: "查询", key: "键" },
  base: "基数",
  bases: en.bases,
  position: en.position,
  stepsFrom: (from) => `从 ${from} 起`,
  rotated: {
    query: (at, degrees, to) => `查询 (1, 0) 在位置 ${at}：转 ${angle(degrees)}°，成 ${vector(to)}`,
    key: (at, degrees, to) => `键 (1, 0) 在位置 ${at}：转 ${angle(degrees)}°，成 ${vector(to)}`,
  },
  axes: `向上是这一对的第一个数，向右是第二个；每走一个位置，顺时针转 ${stepDegrees}°`,
  apart(distance, degrees) {
    const [full, rest] = rounds(degrees);
    const more = rest ? `又 ${angle(rest)}°` : "";
    return `夹角：${distance} × ${stepDegrees}° = ${angle(degrees)}°${full ? `，${full} 圈${more}` : ""}`;
  },
  multiplied: (hands) => `点积：${products(hands)}，约 ${three(hands.product)}`,
  product: (product, degrees) => `点积 ${plain(product)}，即 cos ${angle(degrees)}°`,
  shifted: (product) => `换几个位置，相距同样远：夹角不变，点积还是 ${plain(product)}`,
  standing: (positions) => ascending(positions).join(" 和 "),
  hand: ({ at, query, key, product }, degrees) =>
    `查询在 ${at[0]}，${vector(query)}；键在 ${at[1]}，${vector(key)}：夹角 ${angle(degrees)}°，点积 ${plain(product)}`,
  pair: (pair) => `第 ${pair + 1} 对`,
  wavelength: (tokens) => `${wavelengthText(tokens)} 个词元转一圈`,
  hands: "查询与键的指针",
  angles: "夹角",
  degrees: en.degrees,
  angleAndShare: (degrees, share) => `${degrees}，添 ${plain(share)}`,
  shares: "这一对给得分添多少",
  sum: (score, pairs) => `合计 ${plain(score)}，最多 ${pairs}`,
  waves: "每一对添多少，随距离的变化（−1 到 1）",
  sumWave: (pairs) => `各对之和，除以 ${pairs}`,
  wave: (pair, distance, share) => `第 ${pair + 1} 对，距离 ${distance}：添 ${plain(share)}`,
  waveSum: (distance, score) => `距离 ${distance} 处合计 ${plain(score)}`,
  queryHand: "查询的指针（实线）",
  keyHand: "键的指针（虚线）",
  curve: "得分与上界随距离的变化（都除以对数，距离 0 处得分为 1）",
  scoreCurve: "得分随距离的变化（除以对数，距离 0 处为 1）",
  score: "得分",
  bound: "RoFormer 的上界",
  fading: `xPos，衰减尺度 B = ${fadingDistance}`,
  distance: "距离（词元）",
  here: (distance) => `现在：${distance}`,
  cell: (pair, degrees, share) =>
    `第 ${pair + 1} 对：两根指针夹角 ${Math.round(degrees)}°，贡献 ${plain(share)}`,
  point: (distance, score, bound, fading) =>
    `距离 ${distance}：得分 ${plain(score)}，上界 ${plain(bound)}，xPos ${plain(fading)}`,
  scorePoint: (distance, score) => `距离 ${distance}：得分 ${plain(score)}`,
  captions: {
    one: (distance, degrees, product) =>
      `查询与键相距 ${distance}，两根指针张开 ${angle(degrees)}°，点积是 ${plain(product)}。把两者一起移动：指针都在转，夹角不变，点积也就不变。相距 ${round} 时夹角正好是一整圈，点积又和相距 0 时一样。`,
    many: (distance, first, last, wavelength) =>
      `相距 ${distance} 时，第一对的两根指针张开 ${angle(first)}°，最后一对只有 ${angle(last)}°，它要 ${wavelengthText(wavelength)} 个词元才转一圈。每一对添一条自己的波：第一对转满一圈就分不清的远近，慢的几对分得清。`,
    sum: (distance, score, pairs) =>
      `彩色竖线在距离 ${distance} 处与每条波相交，交点的高度就是那一对添的数：两根指针夹角的余弦。${pairs} 对加起来是 ${plain(score)}。把两者一起移动，每根指针都在转，可是夹角一个也没变，得分也就不变。`,
    far: (low, min, high, max) =>
      `距离 0 处得分为 1；到距离 ${low}，降到 ${plain(min)}；可它不会停在那里：到距离 ${high}，又回到 ${plain(max)}。那时快的指针早已转过许多圈，时不时又有多数指针凑到一起。`,
    base: (base, wavelength, distance, score, bound) =>
      `基数为 ${base} 时，最慢的一对 ${wavelengthText(wavelength)} 个词元转一圈。距离 ${distance} 处，得分是距离 0 处的 ${plain(score)}，RoFormer 的上界是 ${plain(bound)}：得分不会超过上界，但也不一定下降；换成哪个基数都忽高忽低。`,
  },
  caption: (query, key, score, pairs) =>
    `查询在 ${query}，键在 ${key}，相距 ${Math.abs(query - key)}。每一对贡献的，是它两根指针夹角的余弦；${pairs} 对加起来是 ${plain(score)}。把两者一起移动，每根指针都在转，可是夹角一个也没变，得分也就不变。`,
  captionAlike: (query, key, score, pairs) =>
    `查询在 ${query}，键在 ${key}。基数接近 1 时，${pairs} 对转得一样快：合起来是 ${plain(score)}，每转一圈（6.3 个词元）又是同样的数。光看这个，分不清相距 1 还是相距 7。`,
  noteOne: `只有一对通道，旋转之前是 (1, 0)，也就是指向正上方的一根指针；每走一个位置转 ${stepDegrees}°（π/8），不除以 √d。`,
  note: (pairs, base) =>
    `查询和键的每一对都是 (1, 0)，也就是在位置 0 指向正上方的一根指针；共 ${pairs} 对，基数 ${base}，不除以 √d。`,
  caveat: untrained.zh,
  caveatBound: `${untrained.zh}上界的算法对任何指针都成立；图上画的上界和得分，都是这一组指针的。`,
};

export const rotationWords: Bilingual<RotationWords> = { en, zh };

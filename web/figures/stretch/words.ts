/** The words of "wavelength against context". */
import { longropeFactor, type StretchHead } from "../../defaults.js";
import type { PairKind } from "../../engine/both/stretched-pairs.js";
import type { Bilingual } from "../../text/index.js";
import { grouped } from "../../text/numbers.js";
import { stretchNames } from "../shared/pictures/stretch-words.js";
import { wavelengthWords } from "../shared/pictures/wavelength-words.js";
import type { StretchAnswer } from "./messages.js";

const ratio = (value: number): string => String(Number(value.toPrecision(2)));

/** Numbers for the caption. */
export interface Counted {
  pairs: number;
  rotated: number;
  kinds: Record<PairKind, number>;
  /** Pairs that reach new angles, with the method and without any. */
  isNew: number;
  wouldBeNew: number;
}

const en = {
  ...wavelengthWords.en,
  name: "Wavelength of every pair against the length of the text",
  title: (name: string, isNew: number, pairs: number) =>
    isNew
      ? `${name}: ${isNew} of ${pairs} pairs point where they never pointed in training`
      : `${name}: no pair points where it never pointed in training`,
  names: stretchNames.en,
  heads: {
    small: "this page’s models (32 channels, 128 tokens)",
    llama: "Llama 2 (128 channels, 4,096 tokens)",
    phi: "Phi-3 (96 channels, 4,096 tokens)",
  } as Record<StretchHead, string>,
  play: "Let the text grow",
  stop: "Stop",
  step: "One training length on",
  tokens: (count: number) => `${grouped(count)} tokens`,
  method: "Method",
  factor: "Longer by",
  factorText: (factor: number, length: number) => `${factor} ×: ${grouped(factor * length)} tokens`,
  head: "Head of",
  options: "All options",
  fast: "Kept from so many turns on",
  slow: "Divided up to so many turns",
  ramp: (value: number) => String(value),
  rampOnly: "The two ends of the ramp act on YaRN and NTK by parts.",
  dials:
    "each dial: where a pair has pointed in training (filled), and where it points in the text",
  below: "; below it, tokens for a turn",
  seen: (tokens: number) => `seen in training, in ${grouped(tokens)} tokens`,
  within: (tokens: number) => `reached in this text of ${grouped(tokens)}`,
  beyond: "reached, never seen",
  divisor: (value: number) => (value < 1.002 ? "as it was" : `÷ ${ratio(value)}`),
  dial: (pair: number) => `pair ${pair}`,
  /** The pair that makes the ghosts at the beginning of the essay. */
  ghosts: (pair: number) => `pair ${pair}, of the ghosts`,
  caption: (name: string, { length, factor }: StretchAnswer, count: Counted) =>
    `In ${grouped(length)} tokens ${count.rotated} of ${count.pairs} pairs come round: they know every angle. The others do not, and read to ${grouped(factor * length)} tokens as they are, ${count.wouldBeNew} of them would point where they never did. ${name} keeps ${count.kinds.kept}, blends ${count.kinds.blended}, divides ${count.kinds.divided}; then ${count.isNew || "none"} of them ${count.isNew === 1 ? "does" : "do"}.`,
  plainCaption: ({ length, factor }: StretchAnswer, count: Counted) =>
    `In ${grouped(length)} tokens ${count.rotated} of ${count.pairs} pairs come round: they know every angle. The others do not. Read to ${grouped(factor * length)} tokens as they are, ${count.isNew} of them point where they never pointed.`,
  neighbours: (radians: number) =>
    ` The price: two neighbours, 1 radian apart in the fastest pair, are now ${radians.toFixed(2)} apart.`,
  temperature: (square: number) =>
    ` Every score is multiplied by ${square.toFixed(2)}, a temperature of ${(1 / square).toFixed(2)}: among more tokens the same scores would spread attention thinner.`,
  searched: ({ factor, length }: StretchAnswer) =>
    factor > 1
      ? ` Its divisors were found by a search for this head at ${longropeFactor} times its length. There is this one list: it is in force for every text beyond ${grouped(length)} tokens, so the slider moves the text and not the divisors.`
      : ` Up to ${grouped(length)} tokens a second list is in force, here all ones: only the temperature, which belongs to both, stays.`,
  tableLabel: "All pairs as numbers",
  note: ({ headDim, theta, length }: StretchAnswer) =>
    `A head of ${headDim} channels, base ${grouped(theta)}, trained on ${grouped(length)} tokens. YaRN’s ramp runs over the pairs, as in the code of its authors; that of NTK by parts runs in turns, as in the paper. LongRoPE is drawn only for the head that its divisors were searched for, Phi-3’s: they are those in Phi-3-mini-128k’s config.json. The next figure has others, searched for this page’s model.`,
  caveat:
    "Not shown: what this does to a model. An angle that was seen is not yet a distance that was understood, and all of these methods are meant to be followed by some more training. The next figure reads without it.",
};

export type StretchWords = typeof en;

const zh: StretchWords = {
  ...wavelengthWords.zh,
  name: "各对通道的波长与文本长度",
  title: (name, isNew, pairs) =>
    isNew
      ? `${name}：${pairs} 对里有 ${isNew} 对转到了训练时没到过的角度`
      : `${name}：没有一对转到训练时没到过的角度`,
  names: stretchNames.zh,
  heads: {
    small: "本页的模型（32 维，128 个词元）",
    llama: "Llama 2（128 维，4,096 个词元）",
    phi: "Phi-3（96 维，4,096 个词元）",
  },
  play: "让文本变长",
  stop: "停",
  step: "再加一个训练长度",
  tokens: (count) => `${grouped(count)} 个词元`,
  method: "方法",
  factor: "拉长到",
  factorText: (factor, length) => `${factor} 倍：${grouped(factor * length)} 个词元`,
  head: "取谁的头",
  options: "全部选项",
  fast: "转满多少圈以上就保留",
  slow: "不足多少圈就除以倍数",
  ramp: en.ramp,
  rampOnly: "这两个阈值只对 YaRN 和分段 NTK 起作用。",
  dials: "每个表盘：一对通道在训练时到过哪里（填色），在这段文本里又会到哪里",
  below: "；下面是转一圈要多少词元",
  seen: (tokens) => `训练时到过（${grouped(tokens)} 个词元）`,
  within: (tokens) => `这段文本会到（${grouped(tokens)} 个词元）`,
  beyond: "会到，但没见过",
  divisor: (value) => (value < 1.002 ? "不变" : `÷ ${ratio(value)}`),
  dial: (pair) => `第 ${pair} 对`,
  ghosts: (pair) => `第 ${pair} 对，造成幻影`,
  caption: (name, { length, factor }, count) =>
    `${grouped(length)} 个词元之内，${count.pairs} 对里有 ${count.rotated} 对转满了一圈，什么角度都见过；其余的没有。要是原样读到 ${grouped(factor * length)} 个词元，就有 ${count.wouldBeNew} 对会转到没见过的角度。${name}：保留 ${count.kinds.kept} 对，过渡 ${count.kinds.blended} 对，${count.kinds.divided} 对除以倍数；这样${count.isNew ? `还有 ${count.isNew} 对会转到没见过的角度` : "就没有一对会转到没见过的角度"}。`,
  plainCaption: ({ length, factor }, count) =>
    `${grouped(length)} 个词元之内，${count.pairs} 对里有 ${count.rotated} 对转满了一圈，什么角度都见过；其余的没有。原样读到 ${grouped(factor * length)} 个词元，就有 ${count.isNew} 对转到了没见过的角度。`,
  neighbours: (radians) =>
    `代价是：相邻两个词元在最快的一对里本来相差 1 弧度，现在只差 ${radians.toFixed(2)}。`,
  temperature: (square) =>
    `得分还要统一乘上 ${square.toFixed(2)}，相当于把温度降到 ${(1 / square).toFixed(2)}：词元一多，同样的得分会把注意力摊得更薄。`,
  searched: ({ factor, length }) =>
    factor > 1
      ? `它的除数是专为这个头读到 ${longropeFactor} 倍搜索出来的，只有这一张表：文本一超过 ${grouped(length)} 个词元就用它。所以滑块只改文本长度，不改除数。`
      : `不超过 ${grouped(length)} 个词元时用的是另一张表，这里全是 1；只有温度两张表共用，仍然在。`,
  tableLabel: "各对通道的数值",
  note: ({ headDim, theta, length }) =>
    `每头 ${headDim} 维，基数 ${grouped(theta)}，训练长度 ${grouped(length)} 个词元。YaRN 的过渡区按通道对的序号变化，与作者的代码一致；分段 NTK 按圈数变化，与论文一致。LongRoPE 只画在它搜索时用的头，即 Phi-3 的头上，除数取自 Phi-3-mini-128k 的 config.json；下一张图另有一组，是为本页的模型搜索的。`,
  caveat:
    "图上看不出的：模型因此会怎样。角度见过，不等于距离读得懂；这些方法本来都要再训练一小段。下一张图是不再训练、直接去读的结果。",
};

export const stretchWords: Bilingual<StretchWords> = { en, zh };

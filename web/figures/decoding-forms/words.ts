/** The words of the forms of decoding in a latent layer. */

import type { Bilingual } from "../../text/index.js";
import { counted, timesZh as countedTimesZh, grouped, measured } from "../../text/numbers.js";
import type { DecodingForm, FormsAnswer } from "./messages.js";

const microsecondsEn = (value: number): string => `${grouped(Math.round(value))}\u00a0µs`;
const ratio = (value: number): string => grouped(Number(value.toPrecision(2)));
const microsecondsZh = (value: number): string => `${grouped(Math.round(value))}\u00a0微秒`;

/** One value for each form. */
export type ByForm<T> = Record<DecodingForm, T>;

const en = {
  name: "One token decoded in three forms",
  question: "What does it take to decode from a small cache?",
  finding: (times: string) =>
    `Making every key anew takes ${times} times as long as moving their matrix to the query`,
  forms: {
    expanded: "all keys and values kept",
    absorbed: "latents kept, absorbed",
    remade: "latents kept, keys made anew",
  } as ByForm<string>,
  time: "microseconds for one token",
  cache: "numbers kept for a token",
  microseconds: microsecondsEn,
  numbers: (value: number) => grouped(value),
  cell: (name: string, time: number, cached: number, operations: number) =>
    `${name}: ${microsecondsEn(time)} a token, ${grouped(cached)} numbers kept for each token, ${counted(operations, "en")} operations`,
  measuring: "Measuring on this device …",
  cancelled: "Cancelled; nothing new has been measured.",
  caption: (time: ByForm<number>, cached: ByForm<number>, tokens: number) =>
    `With ${grouped(tokens)} tokens in the cache, the absorbed form takes ${microsecondsEn(time.absorbed)} a token, and the one that keeps all keys and values ${microsecondsEn(time.expanded)}, for which it keeps ${ratio(cached.expanded / cached.absorbed)} times as many numbers. Without absorption the small cache would cost ${microsecondsEn(time.remade)}: every key and value is made of its latent again.`,
  equal: ({ difference, size }: FormsAnswer) =>
    ` All three give the same: at most ${measured(difference)} apart, where entries are up to ${measured(size)}.`,
  unsteady: " This device has other things to do; measure again when it rests.",
  tokens: "Tokens in the cache",
  progressLabel: "Samples taken",
  progress: (done: number, total: number) => `${done} of ${total} samples.`,
  starting: "Starting …",
  cancel: "Cancel",
  again: "Measure again",
  tableLabel: "The numbers",
  columns: ["Form", "Time of a token", "Numbers kept a token", "Operations a token"],
  note: (heads: number, headDim: number, rank: number, slice: number, variant: string) =>
    `One layer of ${heads} heads with ${headDim} channels of content, ${slice} that turn and a latent of ${rank}: DeepSeek-V2-Lite’s widths, half of its heads; random weights. Timed in turn, the median of five rounds; the engine’s ${variant} binary, one thread, in a worker of its own. Copies that the third form makes are in its time.`,
  caveat:
    "Not shown: a graphics processor, where decoding mostly waits for the cache to be read, so that a smaller cache saves time as well. On one thread of a processor either form may be ahead: the absorbed one computes more and reads less. With 128 heads instead of 8, all keys (turned slices included) and values would be 71 times what MLA caches; the figure of caches, whose heads have 128 channels and no turned slice, comes to 57.",
};

export type FormsWords = typeof en;

const zh: FormsWords = {
  name: "用三种形式解码一个词元",
  question: "用小缓存解码，要付出什么？",
  finding: (times) => `每次都重算所有的键，耗时是把键的矩阵并到查询一边的 ${times} 倍`,
  forms: {
    expanded: "键和值全部缓存",
    absorbed: "只缓存潜在向量，矩阵吸收",
    remade: "只缓存潜在向量，重算键和值",
  },
  time: "每个词元的微秒数",
  cache: "每个词元缓存的数",
  microseconds: microsecondsZh,
  numbers: en.numbers,
  cell: (name, time, cached, operations) =>
    `${name}：每个词元 ${microsecondsZh(time)}，缓存 ${grouped(cached)} 个数，${countedTimesZh(operations)}运算`,
  measuring: "正在这台设备上测量……",
  cancelled: "已取消，没有新的结果。",
  caption: (time, cached, tokens) =>
    `缓存里有 ${grouped(tokens)} 个词元时，吸收形式每个词元要 ${microsecondsZh(time.absorbed)}；把键和值全部存下的普通形式要 ${microsecondsZh(time.expanded)}，为此要存 ${ratio(cached.expanded / cached.absorbed)} 倍的数。要是不能吸收，又想用小缓存，就得 ${microsecondsZh(time.remade)}：所有的键和值都要从潜在向量重算一遍。`,
  equal: ({ difference, size }) =>
    `三种形式结果相同：最多差 ${measured(difference)}，而元素最大到 ${measured(size)}。`,
  unsteady: "这台设备正忙着别的事，等它空下来再测一次。",
  tokens: "缓存里的词元数",
  progressLabel: "已取的样本",
  progress: (done, total) => `已取 ${done} 个样本，共 ${total} 个。`,
  starting: "正在准备……",
  cancel: "取消",
  again: "再测一次",
  tableLabel: "数值",
  columns: ["形式", "每个词元的耗时", "每个词元缓存的数", "每个词元的运算"],
  note: (heads, headDim, rank, slice, variant) =>
    `一层，${heads} 个头，每头 ${headDim} 维管内容，${slice} 维旋转，潜在向量 ${rank} 维：宽度与 DeepSeek-V2-Lite 相同，头数是它的一半；权重随机。三种形式轮流计时，取五轮的中位数；引擎（${variant} 版）在单独的后台线程里运行，只用一个线程。第三种形式里的复制也算在耗时内。`,
  caveat:
    "图上看不出的：显卡。在那里，解码大多在等缓存读出来，缓存小了，时间也省下来；在处理器的一个线程上，普通形式和吸收形式谁快都有可能：后者算得多，读得少。如果不是 8 个头而是 128 个，全部的键（连同旋转段）和值就是 MLA 缓存的 71 倍；前面比较缓存的那张图里，每头 128 维、没有旋转段，所以是 57 倍。",
};

export const formsWords: Bilingual<FormsWords> = { en, zh };

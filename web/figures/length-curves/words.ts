/** The words of the measured curves. */

import type { Language } from "../../defaults.js";
import type { LengthResults, Spread } from "../../engine/page/length-results.js";
import type { Bilingual } from "../../text/index.js";
import { grouped } from "../../text/numbers.js";
import { amid } from "../../text/spacing.js";

export interface CurvesWords {
  name: string;
  question: string;
  finding: (multiple: number, en: string, zh: string) => string;
  titles: Record<Language, string>;
  x: string;
  y: string;
  others: string;
  gridLabel: string;
  hidden: string;
  show: string;
  missing: string;
  changes: (from: number, to: number, list: string) => string;
  changesOn: Record<Language, string>;
  ends: (name: string, length: number) => string;
  cell: (name: string, length: number, spread: Spread) => string;
  cellUndefined: (name: string, length: number) => string;
  reproduce: string;
  all: (count: number) => string;
  tableLabel: string;
  tableCaption: (language: Language) => string;
  note: (results: LengthResults) => string;
  caveat: string;
}

const namesEn: Record<Language, string> = { en: "English", zh: "Chinese" };
const namesZh: Record<Language, string> = { en: "英文", zh: "中文" };

const en: CurvesWords = {
  name: "Measured beforehand: loss against the length of the test, for every scheme",
  question: "The same question, with every scheme, more text and more training",
  finding: (multiple, en, zh) =>
    en === zh
      ? `At ${multiple} times the training length, ${en} does best in both languages`
      : `At ${multiple} times the training length, ${en} does best on English, ${zh} on Chinese`,
  titles: { en: "On held-out English", zh: "On held-out Chinese" },
  x: "tokens in a test window",
  y: "bits a character",
  others: "the other schemes, where they are in range",
  gridLabel: "Loss of each chosen scheme at each length",
  hidden: "These curves give the answer away. Draw your guess above first, if you have not.",
  show: "Show the curves",
  missing:
    "There are no measured curves beside this page’s models: this copy of the page came without them.",
  changes: (from, to, list) =>
    `From ${grouped(from)} tokens to ${grouped(to)}, the loss in bits a character changes by: ${list}. `,
  changesOn: { en: "on English ", zh: "on Chinese " },
  ends: (name, length) =>
    `From ${grouped(length)} tokens on, ${name} is not defined: its table has ended. `,
  cell: (name, length, { mean, min, max, count }) =>
    `${name}, ${grouped(length)} tokens: ${mean.toFixed(2)} bits a character${count > 1 ? `, ${min.toFixed(2)} to ${max.toFixed(2)} over ${count} seeds` : ""}`,
  cellUndefined: (name, length) => `${name}, ${grouped(length)} tokens: not defined`,
  reproduce: "Train these in the figure above, smaller",
  all: (count) => `All ${count} schemes as numbers`,
  tableLabel: "The numbers of all schemes",
  tableCaption: (language) =>
    `Bits a character on held-out ${namesEn[language]}, by tokens in a window; mean over seeds ± half the range`,
  note: ({ numLayers, numHeads, channels, steps, batch, length, seeds }) =>
    `${numLayers} layers, ${numHeads} heads, ${channels} channels; ${steps} steps of ${batch} windows of ${length} tokens from the King James Bible and Tang poems, seeds ${seeds.join(", ")}; tested on text kept from training, the same tokens at every length. Tables of positions end at the training length. The schemes of the heading are drawn even when not chosen.`,
  caveat:
    "Not shown: large models, long training. The band is the range over seeds, and three seeds are few. Loss at a length is the mean over all positions in a window, early ones included; a longer window gives more to look back at, so a line can also fall. A Chinese character holds more than a letter does: compare lines within a chart, not the charts.",
};

const zh: CurvesWords = {
  name: "事先测好的曲线：各方案的损失随测试长度的变化",
  question: "同一个问题，换上全部方案、更多文字和更长的训练",
  finding: (multiple, en, zh) =>
    en === zh
      ? `到训练长度的 ${multiple} 倍，中英文都是${amid(en)}最好`
      : `到训练长度的 ${multiple} 倍，英文是${amid(en)}最好，中文是${amid(zh)}最好`,
  titles: { en: "英文留出文本", zh: "中文留出文本" },
  x: "测试窗口的词元数",
  y: "比特 / 字符",
  others: "其余方案（只画落在范围内的部分）",
  gridLabel: "所选各方案在各长度上的损失",
  hidden: "这些曲线会泄露答案。还没猜的话，请先在上面画出你的猜测。",
  show: "显示曲线",
  missing: "本页模型目录里没有现成的曲线数据：你打开的这份网页没有附带它。",
  changes: (from, to, list) =>
    `从 ${grouped(from)} 个词元到 ${grouped(to)} 个，每字符损失的变化（比特）：${list}。`,
  changesOn: { en: "英文 ", zh: "中文 " },
  ends: (name, length) =>
    `从 ${grouped(length)} 个词元起，${amid(name).trimStart()}无定义：它的表到头了。`,
  cell: (name, length, { mean, min, max, count }) =>
    `${name}，${grouped(length)} 个词元：每字符 ${mean.toFixed(2)} 比特${count > 1 ? `，${count} 个种子从 ${min.toFixed(2)} 到 ${max.toFixed(2)}` : ""}`,
  cellUndefined: (name, length) => `${name}，${grouped(length)} 个词元：无定义`,
  reproduce: "在上面的图里训练这几种（规模小一些）",
  all: (count) => `全部 ${count} 种方案的数值`,
  tableLabel: "全部方案的数值",
  tableCaption: (language) =>
    `${namesZh[language]}留出文本上每字符的比特数，按窗口的词元数；各种子的平均 ± 半个极差`,
  note: ({ numLayers, numHeads, channels, steps, batch, length, seeds }) =>
    `${numLayers} 层，${numHeads} 个头，宽 ${channels} 维；训练 ${steps} 步，每步取《圣经》和唐诗里的 ${batch} 段，每段 ${length} 个词元，种子为 ${seeds.join("、")}；测试用的是没有参加训练的留出文本，各个长度上都是同一批词元。位置表到训练长度为止。标题里的方案没有勾选也会画出。`,
  caveat:
    "图上看不出的：大模型、长时间的训练。色带是各个种子的范围，三个种子并不多。某一长度的损失是窗口里所有位置的平均，开头几个位置也算在内；窗口长了，可回看的也多，所以线也会下降。一个汉字的信息比一个字母多：请在同一张图里比较各条线，不要拿两张图相比。",
};

export const curvesWords: Bilingual<CurvesWords> = { en, zh };

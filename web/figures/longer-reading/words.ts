/** The words of the trained model that reads texts longer than its training window. */
import type { Language } from "../../defaults.js";
import type { Bilingual } from "../../text/index.js";
import { grouped, seconds } from "../../text/numbers.js";
import { amid, named } from "../../text/spacing.js";
import { stretchNames } from "../shared/pictures/stretch-words.js";
import type { LongerAnswer } from "./messages.js";

const bits = (value: number): string => value.toFixed(2);

const en = {
  name: "Loss of the rotary model along a text longer than any in its training",
  question: "What does the model make of it, without more training?",
  finding: (multiple: number, best: string) =>
    `At ${multiple} times its length, ${best} does best over the whole text`,
  names: stretchNames.en,
  missing:
    "There are no such results beside this page’s models: this copy of the page came without them.",
  before: (list: string, plain: string, trained: string, multiple: number) =>
    `At its own length the model needs ${trained} bits a token; at ${multiple} times that, with nothing changed, ${plain} on average over the whole text. ${list ? `Stretched, it needs: ${list}. ` : ""}`,
  gain: (name: string, value: number) => `${name} ${bits(value)}`,
  spoiled: (name: string, first: number, trained: number, sameTexts: boolean) =>
    `Look at the first stretch, too, where nothing had to be stretched: ${name} reads it at ${bits(first)}, and the model as it was trained at ${bits(trained)}${sameTexts ? " (of these long texts’ beginnings; the number above is of all the text, read in short pieces)" : ""}. `,
  here: ({ tokens, milliseconds }: LongerAnswer) =>
    `Read here: the first ${grouped(tokens)} tokens of that text, once with each method, in ${seconds.en(milliseconds)} seconds. `,
  methods: "Methods",
  multiple: "Longer by",
  multiples: (value: string, length: number) => `${value} × (${grouped(Number(value) * length)})`,
  text: "Held-out text",
  texts: { en: "English", zh: "Chinese" } as Record<Language, string>,
  shown: "Shown",
  shownFile: "all of the text, measured beforehand",
  shownHere: "read in this tab",
  read: "Read it in this tab",
  again: "Read it again",
  progress: (done: number, total: number) => `Reading: ${done} of ${total} methods done.`,
  starting: "Fetching the model …",
  progressLabel: "Methods read",
  cancel: "Cancel",
  x: "position in the text, in tokens",
  y: "bits a token",
  baseline: "as trained, at its own length",
  trained: "trained length",
  gridLabel: "Loss of each method along the text",
  cell: (name: string, from: number, to: number, value: number) =>
    `${name}, tokens ${grouped(from)} to ${grouped(to)}: ${bits(value)} bits`,
  tableLabel: "Bits a token as numbers",
  columns: ["Method", "Beforehand", "In this tab", "First stretch", "Last stretch"],
  none: "not read",
  note: (length: number, isSearched: boolean) =>
    `The rotary model of this page, trained on ${length} tokens at a time, not trained again. Lines: mean over stretches of ${length} tokens, over all held-out text. Llama 3’s method has a ramp of its own, from 1 to 4 turns. ${isSearched ? "LongRoPE’s divisors were searched for this model and each length, by its loss on training text of that length; the other methods have no such help." : "LongRoPE is not here: it needs divisors that are searched for this model."}`,
  divisors: (list: readonly number[]) =>
    `LongRoPE’s divisors here, from the fastest pair on: ${list.join(", ")}.`,
  caveat:
    "Not shown: what some more training would do, which all of these methods are meant to be followed by, and larger models. A single model from a single seed; one text read once in this tab swings more than the mean beforehand. A longer text also holds more to look back at, so a line may fall.",
};

export type LongerWords = typeof en;

const zh: LongerWords = {
  name: "RoPE 模型读一段长过训练长度的文本，损失随位置的变化",
  question: "不再训练，模型读得了吗？",
  finding: (multiple, best) =>
    `读到训练长度的 ${multiple} 倍，全文平均最好的是${amid(best).trimEnd()}`,
  names: stretchNames.zh,
  missing: "本页模型目录里没有这份数据：你打开的这份网页没有附带它。",
  before: (list, plain, trained, multiple) =>
    `在训练长度之内，损失是每词元 ${trained} 比特；不做改动读到 ${multiple} 倍，是 ${plain}。${list ? `拉长之后：${list}。` : ""}`,
  gain: (name, value) => named(name, bits(value)),
  spoiled: (name, first, trained, sameTexts) =>
    `再看开头那一段，那里本来不用拉长：${amid(name).trimStart()}读它要 ${bits(first)}，而模型按训练时的样子只要 ${bits(trained)}${sameTexts ? "（这里只算每段长文本的开头；上面那个数，是把全部文本切成短段来读的）" : ""}。`,
  here: ({ tokens, milliseconds }) =>
    `已在本页读过：这份文本的前 ${grouped(tokens)} 个词元，每种方法读一遍，共用 ${seconds.zh(milliseconds)} 秒。`,
  methods: "方法",
  multiple: "拉长到",
  multiples: (value, length) => `${value} 倍（${grouped(Number(value) * length)}）`,
  text: "留出文本",
  texts: { en: "英文", zh: "中文" },
  shown: "显示",
  shownFile: "全部文本（事先测好）",
  shownHere: "在本页读的",
  read: "在本页读一遍",
  again: "再读一遍",
  progress: (done, total) => `正在读：${total} 种方法已读完 ${done} 种。`,
  starting: "正在下载模型……",
  progressLabel: "已读完的方法",
  cancel: "取消",
  x: "文本中的位置（词元）",
  y: "比特 / 词元",
  baseline: "按训练时的样子，在训练长度之内",
  trained: "训练长度",
  gridLabel: "各方法的损失随位置的变化",
  cell: (name, from, to, value) =>
    `${name}，第 ${grouped(from)} 到 ${grouped(to)} 个词元：${bits(value)} 比特`,
  tableLabel: "每词元比特数",
  columns: ["方法", "事先测好", "在本页", "第一段", "最后一段"],
  none: "没有读",
  note: (length, isSearched) =>
    `本页的旋转编码模型，训练时每次读 ${length} 个词元，没有再训练。线是每 ${length} 个词元一段的平均，取自全部留出文本。Llama 3 的方法另有自己的过渡区，从 1 圈到 4 圈。${isSearched ? "LongRoPE 的除数是专为这个模型、每种长度分别搜索的，依据是它在同样长的训练文本上的损失；别的方法没有这样的便利。" : "这里没有 LongRoPE：它的除数要为这个模型单独搜索。"}`,
  divisors: (list) => `LongRoPE 的各个除数，从最快的一对数起：${list.join("、")}。`,
  caveat:
    "图上看不出的：再训练一小段会怎样（这些方法本来都要再训练），以及更大的模型。这里只有一个模型、一个种子；在本页只读一段文本，起伏比事先测的平均要大。文本长了，可回看的也多，所以线也会下降。",
};

export const longerWords: Bilingual<LongerWords> = { en, zh };

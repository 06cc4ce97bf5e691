/** The words of the lab. */
import type { Bilingual } from "../../text/index.js";
import { grouped } from "../../text/numbers.js";
import { named } from "../../text/spacing.js";

export interface LabWords {
  name: string;
  title: string;
  input: string;
  length: string;
  typed: string;
  lengthName: (tokens: number) => string;
  unit: string;
  units: Record<"token" | "character", string>;
  reader: string;
  readers: Record<"model" | "scheme", string>;
  models: string;
  schemes: string;
  difference: string;
  differenceOn: (isOperated: boolean) => string;
  noSurgery: string;
  operated: string;
  after: (name: string) => string;
  did: (name: string, sentence: string) => string;
  didUnseen: (name: string, phrase: string) => string;
  scored: (tokens: number) => string;
  minus: (name: string, other: string) => string;
  remove: (name: string) => string;
  shortened: (longest: number) => string;
  empty: string;
  at: (name: string, value: string) => string;
  rest: (tokens: number) => string;
  note: Record<"model" | "scheme", string>;
  took: (tokens: number, milliseconds: number) => string;
  caveat: string;
  cancelled: string;
  opened: {
    /** In a list, while no model is open. */
    name: string;
    hint: string;
    way: string;
    stop: string;
    missing: string;
    busy: string;
    noTokenizer: string;
    note: (name: string, tokens: number, isByWord: boolean) => string;
    shortened: (name: string, longest: number) => string;
    textLoss: (before: number, after: number) => string;
  };
  /** A model with fewer layers or heads than requested shows its last one. */
  last: (name: string, layer: number, head: number) => string;
}

const en: LabWords = {
  name: "The lab: one text under up to four schemes or trained models, in maps locked to each other",
  title: "What do you want to know?",
  input: "Text",
  length: "Read",
  typed: "what is typed",
  lengthName: (tokens) => `${grouped(tokens)} held-out tokens`,
  unit: "Cut into",
  units: { token: "tokens", character: "characters" },
  reader: "Readers",
  readers: { model: "trained models", scheme: "untrained attention" },
  models: "Models",
  schemes: "Schemes",
  difference: "Difference",
  differenceOn: (isOperated) =>
    isOperated ? "after the operation minus before it" : "the second minus the first",
  noSurgery: "none",
  operated: "Operate on",
  after: (name) => `${name}, after the operation`,
  did: (name, sentence) => ` ${name}: ${sentence}`,
  didUnseen: (name, phrase) =>
    ` ${name}: ${phrase}; no window of the held-out text is so long, so its loss stays as it is.`,
  scored: (tokens) =>
    ` Loss: the first ${grouped(tokens / 2)} tokens of the held-out English and as many of the Chinese, in windows of 128. The model was trained without the operation.`,
  minus: (name, other) => `${name} minus ${other}`,
  remove: (name) => `Put ${name} away`,
  shortened: (longest) => `Only the first ${grouped(longest)} tokens are read.`,
  empty: "Type something.",
  at: (name, value) => `${name} ${value}`,
  rest: (tokens) =>
    `${grouped(tokens)} tokens. Point at a cell, or walk to one, and every map says its number.`,
  note: {
    model:
      "The models are this project’s small ones, trained on 128 tokens at a time: what lies beyond that they have never seen.",
    scheme:
      "One untrained layer of four heads, the same random weights under every scheme, no learning: a difference between the maps is the scheme's alone.",
  },
  took: (tokens, milliseconds) =>
    `${grouped(tokens)} tokens took ${grouped(Math.round(milliseconds))} ms.`,
  caveat:
    "All that you choose is in the address, and a link shows another reader the same; but no address holds a file. Of numbers or a checkpoint of your own it says nothing, or only that there was one among the readers: whoever follows the link opens theirs.",
  cancelled: "Cancelled. Change something to begin again.",
  opened: {
    name: "a checkpoint of your own",
    hint: "A checkpoint of your own can be one of the readers: ",
    way: "open it in the section above",
    stop: ".",
    missing: "No checkpoint is open, and an address cannot hold one: ",
    busy: "Reading …",
    noTokenizer: "Its files hold no tokenizer, so it cannot read a text.",
    note: (name, tokens, isByWord) =>
      ` ${name} cuts the text by its own tokenizer, into ${grouped(tokens)} tokens${isByWord ? "" : ": a row of its map may be another token than in the others"}.`,
    shortened: (name, longest) => ` ${name} reads the first ${grouped(longest)} tokens.`,
    textLoss: (before, after) =>
      `, and this text costs it ${after.toFixed(3)} bits a token instead of ${before.toFixed(3)}`,
  },
  last: (name, layer, head) => `${name}: layer ${layer}, head ${head}, its last`,
};

const zh: LabWords = {
  name: "实验台：同一段文字，最多四种方案或训练好的模型，各图联动",
  title: "你想弄清楚什么？",
  input: "文字",
  length: "读取",
  typed: "输入的文字",
  lengthName: (tokens) => `留出文本 ${grouped(tokens)} 个词元`,
  unit: "切分为",
  units: { token: "词元", character: "字符" },
  reader: "由谁来读",
  readers: { model: "训练好的模型", scheme: "未经训练的注意力" },
  models: "模型",
  schemes: "方案",
  difference: "差值",
  differenceOn: (isOperated) => (isOperated ? "改动后减改动前" : "第二个减第一个"),
  noSurgery: "不作改动",
  operated: "改动哪一个",
  after: (name) => `${name}（改动后）`,
  did: (name, sentence) => `${name}：${sentence}`,
  didUnseen: (name, phrase) => `${name}：${phrase}。留出文本每段没有这么长，损失不受影响。`,
  scored: (tokens) =>
    `损失取自留出的英文和中文各自开头的 ${grouped(tokens / 2)} 个词元，每 128 个一段。模型训练时并没有动过这一刀。`,
  minus: (name, other) => `${name} 减 ${other}`,
  remove: (name) => `移除 ${name}`,
  shortened: (longest) => `只读前 ${grouped(longest)} 个词元。`,
  empty: "请输入一些文字。",
  at: named,
  rest: (tokens) =>
    `共 ${grouped(tokens)} 个词元。指向某一格（触屏上点一下），或用方向键移过去，每张图都会报出它的数值。`,
  note: {
    model: "用的是本项目的小模型，训练时每段只有 128 个词元：更远的位置它们从没见过。",
    scheme:
      "一层未经训练的注意力，四个头；每种方案用同一组随机权重，什么也没学过，所以图与图之间的差别只来自方案。",
  },
  took: (tokens, milliseconds) =>
    `读 ${grouped(tokens)} 个词元用了 ${grouped(Math.round(milliseconds))} 毫秒。`,
  caveat:
    "所有选择都写在地址里，把链接发给别人，看到的就是同一幅图；只有文件放不进地址。你自己的数据，地址里不提；你自己的模型，地址只注明用到了它，不含模型本身：点开链接的人要打开自己的那一份。",
  cancelled: "已取消。改动任意一项即可重新开始。",
  opened: {
    name: "你自己的模型",
    hint: "也可以让你自己的模型来读：",
    way: "在上一节打开它",
    stop: "。",
    missing: "没有打开的模型，地址里也放不下模型：",
    busy: "正在读……",
    noTokenizer: "它的文件里没有分词器，读不了文字。",
    note: (name, tokens, isByWord) =>
      `${name} 用自己的分词器，把文字切成 ${grouped(tokens)} 个词元${isByWord ? "" : "：同一行在它的图里，可能是另一个词元"}。`,
    shortened: (name, longest) => `${name} 只读前 ${grouped(longest)} 个词元。`,
    textLoss: (before, after) =>
      `；这段文字每个词元的比特数从 ${before.toFixed(3)} 变为 ${after.toFixed(3)}`,
  },
  last: (name, layer, head) => `${name}：第 ${layer} 层第 ${head} 个头（它的最后一个）`,
};

export const labWords: Bilingual<LabWords> = { en, zh };

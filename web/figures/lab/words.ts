/** The words of the lab. */
import type { Bilingual } from "../../text/index.js";
import { grouped } from "../../text/numbers.js";

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
  noOperation: string;
  operated: string;
  after: (name: string) => string;
  did: (name: string, sentence: string) => string;
  didUnseen: (name: string, phrase: string) => string;
  scored: (tokens: number) => string;
  minus: (name: string, other: string) => string;
  remove: (name: string) => string;
  cut: (longest: number) => string;
  empty: string;
  at: (name: string, value: string) => string;
  rest: (tokens: number) => string;
  note: Record<"model" | "scheme", string>;
  took: (tokens: number, milliseconds: number) => string;
  caveat: string;
  cancelled: string;
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
  noOperation: "none",
  operated: "Operate on",
  after: (name) => `${name}, after the operation`,
  did: (name, sentence) => ` ${name}: ${sentence}`,
  didUnseen: (name, phrase) =>
    ` ${name}: ${phrase}; no window of the held-out text is so long, so its loss stays as it is.`,
  scored: (tokens) =>
    ` Loss: the first ${grouped(tokens / 2)} tokens of the held-out English and as many of the Chinese, in windows of 128. The model was trained without the operation.`,
  minus: (name, other) => `${name} minus ${other}`,
  remove: (name) => `Put ${name} away`,
  cut: (longest) => `Only the first ${grouped(longest)} tokens are read.`,
  empty: "Type something.",
  at: (name, value) => `${name} ${value}`,
  rest: (tokens) =>
    `${grouped(tokens)} tokens. Point at a cell, or walk to one, and every map says its number.`,
  note: {
    model:
      "The models are this project's small ones, trained on 128 tokens at a time: what lies beyond that they have never seen.",
    scheme:
      "One untrained layer of four heads, the same random weights under every scheme, no learning: a difference between the maps is the scheme's alone.",
  },
  took: (tokens, milliseconds) =>
    `${grouped(tokens)} tokens took ${grouped(Math.round(milliseconds))} ms.`,
  caveat:
    "All that you choose, but for a file of your own, is in the address: a link shows another reader the same.",
  cancelled: "Cancelled. Change something to begin again.",
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
  differenceOn: (isOperated) => (isOperated ? "手术后减手术前" : "第二个减第一个"),
  noOperation: "不动手术",
  operated: "给谁动手术",
  after: (name) => `${name}（手术后）`,
  did: (name, sentence) => `${name}：${sentence}`,
  didUnseen: (name, phrase) => `${name}：${phrase}。留出文本每段没有这么长，损失不受影响。`,
  scored: (tokens) =>
    `损失取自留出的英文和中文各自开头的 ${grouped(tokens / 2)} 个词元，每 128 个一段。模型训练时并没有动过这一刀。`,
  minus: (name, other) => `${name} 减 ${other}`,
  remove: (name) => `移除 ${name}`,
  cut: (longest) => `只读前 ${grouped(longest)} 个词元。`,
  empty: "请输入一些文字。",
  at: (name, value) => `${name} ${value}`,
  rest: (tokens) =>
    `共 ${grouped(tokens)} 个词元。把鼠标指向某一格，或用方向键移过去，每张图都会报出它的数值。`,
  note: {
    model: "用的是本项目的小模型，训练时每段只有 128 个词元：更远的位置它们从没见过。",
    scheme:
      "一层未经训练的注意力，四个头；每种方案用同一组随机权重，什么也没学过，所以图与图之间的差别只来自方案。",
  },
  took: (tokens, milliseconds) =>
    `读 ${grouped(tokens)} 个词元用了 ${grouped(Math.round(milliseconds))} 毫秒。`,
  caveat: "除了你自己的文件，所有选择都写在地址里：把链接发给别人，看到的就是同一幅图。",
  cancelled: "已取消。改动任意一项即可重新开始。",
};

export const labWords: Bilingual<LabWords> = { en, zh };

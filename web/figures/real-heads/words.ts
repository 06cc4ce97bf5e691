/** The words of the figure that shows every head of the trained models. */
import type { Bilingual } from "../../text/index.js";
import { few, weight } from "../../text/numbers.js";
import { amid, named } from "../../text/spacing.js";

const en = {
  name: "Trained models read one text",
  title: (layer: number, head: number, models: number) =>
    `Layer ${layer}, head ${head}: one text, ${few.en(models)} ways to say where`,
  /** In these models the chosen head looks at the unit before, in others not. */
  found: (layer: number, head: number, names: string, unit: "word" | "token") =>
    `Layer ${layer}, head ${head} looks one ${unit} back: in ${names}, not in the others`,
  models: "Models",
  gridTitle: "All heads, layers down and heads across. Choose one",
  input: "Text",
  layer: "Layer",
  head: "Head",
  headLabel: (layer: number, head: number, distance: number) =>
    `layer ${layer} head ${head}, looks back ${distance.toFixed(1)} tokens on average`,
  gridLabel: (scheme: string) => `All heads of the model: ${scheme}`,
  mapLabel: (scheme: string) => `Attention map: ${scheme}`,
  caption: (from: string, to: string, values: string) => `From “${from}” to “${to}”: ${values}.`,
  looksBack: (list: string) => `On this text the chosen head looks back, on average: ${list}.`,
  tokensBack: (name: string, distance: number) => `${name} ${distance.toFixed(1)} tokens`,
  value: (name: string, value: number) => `${name} ${weight(value)}`,
  shortened: (max: number) => `Only the first ${max} tokens are read.`,
  unknown: "□: not in these models’ vocabulary.",
  piece: "-: a piece of the word before it.",
  note: (models: number, parameters: number, milliseconds: number) =>
    `Models of about ${(parameters / 1e6).toFixed(2)} million numbers each, trained alike but for positions. The last reading by these ${few.en(models)} took ${milliseconds.toFixed(0)} ms.`,
  bits: (list: string) => ` On held-out text, English and Chinese, in bits per character: ${list}.`,
  bitsOf: (name: string, en: number, zh: number) => `${name} ${en.toFixed(2)} and ${zh.toFixed(2)}`,
  caveat:
    "Not shown: importance. A strong cell says where a head takes from, not how much that matters. These are tiny models, trained once each; what head 2 does in one, head 2 of another need not do. The text they open with was part of their training; type one that was not.",
};

export type HeadsWords = typeof en;

const zh: HeadsWords = {
  name: "训练好的模型读同一段文字",
  title: (layer, head, models) =>
    `第 ${layer} 层第 ${head} 个头：同一段文字，${few.zh(models)}种位置方案`,
  found: (layer, head, names, unit) =>
    `第 ${layer} 层第 ${head} 个头：在${amid(names)}里总看前一个${unit === "word" ? "词" : "词元"}，在别的模型里不是`,
  models: "模型",
  gridTitle: "全部注意力头（竖看是层，横看是头），点一个来看",
  input: "文字",
  layer: "层",
  head: "头",
  headLabel: (layer, head, distance) =>
    `第 ${layer} 层第 ${head} 个头，平均回看 ${distance.toFixed(1)} 个词元`,
  gridLabel: (scheme) => `${scheme}模型的全部注意力头`,
  mapLabel: (scheme) => `注意力图：${scheme}`,
  caption: (from, to, values) => `“${from}”看“${to}”的权重：${values}。`,
  looksBack: (list) => `读这段文字时，这个头平均往回看：${list}。`,
  tokensBack: (name, distance) => named(name, `${distance.toFixed(1)} 个词元`),
  value: (name, value) => named(name, weight(value)),
  shortened: (max) => `只读前 ${max} 个词元。`,
  unknown: "□：这些模型的词表里没有。",
  piece: "-：接着前一个词的一截。",
  note: (models, parameters, milliseconds) =>
    `每个模型约有 ${(parameters / 1e4).toFixed(0)} 万个参数，除位置编码外训练完全相同。这${few.zh(models)}个模型刚才读一遍，共用 ${milliseconds.toFixed(0)} 毫秒。`,
  bits: (list) => `在留出文本上（先英文，后中文），每字符比特数：${list}。`,
  bitsOf: (name, en, zh) => named(name, `${en.toFixed(2)}、${zh.toFixed(2)}`),
  caveat:
    "图上看不出的：重要性。格子颜色重，只说明这个头从那里取得多，不说明取来的东西有多要紧。模型很小，每种只训练了一次；这个模型的第 2 个头做的事，那个模型的第 2 个头未必也做。开头这首诗，训练时读过一个字句稍异的版本；不妨换成它们没读过的文字。",
};

export const headsWords: Bilingual<HeadsWords> = { en, zh };

/** The words of the text that is being written. */
import type { Bilingual } from "../../text/index.js";
import { plain } from "../../text/numbers.js";

const en = {
  name: "A model writes, and each word has its row",
  sample: "And God said unto",
  title: (layer: number, head: number) =>
    `What layer ${layer}, head ${head} looks at while it writes`,
  label: "Beginning",
  model: "Model",
  layer: "Layer",
  head: "Head",
  write: "Write on",
  pause: "Pause",
  anew: "Another draw",
  textLabel: "The text, shaded by the row of the marked word",
  map: "A row for each word that was written, a column for each word",
  row: (from: string, to: string, share: number) =>
    `As it was written, “${from}” looked most at “${to}”, with ${plain(share)} of its attention.`,
  terms: (list: string) => ` Its score there: ${list}.`,
  term: (name: string, value: number) => `${name} ${plain(value)}`,
  waits: "Nothing is written yet: press “Write on”.",
  note: (model: string, tokens: number, written: number) =>
    `This project’s trained model ${model} has read ${tokens} tokens and written ${written}. A row is computed once, when its word is read, and stays.`,
  caveat: "The model is small: it writes the sound of its books, not sense.",
  ended: " The text ends here.",
  columns: ["Word", "Looks at", "Share"],
  table: "The strongest share of each row",
};

export type WritingWords = typeof en;

const zh: WritingWords = {
  name: "模型一边写，一边给出每个词的那一行",
  sample: "春风又",
  title: (layer, head) => `第 ${layer} 层第 ${head} 个头，边写边看哪里`,
  label: "开头",
  model: "模型",
  layer: "层",
  head: "头",
  write: "接着写",
  pause: "停",
  anew: "另抽一次",
  textLabel: "文本：颜色深浅是选中词的那一行权重",
  map: "写出的每个词一行，每个词一列",
  row: (from, to, share) => `写到“${from}”时，它看得最多的是“${to}”，占注意力的 ${plain(share)}。`,
  terms: (list) => `那里的分数：${list}。`,
  term: (name, value) => `${name} ${plain(value)}`,
  waits: "还没有写：请按“接着写”。",
  note: (model, tokens, written) =>
    `本项目训练好的模型“${model}”，已读 ${tokens} 个词元，写出 ${written} 个。每一行在读到那个词时算一次，此后不变。`,
  caveat: "模型很小：写得像它读过的书，却未必有意义。",
  ended: "文本到此结束。",
  columns: ["词", "看", "权重"],
  table: "每一行最大的权重",
};

export const writingWords: Bilingual<WritingWords> = { en, zh };

/** The words of the terms of one query's logits. */
import type { Bilingual } from "../../../text/index.js";
import { cellNumber } from "../../../text/numbers.js";

const en = {
  name: "What the scores of one query are made of, key by key",
  title: (token: string, row: number) =>
    `What the scores of ${token ? `“${token}”` : `query ${row}`} are made of`,
  titleGiven: "What the scores are made of",
  total: "score",
  y: "score before the softmax",
  query: "Query",
  at: (row: number, token: string) => `${row} ${token}`.trimEnd(),
  key: (key: number, token: string) => (token ? `key ${key} “${token}”` : `key ${key}`),
  cell: (key: string, parts: string, total: number) =>
    `${key}: ${parts}, score ${cellNumber(total)}`,
  part: (name: string, value: number) => `${name} ${cellNumber(value)}`,
  caption: (key: string, total: number, parts: string) =>
    `The highest score is ${cellNumber(total)}, with ${key}: ${parts}.`,
  noteScheme: (scheme: string, head: number) =>
    `Head ${head} of an untrained layer with ${scheme}. Position is all that the score has beside the product of the words.`,
  noteModel: (model: string, layer: number, head: number) =>
    `Layer ${layer}, head ${head} of this project’s trained model “${model}”. Position is all that the score has beside the product of the words.`,
  caveat:
    "A scheme that adds to the token vectors themselves has its positions inside the content.",
  columns: ["Key", "Score"],
};

export type LogitWords = typeof en;

const zh: LogitWords = {
  name: "一个查询的得分由哪几项组成，逐键来看",
  title: (token, row) => `${token ? `“${token}”` : `第 ${row} 个查询`}的得分由哪几项组成`,
  titleGiven: "得分由哪几项组成",
  total: "得分",
  y: "softmax 之前的得分",
  query: "查询",
  at: (row, token) => `${row} ${token}`.trimEnd(),
  key: (key, token) => (token ? `第 ${key} 个键“${token}”` : `第 ${key} 个键`),
  cell: (key, parts, total) => `${key}：${parts}，得分 ${cellNumber(total)}`,
  part: (name, value) => `${name} ${cellNumber(value)}`,
  caption: (key, total, parts) => `得分最高的是${key}，为 ${cellNumber(total)}：${parts}。`,
  noteScheme: (scheme, head) =>
    `未经训练的一层，用“${scheme}”，第 ${head} 个头。“位置”指得分里除词与词的点积之外的全部。`,
  noteModel: (model, layer, head) =>
    `本项目训练好的模型“${model}”，第 ${layer} 层第 ${head} 个头。“位置”指得分里除词与词的点积之外的全部。`,
  caveat: "有的方案把位置直接加到词元向量上，那里的内容项本身就含有位置。",
  columns: ["键", "得分"],
};

export const logitWords: Bilingual<LogitWords> = { en, zh };

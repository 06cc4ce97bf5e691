/** The words of all heads of a model. */
import type { Bilingual } from "../../../text/index.js";
import { grouped, plain } from "../../../text/numbers.js";
import { dotsWords } from "../../shared/pictures/heads-words.js";

const en = {
  ...dotsWords.en,
  name: "All heads of a model, and where they look",
  title: (layers: number, heads: number) =>
    heads > 1
      ? `${grouped(layers * heads)} heads: ${layers === 1 ? "one layer" : `${layers} layers`} of ${heads}`
      : `${layers} ${layers === 1 ? "layer" : "layers"}`,
  told: (head: string, values: string) => `${head[0]!.toUpperCase()}${head.slice(1)}: ${values}.`,
  highest: (name: string, head: string, value: number) =>
    `Highest ${name}: ${head}, ${plain(value)}.`,
  noteModel: (model: string, tokens: number) =>
    `This project’s trained model ${model} on a text of ${tokens} tokens: means over its queries, without the first.`,
  noteWeights:
    "Means over the queries of the weights that were given, without the first query, which often sees only itself.",
  unknown: (asked: string, names: string) => ` There is no measure “${asked}”, only ${names}.`,
  caveat: "These are numbers of one text: on another, a head may do something else.",
  caveatGiven: "A mean over a text hides what single tokens do.",
  columns: ["Layer", "Head"],
};

export type HeadsWords = typeof en;

const zh: HeadsWords = {
  ...dotsWords.zh,
  name: "一个模型的所有头，各看哪里",
  title: (layers, heads) =>
    heads > 1
      ? `${grouped(layers * heads)} 个头：${layers} 层，每层 ${heads} 个`
      : `共 ${layers} 层`,
  told: (head, values) => `${head}：${values}。`,
  highest: (name, head, value) => `${name}最高：${head}，${plain(value)}。`,
  noteModel: (model, tokens) =>
    `本项目训练好的模型“${model}”，文本 ${tokens} 个词元：对第一个以外的各个查询取平均。`,
  noteWeights: "对给定权重的各个查询取平均；第一个查询往往只看得到自己，不计在内。",
  unknown: (asked, names) => `没有“${asked}”这个量，只有：${names}。`,
  caveat: "这些数出自一段文本：换一段文本，同一个头可能另有所为。",
  caveatGiven: "对整段文本取平均，看不出单个词元的情形。",
  columns: ["层", "头"],
};

export const headsWords: Bilingual<HeadsWords> = { en, zh };

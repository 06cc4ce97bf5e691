/** The words of attention by distance. */
import type { Bilingual } from "../../../text/index.js";
import { weight } from "../../../text/numbers.js";

const en = {
  name: "Attention by how many tokens back it looks",
  title: (names: string) => `How attention falls with distance: ${names}`,
  titleGiven: "How attention falls with distance",
  y: "mean weight",
  x: "tokens back",
  others: "the others",
  line: (at: number) => `line ${at}`,
  point: (name: string, distance: number, value: number) =>
    `${name}, ${distance} tokens back: ${Number.isNaN(value) ? "nothing" : weight(value)}`,
  caption: (parts: string) => `Highest: ${parts}.`,
  peak: (name: string, value: number, distance: number) =>
    `${name} ${weight(value)}, ${distance} ${distance === 1 ? "token" : "tokens"} back`,
  noteScheme: (head: number, tokens: number) =>
    `Head ${head} of an untrained layer with each scheme, on a text of ${tokens} tokens: means over its queries.`,
  noteModel: (layer: number, head: number, tokens: number) =>
    `Layer ${layer}, head ${head} of this project’s trained model, on a text of ${tokens} tokens: means over its queries.`,
  noteWeights: "Means over the rows of the weights that were given.",
  caveat: "Distances that few queries reach are left out: their means are chance.",
};

export type WeightWords = typeof en;

const zh: WeightWords = {
  name: "注意力随回看距离的变化",
  title: (names) => `注意力随距离怎样衰减：${names}`,
  titleGiven: "注意力随距离怎样衰减",
  y: "平均权重",
  x: "回看的词元数",
  others: "其余",
  line: (at) => `第 ${at} 条线`,
  point: (name, distance, value) =>
    `${name}，回看 ${distance} 个词元：${Number.isNaN(value) ? "无" : weight(value)}`,
  caption: (parts) => `最高处：${parts}。`,
  peak: (name, value, distance) => `“${name}”在回看 ${distance} 个词元处，${weight(value)}`,
  noteScheme: (head, tokens) =>
    `未经训练的一层，分别用各种方案，第 ${head} 个头；文本 ${tokens} 个词元，对各个查询取平均。`,
  noteModel: (layer, head, tokens) =>
    `本项目训练好的模型，第 ${layer} 层第 ${head} 个头；文本 ${tokens} 个词元，对各个查询取平均。`,
  noteWeights: "对给定权重的各行取平均。",
  caveat: "很少有查询能看到的远距离略去不画：那里的平均值全凭偶然。",
};

export const weightWords: Bilingual<WeightWords> = { en, zh };

/** The words of biases by distance. */
import type { Bilingual } from "../../../text/index.js";
import { cellNumber } from "../../../text/numbers.js";

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const en = {
  name: "What is added to a score, by how many tokens back the key stands",
  title: (scheme: string) => `${scheme}: what distance adds to a score`,
  titleGiven: "What distance adds to a score",
  head: "Head",
  others: "the other heads",
  y: "added to the score",
  point: (name: string, distance: number, value: number) =>
    `${name}, ${distance} tokens back: ${Number.isNaN(value) ? "nothing" : cellNumber(value)}`,
  caption: (name: string, near: number, far: number, distance: number) =>
    `${capital(name)} adds ${cellNumber(near)} to a score with the token itself and ${cellNumber(far)} to one ${distance} tokens back.`,
  captionGiven: "Each line is what is added to a score at a distance.",
  line: (at: number) => `line ${at}`,
  defined: "Asked of the scheme as it is defined; where it learns, before any training.",
  trained: (layer: number, scores: number) =>
    `This project’s trained model, layer ${layer}: at each distance the mean over ${scores} queries of held-out text, where the scheme reads the words too.`,
  caveat:
    "Softmax sees differences alone: a constant over all distances changes nothing. Content adds to the score as well and is not drawn.",
  x: "tokens back",
};

export type BiasWords = typeof en;

const zh: BiasWords = {
  name: "键离得越远，得分加减多少",
  title: (scheme) => `${scheme}：距离给得分加了多少`,
  titleGiven: "距离给得分加了多少",
  head: "头",
  others: "其余的头",
  y: "加到得分上的数",
  point: (name, distance, value) =>
    `${name}，回看 ${distance} 个词元：${Number.isNaN(value) ? "无" : cellNumber(value)}`,
  caption: (name, near, far, distance) =>
    `${name}给词元自己的得分加 ${cellNumber(near)}，给 ${distance} 个词元之前的得分加 ${cellNumber(far)}。`,
  captionGiven: "每条线：在各个距离上给得分加了多少。",
  line: (at) => `第 ${at} 条线`,
  defined: "按方案的定义算出；有可学习参数的，取训练之前的初始值。",
  trained: (layer, scores) =>
    `本项目训练好的模型，第 ${layer} 层；若方案还要看词，则取留出文本上 ${scores} 个查询的平均。`,
  caveat: "softmax 只看差值：所有距离都加同一个数，等于没加。内容对得分的贡献没有画出。",
  x: "回看的词元数",
};

export const biasWords: Bilingual<BiasWords> = { en, zh };

/** The words of the two sentences whose words can be carried. */
import type { Bilingual } from "../../text/index.js";

const en = {
  name: "Two sentences of the same words, who looks at whom in each, and a bag of the words of each",
  tokens: ["the", "cat", "chases", "the", "mouse"],
  /** Indices of the tokens that can be carried. */
  carried: [1, 2, 4],
  caption: (word: string) =>
    `An untrained layer, with random weights. Blue arcs and numbers: how “${word}” shares its attention, itself included; grey arcs: the other words. Point at a word to see its own. Words with dots under them can be dragged.`,
  numbersCaption:
    "The second sentence. Each row: how one word, in an untrained layer, shares its attention.",
  word: (word: string, position: number, count: number) =>
    `${word}, word ${position} of ${count}: left and right arrow move it`,
  cell: (from: string, to: string, value: string) => `${from} looks at ${to}: ${value}`,
  looks: (from: string, shares: string) => `“${from}” looks at ${shares}.`,
  share: (to: string, value: string) => `${to} ${value}`,
  comma: ", ",
  same: "the same bag",
  differ: "two different bags",
  tell: "Tell it where",
  numbers: "Numbers",
  replay: "Play again",
  take: "Link, code, pictures and data",
  waiting: "The engine is on its way.",
  failed: (cause: string) => `The picture stays as it is. ${cause}`,
  alike: (word: string, difference: string) =>
    `One bag for both sentences. In both, “${word}” shares its attention in the same way, and so do the others: ${difference === "0" ? "not one weight differs, to the last bit" : `no weight differs by more than ${difference}, which is rounding`}.`,
  apart: (difference: string) =>
    `Told where each word is (here by rotation, RoPE), the layer has two different bags, and the arcs part: weights between the same words differ by up to ${difference}.`,
  unmoved:
    "Both sentences are the same now. Drag a word elsewhere, and see whether it makes a difference.",
};

export type SwapWords = typeof en;

const zh: SwapWords = {
  name: "用词相同的两句话，各句里谁看谁，以及各句的词袋",
  tokens: ["猫", "追", "老鼠"],
  carried: [0, 1, 2],
  caption: (word) =>
    `这一层未经训练，权重是随机的。蓝色的弧线和数：“${word}”怎样分配注意力，自己也算在内；灰色的弧线：别的词。指向哪个词，就看哪个词的。带点线的词可以拖动。`,
  numbersCaption: "第二句。每一行：一个词在未经训练的一层里，怎样分配注意力。",
  word: (word, position, count) =>
    `${word}，第 ${position} 个词，共 ${count} 个：左右方向键可以移动`,
  cell: (from, to, value) => `${from}看${to}：${value}`,
  looks: (from, shares) => `“${from}”看${shares}。`,
  share: (to, value) => `${to} ${value}`,
  comma: "、",
  same: "同一袋词",
  differ: "两袋不同的词",
  tell: "告诉它位置",
  numbers: "数值",
  replay: "再放一遍",
  take: "链接、代码、图和数据",
  waiting: "引擎还在路上。",
  failed: (cause: string) => `图还是原来那张。${cause}`,
  alike: (word, difference) =>
    `两句话装进袋子里，是同一袋词。“${word}”在两句里看各个词的注意力权重都一样，别的词也是：${difference === "0" ? "每个数都一样，分毫不差" : `最多只差 ${difference}，不过是舍入误差`}。`,
  apart: (difference) =>
    `告诉这一层每个词的位置（这里用旋转，即 RoPE），两袋词就不同了，弧线也分开了：同样两个词之间的权重最多相差 ${difference}。`,
  unmoved: "现在两句话一样。拎起一个词换个位置，看有没有区别。",
};

export const swapWords: Bilingual<SwapWords> = { en, zh };

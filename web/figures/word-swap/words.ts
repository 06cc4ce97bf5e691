/** The words of the map whose words can be dragged. */
import type { Bilingual } from "../../text/index.js";

const en = {
  name: "A sentence whose words can be moved, and its attention map",
  tokens: ["cat", "chases", "mouse"],
  caption: "Each row: how one word, in an untrained layer without positions, shares its attention.",
  word: (word: string, position: number, count: number) =>
    `${word}, word ${position} of ${count}: left and right arrow move it`,
  cell: (from: string, to: string, value: string) => `${from} looks at ${to}: ${value}`,
  invite: "Drag cat past mouse: rows and columns move, the numbers stay.",
  waiting: "The engine is on its way.",
  failed: (cause: string) => `The map stays as it is. ${cause}`,
  moved: (sentence: string, difference: string) =>
    `“${sentence}”, read anew: ${difference === "0" ? "not one number differs, to the last bit" : `no number differs by more than ${difference}, which is rounding`}.`,
};

export type SwapWords = typeof en;

const zh: SwapWords = {
  name: "词可以拖动的句子，和它的注意力图",
  tokens: ["猫", "追", "老鼠"],
  caption: "每一行：一个词在未经训练、不加位置编码的一层里，怎样分配注意力。",
  word: (word, position, count) =>
    `${word}，第 ${position} 个词，共 ${count} 个：左右方向键可以移动`,
  cell: (from, to, value) => `${from}看${to}：${value}`,
  invite: "把“猫”拖到“老鼠”后面：行列跟着挪，数却不变。",
  waiting: "引擎还在路上。",
  failed: (cause) => `图还是原来那张。${cause}`,
  moved: (sentence, difference) =>
    `“${sentence}”重新算过：${difference === "0" ? "每个数都一样，分毫不差" : `最多只差 ${difference}，不过是舍入误差`}。`,
};

export const swapWords: Bilingual<SwapWords> = { en, zh };

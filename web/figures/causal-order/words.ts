/** The words of "does the mask give order". */
import type { Bilingual } from "../../text/index.js";

const en = {
  name: "What the last token can know",
  sentence: "only I know",
  /** In each example, exchanging the first two words changes the meaning. */
  examples: ["only I know", "even Ann laughed", "nearly everyone failed"],
  title: "One masked layer sees a set; two see an order",
  cases: {
    open: (layers: number) => `No mask, ${layers} layers`,
    causal: (layers: number) =>
      layers === 1 ? "Causal mask, 1 layer" : `Causal mask, ${layers} layers`,
  },
  shownMap: (layers: number): string =>
    layers === 1 ? "its map, first head" : "the second layer’s map, first head",
  before: "as typed",
  after: "first two exchanged",
  moved: "last token’s output moves by",
  caption: (last: string, open: string, causalOne: string, causalTwo: string) =>
    `Exchange the first two tokens and look at the vector that the model makes of “${last}”, whose entries are about 1 in size. Without a mask none of them moves by more than ${open}, with a mask and one layer ${causalOne}, with a mask and two layers ${causalTwo}. The first two are at most rounding error; the third is order, leaked in through the mask.`,
  inkTitle: (first: string) =>
    `Ink of “${first}”: two masked layers, words at the bottom, each dot taking from those below`,
  inkOf: (sentence: string) => `“${sentence}”`,
  inkKey: "circle: how much of the word’s ink is there; line: how much flows up",
  layer: (layer: number) => (layer ? `layer ${layer}` : "words"),
  ink: (sentence: string) => `Ink in “${sentence}”, by layer and word`,
  inkIn: (word: string, layer: number, share: string) =>
    `${layer ? `layer ${layer}` : "words"}, ${word}: ${share} of the ink`,
  mapLabel: (name: string, which: string) => `Attention map, ${name}, ${which}`,
  input: "Sentence",
  newWeights: "Other random weights",
  tooShort: "Type at least three words.",
  note: (seed: number) =>
    `No positional encoding anywhere; untrained weights, seed ${seed}. Ink: the product of the first head’s weights along all ways from the word; what a token keeps of itself between layers is not drawn. The output is the vector after the final norm; its entries are about 1 in size.`,
  caveat:
    "Not shown: whether a trained model makes use of the leak. It can, but here it only could.",
};

export type OrderWords = typeof en;

const zh: OrderWords = {
  name: "最后一个词元能知道什么",
  sentence: "不 都 去",
  examples: ["不 都 去", "不 很 好", "不 一定 对"],
  title: "加掩码：一层看不出前面各词的先后，两层看得出",
  cases: {
    open: (layers) => `无掩码，${layers} 层`,
    causal: (layers) => `因果掩码，${layers} 层`,
  },
  shownMap: (layers) => (layers === 1 ? "这一层的图，第一个头" : "第二层的图，第一个头"),
  before: "原句",
  after: "前两个词对调",
  moved: "最后一个词元的输出变化",
  caption: (last, open, causalOne, causalTwo) =>
    `对调前两个词元，看模型给“${last}”的输出向量，它的各个分量大小约为 1。变化最大的分量：不加掩码，变了 ${open}；加掩码、一层，变了 ${causalOne}；加掩码、两层，变了 ${causalTwo}。前两个本该是 0，剩下的只是舍入误差；第三个不是误差，是顺序从掩码里漏进来了。`,
  inkTitle: (first) => `“${first}”的墨水：两层，都有掩码；最下面是词，每个圆点从下面的圆点里取`,
  inkOf: (sentence) => `“${sentence}”`,
  inkKey: "圆圈：这里有多少墨水；连线：往上流多少",
  layer: (layer) => (layer ? `第 ${layer} 层` : "词"),
  ink: (sentence) => `“${sentence}”里的墨水，按层和词`,
  inkIn: (word, layer, share) => `${layer ? `第 ${layer} 层` : "词"}，${word}：墨水 ${share}`,
  mapLabel: (name, which) => `注意力图，${name}，${which}`,
  input: "句子",
  newWeights: "换一组随机权重",
  tooShort: "请至少输入三个词，用空格隔开。",
  note: (seed) =>
    `完全不加位置编码；权重未经训练，随机种子 ${seed}。墨水：从这个词出发的每条路上，第一个头的权重连乘，再加起来；词元在层与层之间自己保留的那一份没有画。“输出”指最后一次归一化之后的向量，每个分量的大小约为 1。`,
  caveat: "图上看不出的：训练好的模型是否真的用上透过掩码的这点顺序；这里只说明它有可能利用。",
};

export const orderWords: Bilingual<OrderWords> = { en, zh };

/** The words of "who chases whom". */
import type { Bilingual } from "../../text/index.js";
import { grouped } from "../../text/numbers.js";

const en = {
  name: "Attention maps of two word orders",
  sentence: "cat chases mouse",
  /** Each with two words whose exchange makes another sentence. */
  examples: [
    ["cat chases mouse", [0, 2]],
    ["cat eats fish", [0, 2]],
    ["the dog bites the man", [1, 4]],
    ["apples fall before pears", [0, 3]],
  ] as [string, [number, number]][],
  titleSame: "Without positions, both sentences give one map",
  titleDiffer: (scheme: string) => `${scheme}: two sentences, two maps`,
  arrows: "arrows: where each word goes",
  mapA: "A",
  mapB: "B",
  mapC: "B in A’s order, minus A",
  mapALabel: (text: string) => `Attention map of sentence A, ${text}`,
  mapBLabel: (text: string) => `Attention map of sentence B, ${text}`,
  mapCLabel: "Map of B with rows and columns put back in A’s order, minus the map of A",
  captionSame: (difference: string, pooled: string) =>
    `Put B’s rows and columns back in A’s order and the two maps ${difference === "0" ? "are equal to the last bit" : `differ by at most ${difference}, no more than 32-bit numbers round`}. Average each sentence into one vector, and the two vectors agree to ${pooled}. Which word came first is nowhere in either.`,
  titleStill: (scheme: string) => `${scheme}: for this exchange, still one map`,
  captionStill: (difference: string, pooled: string) =>
    `Put B’s rows and columns back in A’s order and the two maps differ by at most ${difference}; the averaged vectors, by ${pooled}. What this scheme tells attention, distances without left or right, is the same in both orders. Exchange two neighbours instead.`,
  captionDiffer: (difference: string, pooled: string) =>
    `Put B’s rows and columns back in A’s order and the two maps still differ, by up to ${difference}. The averaged vectors differ by ${pooled}. The layer can tell the two orders apart.`,
  input: "Sentence A",
  swap: "In B, exchange",
  swapFirst: "First word to exchange",
  swapSecond: "Second word to exchange",
  and: "and",
  positions: "Positions",
  unit: "Tokens are",
  units: { word: "words", character: "characters" },
  tooShort: "Type at least two words.",
  tooLong: (max: number) => `Only the first ${max} words are used.`,
  tooManyCharacters: (max: number) =>
    `Of characters only the first ${max} are used, and of one word half as many.`,
  note: (seed: number, parameters: number) =>
    `One layer, four heads (the first is shown), no mask; untrained weights, seed ${seed} (any other finds the same), ${grouped(parameters)} numbers.`,
  caveat:
    "Not shown: what training makes of this. With random weights the pattern inside a map means nothing; only what changes between the two maps does.",
};

export type ChaseWords = typeof en;

const zh: ChaseWords = {
  name: "两种顺序的注意力图",
  sentence: "猫追老鼠",
  examples: [
    ["猫追老鼠", [0, 2]],
    ["猫吃鱼", [0, 2]],
    ["老师问学生", [0, 2]],
    ["我喜欢吃苹果", [0, 3]],
  ],
  titleSame: "不加位置编码，两句话得到同一张图",
  titleDiffer: (scheme) => `${scheme}：两句话，两张图`,
  arrows: "箭头：每个词去了哪里",
  mapA: "甲",
  mapB: "乙",
  mapC: "乙按甲的顺序排好，减去甲",
  mapALabel: (text) => `甲句“${text}”的注意力图`,
  mapBLabel: (text) => `乙句“${text}”的注意力图`,
  mapCLabel: "乙图的行列按甲的顺序排好，再减去甲图",
  captionSame: (difference, pooled) =>
    `把乙图的行和列按甲的顺序排回去，两张图${difference === "0" ? "分毫不差" : `最多只差 ${difference}，不超过 32 位浮点数的舍入误差`}。再把每句话平均成一个向量，两个向量也只差 ${pooled}。哪个词在前，图里根本没有。`,
  titleStill: (scheme) => `${scheme}：这样对调，仍是同一张图`,
  captionStill: (difference, pooled) =>
    `把乙图的行和列按甲的顺序排回去，两张图最多只差 ${difference}，两句话的平均向量只差 ${pooled}。这种编码只告诉注意力距离，不分左右，而这样对调之后各个距离都没变。换两个相邻的词试试。`,
  captionDiffer: (difference, pooled) =>
    `把乙图的行和列按甲的顺序排回去，两张图仍然不同，最多差 ${difference}；两句话的平均向量相差 ${pooled}。这一层分得清两种顺序了。`,
  input: "甲句",
  swap: "乙句对调",
  swapFirst: "要对调的第一个词",
  swapSecond: "要对调的第二个词",
  and: "和",
  positions: "位置",
  unit: "词元按",
  units: { word: "词", character: "字符" },
  tooShort: "请至少输入两个词。",
  tooLong: (max) => `只取前 ${max} 个词。`,
  tooManyCharacters: (max) => `按字符只取前 ${max} 个，其中一个词最多占一半。`,
  note: (seed, parameters) =>
    `一层、四个注意力头（图中是第一个）、不加掩码；权重未经训练，随机种子 ${seed}（换别的种子，结论一样），共 ${grouped(parameters)} 个参数。`,
  caveat:
    "图上看不出的：训练之后会怎样。权重是随机的，图里颜色轻重本身没有意义；有意义的只是两张图之间变没变。",
};

export const chaseWords: Bilingual<ChaseWords> = { en, zh };

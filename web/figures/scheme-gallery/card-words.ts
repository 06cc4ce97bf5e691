/** The words of the gallery and its closed cards, which load with the page. */
import type { Bilingual } from "../../text/index.js";

const en = {
  name: "Every scheme",
  sentence: "the cat chases the mouse and the mouse hides",
  /** Two orders of the same words, and a longer sentence. */
  examples: [
    "the cat chases the mouse and the mouse hides",
    "the cat eats the fish",
    "the fish eats the cat",
    "I liked to eat apples",
    "as a child I liked to eat apples",
  ],
  input: "Text",
  families: {
    none: "nothing",
    absolute: "absolute",
    relative: "relative",
    rotary: "rotary",
    latent: "latent",
    grid: "grid",
  } as Record<string, string>,
  claims: {
    shiftInvariant: "shift-invariant",
    bidirectional: "defined without a mask",
    decodes: "decodes with a cache",
  } as Record<string, string>,
  kinds: {
    encoding: "What is added to a token’s vector",
    rotation: "How far each pair of channels turns",
    bias: "What is added to a score",
    attention: "Attention maps, untrained weights",
  },
  trainedKinds: {
    encoding: "What training has made of what is added to a token’s vector",
    rotation: "How far each pair of channels turns after training",
    bias: "What training has made of what is added to a score",
    attention: "A trained head’s attention map, and what position adds to its scores",
  },
  values: "Schemes that learn, shown",
  valueChoices: { trained: "as trained", initial: "as they begin" },
  valueTags: { trained: "trained", initial: "untrained" },
  change: "Change it",
};

export type CardWords = typeof en;

const zh: CardWords = {
  name: "所有方案",
  sentence: "猫 追 老鼠 老鼠 躲 猫 又 追",
  examples: [
    "猫 追 老鼠 老鼠 躲 猫 又 追",
    "猫吃鱼",
    "鱼吃猫",
    "我喜欢吃苹果",
    "小时候我喜欢吃苹果",
  ],
  input: "文字",
  families: {
    none: "不加位置编码",
    absolute: "绝对位置",
    relative: "相对位置",
    rotary: "旋转",
    latent: "低秩压缩",
    grid: "网格",
  },
  claims: {
    shiftInvariant: "平移不变",
    bidirectional: "不加掩码也有定义",
    decodes: "可用缓存逐词元解码",
  },
  kinds: {
    encoding: "给词元向量加上了什么",
    rotation: "每对通道转过多少",
    bias: "给得分加上了什么",
    attention: "注意力图（权重未经训练）",
  },
  trainedKinds: {
    encoding: "训练之后，给词元向量加上了什么",
    rotation: "训练之后，每对通道转过多少",
    bias: "训练之后，给得分加上了什么",
    attention: "训练好的一个头：注意力图，以及位置给它的得分加上了什么",
  },
  values: "带参数的方案，画",
  valueChoices: { trained: "训练之后", initial: "训练之前" },
  valueTags: { trained: "已训练", initial: "未训练" },
  change: "改写",
};

export const cardWords: Bilingual<CardWords> = { en, zh };

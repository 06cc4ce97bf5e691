/** Texts of the sentence that slides, in both languages. */
import type { Bilingual } from "../../text/bilingual.js";
import { measured, weight } from "../../text/numbers.js";

const positions = (count: number): string => `${count} position${count === 1 ? "" : "s"}`;

export interface Slid {
  shift: number;
  /** Names of the schemes whose maps have changed, and the count of all. */
  changed: readonly string[];
  all: number;
  /** Largest change among the others. */
  rounding: number;
}

const tokens = {
  en: ["the", "cat", "chases", "the", "mouse", "round", "the", "house"],
  zh: ["猫", "追", "老鼠", "，", "老鼠", "绕", "屋", "跑"],
};

const en = {
  name: "The whole sentence moves on",
  tokens: tokens.en,
  order: `An untrained head for each scheme. Rows from the top, columns from the left: ${tokens.en.join(" · ")}`,
  outlined: "thick outline: the map has changed",
  title: ({ shift, changed, all }: Slid) =>
    shift
      ? `${positions(shift)} on, ${changed.length} of ${all} maps have changed`
      : "Before the sentence moves, each map is equal to itself",
  slider: "Moved on by",
  positions,
  span: (from: number, count: number) => `positions ${from}–${from + count - 1}`,
  changed: (largest: number) => `changes by up to ${weight(largest)}`,
  same: "stays",
  tile: (name: string, isChanged: boolean, largest: number) =>
    isChanged
      ? `${name}: a weight changes by up to ${weight(largest)}`
      : `${name}: no weight changes, to rounding`,
  caption: ({ shift, changed, all, rounding }: Slid) =>
    shift === 0
      ? "Left the map at positions 0 to 7, right the same again. Slide the sentence on, and see which right maps stay."
      : `On the left the sentence stands at positions 0 to 7, on the right at ${shift} to ${shift + 7}; no two words are nearer or farther than before. ${changed.length ? `Changed: ${changed.join(", ")}. ` : ""}The other ${all - changed.length} maps are the same, to rounding${rounding ? ` (at most ${measured(rounding)})` : ""}: those schemes see distances only.`,
  scale: "attention weight",
  note: (tokens: readonly string[]) =>
    `“${tokens.join(" ")}”, through one causal head of each scheme, computed in this tab. The heads are untrained and have the same weights, apart from those of the scheme.`,
  caveat:
    "Not shown: training. A model that is told absolute positions can learn to answer alike at other positions, as far as it was shown them.",
};

export type SlideWords = typeof en;

const zh: SlideWords = {
  name: "整句话往后移",
  tokens: tokens.zh,
  order: `每种方案一个未经训练的头。行从上到下、列从左到右：${tokens.zh.join(" · ")}`,
  outlined: "粗框：图变了",
  title: ({ shift, changed, all }) =>
    shift
      ? `后移 ${shift} 个位置，${all} 张图变了 ${changed.length} 张`
      : "还没有移动，每张图都和自己相同",
  slider: "往后移",
  positions: (shift) => `${shift} 个位置`,
  span: (from, count) => `位置 ${from}–${from + count - 1}`,
  changed: (largest) => `最多变了 ${weight(largest)}`,
  same: "不变",
  tile: (name, isChanged, largest) =>
    isChanged ? `${name}：权重最多变了 ${weight(largest)}` : `${name}：除了舍入误差，权重不变`,
  caption: ({ shift, changed, all, rounding }) =>
    shift === 0
      ? "左边是位置 0 到 7 上的图，右边是同一张。把句子往后移，看右边哪些图不变。"
      : `左边的句子在位置 0 到 7，右边在 ${shift} 到 ${shift + 7}，任何两个词的距离都没有变。${changed.length ? `变了的是${changed.join("、")}。` : ""}其余 ${all - changed.length} 张没有变（舍入误差${rounding ? `最多 ${measured(rounding)}` : "为 0"}）：它们只知道距离。`,
  scale: "注意力权重",
  note: (tokens) =>
    `“${tokens.join("")}”，每种方案用一个因果的头来读，在这个标签页里算出。这些头未经训练，除了方案自己的参数，权重都相同。`,
  caveat:
    "图上看不出的：训练。记得绝对位置的模型，也可以学会在别的位置给出同样的答案，只是限于见过的位置。",
};

export const slideWords: Bilingual<SlideWords> = { en, zh };

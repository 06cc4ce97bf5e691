/** The words of all heads of a model. */
import type { Bilingual } from "../../../text/index.js";
import { grouped, plain } from "../../../text/numbers.js";

const en = {
  name: "All heads of a model, and where they look",
  title: (layers: number, heads: number) =>
    heads > 1
      ? `${grouped(layers * heads)} heads: ${layers === 1 ? "one layer" : `${layers} layers`} of ${heads}`
      : `${layers} ${layers === 1 ? "layer" : "layers"}`,
  /** Above the picture of all heads. */
  grid: "Layers from top to bottom, heads from left to right",
  dots: "One dot for each head",
  /** Names of the measures, on axes and in lists. */
  measures: {
    previous: "share on the token before",
    self: "share on the token itself",
    first: "share on the first token",
    entropy: "entropy in bits",
    distance: "distance in tokens",
    layer: "layer",
  } as Readonly<Record<string, string>>,
  /** Shorter names of the measures, to choose from. */
  short: {
    previous: "token before",
    self: "itself",
    first: "first token",
    entropy: "entropy",
    distance: "distance",
    layer: "layer",
  } as Readonly<Record<string, string>>,
  mean: "mean of the layer",
  across: "Across",
  up: "Up",
  head: (layer: number, head: number, heads: number) =>
    heads > 1 ? `layer ${layer}, head ${head}` : `layer ${layer}`,
  value: (name: string, value: number) => `${name} ${Number.isNaN(value) ? "–" : plain(value)}`,
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
  name: "一个模型的所有头，各看哪里",
  title: (layers, heads) =>
    heads > 1
      ? `${grouped(layers * heads)} 个头：${layers} 层，每层 ${heads} 个`
      : `共 ${layers} 层`,
  grid: "从上到下是各层，从左到右是各头",
  dots: "每个头一个点",
  measures: {
    previous: "前一个词元的注意力权重",
    self: "自身的注意力权重",
    first: "第一个词元的注意力权重",
    entropy: "熵（比特）",
    distance: "距离（词元）",
    layer: "层",
  },
  short: {
    previous: "前一个词元",
    self: "自身",
    first: "第一个词元",
    entropy: "熵",
    distance: "距离",
    layer: "层",
  },
  mean: "该层平均",
  across: "横轴",
  up: "纵轴",
  head: (layer, head, heads) => (heads > 1 ? `第 ${layer} 层第 ${head} 个头` : `第 ${layer} 层`),
  value: (name, value) => `${name} ${Number.isNaN(value) ? "–" : plain(value)}`,
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

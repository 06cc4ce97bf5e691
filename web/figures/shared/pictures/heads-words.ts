/** The words of pictures of all heads of a model. */
import type { Bilingual } from "../../../text/index.js";
import { plain } from "../../../text/numbers.js";

const en = {
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
    same: "share on earlier copies of the token",
    induction: "share on what followed earlier copies of the token",
    nobody: "share on nobody (a learned sink)",
    median: "median distance in tokens",
    positional: "share of the scores’ variance that position explains",
    byDistance: "share of the weights’ variance that distance explains",
    layer: "layer",
  } as Readonly<Record<string, string>>,
  /** Shorter names of the measures, to choose from. */
  short: {
    previous: "token before",
    self: "itself",
    first: "first token",
    entropy: "entropy",
    distance: "distance",
    same: "earlier copies",
    induction: "induction",
    nobody: "nobody",
    median: "median distance",
    positional: "position in scores",
    byDistance: "distance in weights",
    layer: "layer",
  } as Readonly<Record<string, string>>,
  mean: "mean of the layer",
  across: "Across",
  up: "Up",
  head: (layer: number, head: number, heads: number) =>
    heads > 1 ? `layer ${layer}, head ${head}` : `layer ${layer}`,
  value: (name: string, value: number) => `${name} ${Number.isNaN(value) ? "–" : plain(value)}`,
  pairs: "Pairs of channels by layer: how much of the scores’ variance each explains",
  pair: (layer: number, pair: number, wavelength: number, share: number) =>
    `layer ${layer}, pair ${pair} with a wavelength of ${plain(wavelength)} tokens: ${plain(share)}`,
  pairTicks: "Tokens for one full rotation",
};

export type DotsWords = typeof en;

const zh: DotsWords = {
  grid: "从上到下是各层，从左到右是各头",
  dots: "每个头一个点",
  measures: {
    previous: "前一个词元的注意力权重",
    self: "自身的注意力权重",
    first: "第一个词元的注意力权重",
    entropy: "熵（比特）",
    distance: "距离（词元）",
    same: "前面相同词元的注意力权重",
    induction: "相同词元之后那个词元的注意力权重",
    nobody: "谁也不看的权重（学得的汇）",
    median: "距离的中位数（词元）",
    positional: "分数的方差中由位置解释的部分",
    byDistance: "权重的方差中由距离解释的部分",
    layer: "层",
  },
  short: {
    previous: "前一个词元",
    self: "自身",
    first: "第一个词元",
    entropy: "熵",
    distance: "距离",
    same: "相同词元",
    induction: "归纳",
    nobody: "谁也不看",
    median: "距离中位数",
    positional: "分数中的位置",
    byDistance: "权重中的距离",
    layer: "层",
  },
  mean: "该层平均",
  across: "横轴",
  up: "纵轴",
  head: (layer, head, heads) => (heads > 1 ? `第 ${layer} 层第 ${head} 个头` : `第 ${layer} 层`),
  value: (name, value) => `${name} ${Number.isNaN(value) ? "–" : plain(value)}`,
  pairs: "各层的通道对：各解释分数方差的多少",
  pair: (layer, pair, wavelength, share) =>
    `第 ${layer} 层第 ${pair} 对，波长 ${plain(wavelength)} 个词元：${plain(share)}`,
  pairTicks: "转一整圈的词元数",
};

export const dotsWords: Bilingual<DotsWords> = { en, zh };

/** Texts of the score by distance, in both languages. */
import type { Bilingual } from "../../text/bilingual.js";
import { grouped, periodText, plain } from "../../text/numbers.js";
import type { HeadPair } from "./messages.js";
import type { PairChoice } from "./state.js";

export interface Told {
  /** The pair that returns, from 0, and by how much it moves the score. */
  pair: HeadPair;
  index: number;
  swing: number;
  /** The largest of the other pairs' swings. */
  others: number;
  peaks: readonly number[];
  /** Largest score beyond the training, less the largest within it. */
  far: number;
  isWhole: boolean;
}

const startText = ({ start }: HeadPair): string => start.toFixed(2);
const list = (peaks: readonly number[], joiner: string): string =>
  peaks.slice(0, 3).map(grouped).join(joiner);

const en = {
  name: "A head’s score by distance",
  title: ({ index, isWhole }: Told) =>
    isWhole
      ? `In this head pair ${index + 1} outweighs the rest, and its turns bring the score back`
      : `Without pair ${index + 1} its wave is gone, and far is no longer told from near`,
  choice: "This head with",
  choices: (pair: number): Record<PairChoice, string> => ({
    all: "all its pairs",
    without: `all but pair ${pair + 1}`,
  }),
  bars: "How far each pair moves the score: its highest part less its lowest",
  pair: "pair",
  tokens: "tokens a turn",
  period: periodText,
  swing: (swing: number) => swing.toFixed(1),
  row: (pair: number, of: HeadPair, swing: number) =>
    `pair ${pair + 1}, a turn in ${periodText(of.period)} tokens: moves the score by ${swing.toFixed(1)}, highest after ${startText(of)} of a turn`,
  charts: "Scores by distance",
  chartNames: {
    alone: {
      title: (pair: number) => `Pair ${pair + 1} alone: it scores highest beyond the training`,
      scale: "its part of the score; dotted: full turns",
    },
    head: {
      title: () => "All pairs together: the head of section 1",
      scale: "mean score, 0 = its highest in texts of the training; coloured: that pair alone",
    },
    bias: {
      title: () => "ALiBi, four heads: what is added only falls",
      scale: "minus the distance times the head’s slope; another scale",
    },
  },
  distance: "distance in tokens",
  rotations: (count: number) => `${count} turn${count === 1 ? "" : "s"}`,
  trained: (farthest: number) => `seen in training: 0 to ${farthest}`,
  slope: (tokens: number) => `slope 1/${grouped(Math.round(tokens))}`,
  at: (distance: number, pair: number, alone: number, head: number) =>
    `distance ${distance}: pair ${pair + 1} alone ${plain(alone)}, this head ${plain(head)}`,
  caption: ({ pair, index, swing, others, peaks, far, isWhole }: Told) =>
    isWhole
      ? `Pair ${index + 1} moves the score by ${swing.toFixed(1)}, no other by more than ${others.toFixed(1)}. It turns once in ${periodText(pair.period)} tokens, and scores highest ${startText(pair)} of the way round. The other pairs shift each peak by some tokens: distant words score highest at about ${list(peaks, ", ")} … tokens, within a few tokens of the ghosts in section 1.`
      : `What is left swings fast, at no turns of pair ${index + 1}. Beyond the training it still reaches ${plain(far)}, with 0 for the highest score close by: this head now tells far from near hardly at all.`,
  note: "Each pair’s part of the score by distance, the mean over 128 queries of held-out text, is drawn as the cosine wave that fits it best: strength and start angle of query and key together. The curve is the sum of these waves.",
  caveat:
    "Not shown: the words. A single score also depends on what the two words are; these curves are means.",
};

export type HeadScoreWords = typeof en;

const zh: HeadScoreWords = {
  name: "一个头的得分随距离的变化",
  title: ({ index, isWhole }) =>
    isWhole
      ? `这个头里，第 ${index + 1} 对压过其余各对，每转一圈得分又升回来`
      : `去掉第 ${index + 1} 对，它的波没有了，远近也分不清了`,
  choice: "这个头",
  choices: (pair) => ({ all: "用全部的对", without: `去掉第 ${pair + 1} 对` }),
  bars: "每一对能让得分变动多少（最高减最低）",
  pair: "对",
  tokens: "几个词元转一圈",
  period: periodText,
  swing: en.swing,
  row: (pair, of, swing) =>
    `第 ${pair + 1} 对，${periodText(of.period)} 个词元转一圈：让得分变动 ${swing.toFixed(1)}，转到 ${startText(of)} 圈时最高`,
  charts: "得分随距离的变化",
  chartNames: {
    alone: {
      title: (pair) => `只看第 ${pair + 1} 对：得分最高处在训练长度之外`,
      scale: "它在得分里的那一份；点线：整圈",
    },
    head: {
      title: () => "各对合起来：第 1 节那个头",
      scale: "平均得分，0 = 训练所见的距离里最高的得分；彩色：只看那一对",
    },
    bias: {
      title: () => "ALiBi，四个头：加上的数只降不升",
      scale: "负的“距离乘这个头的斜率”；刻度与上面不同",
    },
  },
  distance: "距离（词元）",
  rotations: (count) => `${count} 圈`,
  trained: (farthest) => `训练时见过：0 到 ${farthest}`,
  slope: (tokens) => `斜率 1/${grouped(Math.round(tokens))}`,
  at: (distance, pair, alone, head) =>
    `距离 ${distance}：只看第 ${pair + 1} 对 ${plain(alone)}，这个头 ${plain(head)}`,
  caption: ({ pair, index, swing, others, peaks, far, isWhole }) =>
    isWhole
      ? `第 ${index + 1} 对能让得分变动 ${swing.toFixed(1)}，其余各对都不超过 ${others.toFixed(1)}。它 ${periodText(pair.period)} 个词元转一圈，转到 ${startText(pair)} 圈时最高。别的几对把每个峰值再挪动几个词元：远处的得分在大约 ${list(peaks, "、")}……个词元处最高，与第 1 节的幻影相差不过几个词元。`
      : `剩下的只是快波，与第 ${index + 1} 对的整圈无关。超出训练长度之后，得分仍能到 ${plain(far)}（近处最高为 0）：这个头几乎分不清远近了。`,
  note: "在没有用于训练的文本上，取 128 个查询的平均：每一对对得分的贡献随距离的变化，用最接近的余弦波画出：波的高度和起点，就是查询和键合起来的强弱和起始角度。曲线是这些波的和。",
  caveat: "图上看不出的：词。单个得分还取决于两个词是什么；这里的曲线都是平均。",
};

export const headScoreWords: Bilingual<HeadScoreWords> = { en, zh };

/** Texts of the ghosts, in both languages. */
import type { GhostView } from "../../defaults.js";
import type { Bilingual } from "../../text/bilingual.js";
import { few, grouped, percent } from "../../text/numbers.js";
import type { Ghost } from "./ghosts-of.js";

/** Numbers for the caption. */
export interface Shares {
  tokens: number;
  trained: number;
  /** Share within `near` tokens in a text as long as in training, and share beyond it now. */
  near: number;
  nearShare: number;
  farShare: number;
}

/** The pair that comes round. */
export interface Returning {
  pair: number;
  period: number;
  trained: number;
  ghosts: readonly Ghost[];
}

const firstOf = (ghosts: readonly Ghost[]): string[] =>
  ghosts.slice(0, 3).map(({ distance }) => grouped(distance));

const en = {
  name: "Ghosts in a long text",
  views: {
    plain: "RoPE",
    without: "RoPE without the pair",
    ntk: "NTK",
    yarn: "YaRN",
    bias: "ALiBi",
  } as Record<GhostView, string>,
  view: "Model",
  title: (name: string, ghosts: number, tokens: number) =>
    `${name}: ${few.en(ghosts)} ghost${ghosts === 1 ? "" : "s"} in ${grouped(tokens)} tokens`,
  droppedTitle: (pair: number) => `Without pair ${pair} the bands are gone`,
  tokens: "Text",
  tokensText: (tokens: number) => `${grouped(tokens)} tokens`,
  play: "Let the text grow",
  stop: "Stop",
  near: ({ near, nearShare, trained }: Shares) =>
    `In a text as long as in training, ${trained} tokens, this head gives ${percent(nearShare)} of its attention to the word itself and the ${near} before it.`,
  far: ({ tokens, farShare, trained }: Shares) =>
    tokens <= trained
      ? " Let the text grow."
      : ` In ${grouped(tokens)} tokens, ${farShare < 0.005 ? "next to nothing" : percent(farShare)} goes farther back than anything in training.`,
  because: ({ pair, period, trained, ghosts }: Returning) =>
    ` Pair ${pair + 1} makes it so: it needs ${grouped(Math.round(period))} tokens for a turn, and training showed it ${(trained / period).toFixed(2)} of one. Each time it has nearly come round, ${firstOf(ghosts).join(", ")}${ghosts.length > 3 ? " …" : ""} tokens back, far looks like near.`,
  slowed: (name: string, { pair, period, ghosts }: Returning) =>
    ` ${name} slows pair ${pair + 1} to a turn in ${grouped(Math.round(period))} tokens: ${ghosts.length ? `fewer ghosts, at about ${firstOf(ghosts).join(", ")} tokens back` : "it does not come round any more, and what still goes far follows faster pairs"}.`,
  dropped: (pair: number) =>
    ` Pair ${pair} has been taken out of this one head. Nothing gathers its attention any more: it goes to all distances, where the faster pairs happen to agree.`,
  bias: " ALiBi takes off more the farther back a word is: nothing comes round.",
  axis: "the text, in tokens",
  dot: "Each dot is two words: halfway between them, and as high as they are far apart. A streak that rises to the right: many later words look at one word; to the left: one word looks at many.",
  pair: (pair: number, period: number) => `pair ${pair}: a turn in ${grouped(period)} tokens`,
  seenTo: (rotations: number) =>
    `filled: its angles in training, ${rotations.toFixed(2)} of a turn`,
  hands: "dotted: where it adds most to the score; hand: at the marked distance",
  dial: (pair: number) => `pair ${pair}; filled: its angles in training`,
  rotations: (count: number) => (count === 1 ? "1 turn" : `${count} turns`),
  trainedTo: (distance: number) => `farthest back in training: ${distance} tokens`,
  comesRound: "a ghost: after how many turns of the pair, and how many tokens back",
  looks: (query: string, key: string) => `“${query}” looks at “${key}”`,
  apart: (distance: number, weight: number) =>
    `${grouped(distance)} tokens back: ${(100 * weight).toPrecision(2)}% of its attention`,
  ghosts: "Ghosts, the nearest first",
  ghost: ({ distance, rotations, weight }: Ghost) =>
    `${grouped(distance)} tokens back, after ${rotations === 1 ? "one turn" : `${rotations} turns`}: ${(100 * weight).toPrecision(2)}% of attention on average`,
  scale: "attention weight, on a logarithmic scale; the largest in each dot",
  low: (value: number) => `${(100 * value).toPrecision(1)}%`,
  high: (value: number) => `${Math.round(100 * value)}%`,
  note: (layer: number, head: number, method: string) =>
    `Layer ${layer}, head ${head} of this page’s small models, which were trained on 128 tokens, on a held-out text; computed in this tab. A ghost is a distance, near a crest of the pair, that gets at least 0.2% of attention on average. What goes far back is measured over the second half of the text.${method}`,
  stretched: " Stretched for 16 times the training length, without further training.",
  caveat:
    "Not shown: what the ghosts carry. A head that looks at the wrong word does no harm by itself; the loss at these lengths says what it costs.",
};

export type GhostWords = typeof en;

const zh: GhostWords = {
  name: "长文本里的幻影",
  views: {
    plain: "RoPE",
    without: "RoPE，去掉那一对",
    ntk: "NTK",
    yarn: "YaRN",
    bias: "ALiBi",
  },
  view: "模型",
  title: (name, ghosts, tokens) =>
    ghosts
      ? `${name}：${grouped(tokens)} 个词元里有 ${ghosts} 道幻影`
      : `${name}：${grouped(tokens)} 个词元里没有幻影`,
  droppedTitle: (pair) => `去掉第 ${pair} 对，条带就消失了`,
  tokens: "文本",
  tokensText: (tokens) => `${grouped(tokens)} 个词元`,
  play: "让文本变长",
  stop: "停",
  near: ({ near, nearShare, trained }) =>
    `文本与训练时一样长（${trained} 个词元）时，这个头把 ${percent(nearShare)} 的注意力给了自己和前面 ${near} 个词元。`,
  far: ({ tokens, farShare, trained }) =>
    tokens <= trained
      ? "让文本变长看看。"
      : `读到 ${grouped(tokens)} 个词元时，${farShare < 0.005 ? "几乎没有注意力落到" : `${percent(farShare)} 的注意力落到了`}训练时从没有过的远处。`,
  because: ({ pair, period, trained, ghosts }) =>
    `原因在第 ${pair + 1} 对通道：它每 ${grouped(Math.round(period))} 个词元转一圈，训练时只转过 ${(trained / period).toFixed(2)} 圈。往回数 ${firstOf(ghosts).join("、")}${ghosts.length > 3 ? "……" : ""} 个词元，它差不多转回原处，远处看起来就像近处。`,
  slowed: (name, { pair, period, ghosts }) =>
    `${name} 把第 ${pair + 1} 对放慢到每 ${grouped(Math.round(period))} 个词元转一圈：${ghosts.length ? `幻影变少了，在往回大约 ${firstOf(ghosts).join("、")} 个词元处` : "它不再转回原处，仍落到远处的注意力跟着更快的几对走"}。`,
  dropped: (pair) =>
    `这里只在这一个头里去掉了第 ${pair} 对通道。再没有什么把注意力聚到一起，它散到了所有距离上，哪里几个快的对恰好合拍就看哪里。`,
  bias: "ALiBi 的词离得越远，得分减得越多，没有什么会转回来。",
  axis: "文本，按词元数",
  dot: "每个点是两个词：横看在两词正中，高度就是两词的距离。往右上斜的条纹：后面许多词都看同一个词；往左上斜：一个词看许多词。",
  pair: (pair, period) => `第 ${pair} 对：${grouped(period)} 个词元转一圈`,
  seenTo: (rotations) => `填色：训练时到过的角度，${rotations.toFixed(2)} 圈`,
  hands: "点线：在这里给得分添得最多；指针：选中的距离",
  dial: (pair) => `第 ${pair} 对；填色：训练时到过的角度`,
  rotations: (count) => `${count} 圈`,
  trainedTo: (distance) => `训练时最远往回 ${distance} 个词元`,
  comesRound: "一道幻影：这一对转了几圈，往回多少个词元",
  looks: (query, key) => `“${query}”看“${key}”`,
  apart: (distance, weight) =>
    `往回 ${grouped(distance)} 个词元：${(100 * weight).toPrecision(2)}% 的注意力`,
  ghosts: "幻影，由近到远",
  ghost: ({ distance, rotations, weight }) =>
    `往回 ${grouped(distance)} 个词元，转了 ${rotations} 圈：平均 ${(100 * weight).toPrecision(2)}% 的注意力`,
  scale: "注意力权重，对数刻度；每个点取最大的",
  low: en.low,
  high: en.high,
  note: (layer, head, method) =>
    `本页小模型（训练长度 128 个词元）第 ${layer} 层第 ${head} 个头，读的是没有训练过的文本，在这个标签页里算出。靠近这一对的波峰、平均得到至少 0.2% 注意力的距离，算一道幻影。落到远处的注意力按文本的后一半计算。${method}`,
  stretched: "按训练长度的 16 倍拉长，没有再训练。",
  caveat: "看不出的：幻影带来了什么。一个头看错了词，本身不一定有害；代价要看这些长度上的损失。",
};

export const ghostWords: Bilingual<GhostWords> = { en, zh };

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
  /** Share of what goes far back near its crests. */
  bands: number;
  ghosts: readonly Ghost[];
}

const firstOf = (ghosts: readonly Ghost[]): string[] =>
  ghosts.slice(0, 3).map(({ distance }) => grouped(distance));

const en = {
  name: "Ghosts in a long text",
  views: {
    plain: "RoPE",
    bias: "ALiBi",
    without: "RoPE without hand 7",
    ntk: "RoPE + NTK",
    yarn: "RoPE + YaRN",
  } as Record<GhostView, string>,
  view: "Model",
  title: (name: string, ghosts: number, tokens: number) =>
    `${name}: ${few.en(ghosts)} ghost${ghosts === 1 ? "" : "s"} in ${grouped(tokens)} tokens`,
  droppedTitle: (pair: number) => `Without hand ${pair} the bands are gone`,
  tokens: "Text",
  tokensText: (tokens: number) => `${grouped(tokens)} tokens`,
  play: "Let it grow from 128",
  stop: "Stop",
  near: ({ near, nearShare, trained }: Shares) =>
    `In a text as long as in training, ${trained} tokens, this head gives ${percent(nearShare)} of its attention to the word itself and the ${near} before it.`,
  far: ({ tokens, farShare, trained }: Shares) =>
    tokens <= trained
      ? " Let the text grow."
      : ` In ${grouped(tokens)} tokens, ${farShare < 0.005 ? "next to nothing" : percent(farShare)} goes farther back than anything in training.`,
  because: ({ pair, period, trained, ghosts }: Returning) =>
    ` Hand ${pair + 1} of its clock needs ${grouped(Math.round(period))} tokens for a turn, and training showed it ${(trained / period).toFixed(2)} of one. Each time it comes near the angle at which this head scores highest (dotted line), at about ${firstOf(ghosts).join(", ")}${ghosts.length > 3 ? " …" : ""} tokens back, far looks like near.`,
  slowed: (name: string, { pair, period, ghosts }: Returning) =>
    ` ${name} slows hand ${pair + 1} to a turn in ${grouped(Math.round(period))} tokens: ${ghosts.length ? `fewer ghosts, at about ${firstOf(ghosts).join(", ")} tokens back` : "it does not come round any more, and what still goes far follows faster hands"}.`,
  dropped: ({ pair, bands }: Returning) =>
    ` Hand ${pair + 1} has been taken out of this one head. Nothing gathers the rest into bands any more: to the quarter of all distances where they lay goes ${percent(bands)} of it.`,
  bias: " ALiBi takes off more the farther back a word is: nothing comes round.",
  axis: "the text, in tokens",
  dot: "Each dot is two words: halfway between them, and as high as they are far apart.",
  streak:
    "A streak that rises to the right: many words look at one. To the left: one looks at many.",
  hand: (pair: number, period: number) => `hand ${pair}: a turn in ${grouped(period)} tokens`,
  seen: "trained",
  blank: "blank",
  crest: "dotted: this head scores highest",
  shown: (distance: number) => `hand: ${grouped(distance)} tokens back`,
  dial: (pair: number) => `hand ${pair}; filled: its angles in training`,
  rotations: (pair: number) => `turns of hand ${pair}`,
  back: "tokens back",
  trainedTo: (distance: number) => `farthest back in training: ${distance} tokens`,
  looks: (query: string, key: string) => `“${query}” looks at “${key}”`,
  apart: (distance: number, weight: number) =>
    `${grouped(distance)} tokens back: ${(100 * weight).toPrecision(2)}% of its attention`,
  ghosts: "Ghosts, the nearest first",
  ghost: ({ distance, rotations, weight }: Ghost) =>
    `${grouped(distance)} tokens back, after ${rotations.toFixed(1)} turns: ${(100 * weight).toPrecision(2)}% of attention on average`,
  scale: "attention weight, on a logarithmic scale; a point shows the largest of its pairs",
  low: (value: number) => `${(100 * value).toPrecision(1)}%`,
  high: (value: number) => `${Math.round(100 * value)}%`,
  note: (layer: number, head: number, method: string) =>
    `Layer ${layer}, head ${head} of this page’s small models, which were trained on 128 tokens, on a held-out text; computed in this tab. A hand is a pair of channels. A ghost is a distance, near a crest of the hand, that gets at least 0.2% of attention on average. What goes far back is measured over the second half of the text.${method}`,
  stretched: " Stretched for 16 times the training length, without further training.",
  caveat:
    "Not shown: what the ghosts carry. A head that looks at the wrong word does no harm by itself; the loss at these lengths says what it costs.",
};

export type GhostWords = typeof en;

const zh: GhostWords = {
  name: "长文本里的幻影",
  views: {
    plain: "RoPE",
    bias: "ALiBi",
    without: "RoPE，去掉第 7 根指针",
    ntk: "RoPE + NTK",
    yarn: "RoPE + YaRN",
  },
  view: "模型",
  title: (name, ghosts, tokens) =>
    ghosts
      ? `${name}：${grouped(tokens)} 个词元里有 ${ghosts} 道幻影`
      : `${name}：${grouped(tokens)} 个词元里没有幻影`,
  droppedTitle: (pair) => `去掉第 ${pair} 根指针，横带就消失了`,
  tokens: "文本",
  tokensText: (tokens) => `${grouped(tokens)} 个词元`,
  play: "从 128 个词元长起",
  stop: "停",
  near: ({ near, nearShare, trained }) =>
    `文本与训练时一样长（${trained} 个词元）时，这个头把 ${percent(nearShare)} 的注意力给了自己和前面 ${near} 个词元。`,
  far: ({ tokens, farShare, trained }) =>
    tokens <= trained
      ? "让文本变长看看。"
      : `读到 ${grouped(tokens)} 个词元时，${farShare < 0.005 ? "几乎没有注意力落到" : `${percent(farShare)} 的注意力落到了`}训练时从没有过的远处。`,
  because: ({ pair, period, trained, ghosts }) =>
    `它的钟上，第 ${pair + 1} 根指针每 ${grouped(Math.round(period))} 个词元转一圈，训练时只转过 ${(trained / period).toFixed(2)} 圈。每当它转到这个头得分最高的角度（点线）附近，大约在往回 ${firstOf(ghosts).join("、")}${ghosts.length > 3 ? "……" : ""} 个词元处，远处看起来就像近处。`,
  slowed: (name, { pair, period, ghosts }) =>
    `${name} 把第 ${pair + 1} 根指针放慢到每 ${grouped(Math.round(period))} 个词元转一圈：${ghosts.length ? `幻影变少了，在往回大约 ${firstOf(ghosts).join("、")} 个词元处` : "它不再转回原处，仍落到远处的注意力跟着更快的指针走"}。`,
  dropped: ({ pair, bands }) =>
    `这里只在这一个头里去掉了第 ${pair + 1} 根指针。再没有什么把它们聚成横带：原来横带所在的距离占全部距离的四分之一，现在分到其中的 ${percent(bands)}。`,
  bias: "ALiBi 里，词离得越远，得分扣得越多，没有什么会转回来。",
  axis: "文本，按词元数",
  dot: "每个点是两个词：横看在两词正中，高度就是两词的距离。",
  streak: "往右上斜的条纹：许多词都看同一个词；往左上斜：一个词看许多词。",
  hand: (pair, period) => `第 ${pair} 根指针：${grouped(period)} 个词元转一圈`,
  seen: "练过",
  blank: "空白",
  crest: "点线：这个头得分最高的角度",
  shown: (distance) => `指针：往回 ${grouped(distance)} 个词元`,
  dial: (pair) => `第 ${pair} 根指针；填色：训练时到过的角度`,
  rotations: (pair) => `第 ${pair} 根指针转的圈数`,
  back: "相距（词元）",
  trainedTo: (distance) => `训练时最远往回 ${distance} 个词元`,
  looks: (query, key) => `“${query}”看“${key}”`,
  apart: (distance, weight) =>
    `往回 ${grouped(distance)} 个词元：${(100 * weight).toPrecision(2)}% 的注意力`,
  ghosts: "幻影，由近到远",
  ghost: ({ distance, rotations, weight }) =>
    `往回 ${grouped(distance)} 个词元，转了 ${rotations.toFixed(1)} 圈：平均 ${(100 * weight).toPrecision(2)}% 的注意力`,
  scale: "注意力权重，对数刻度；每个像素取其中最大的权重",
  low: en.low,
  high: en.high,
  note: (layer, head, method) =>
    `本页小模型（训练长度 128 个词元）第 ${layer} 层第 ${head} 个头，读的是没有训练过的文本，在这个标签页里算出。一根指针就是一对通道。靠近这根指针的波峰、平均得到至少 0.2% 注意力的距离，算一道幻影。落到远处的注意力按文本的后一半计算。${method}`,
  stretched: "按训练长度的 16 倍拉长，没有再训练。",
  caveat: "看不出的：幻影带来了什么。一个头看错了词，本身不一定有害；代价要看这些长度上的损失。",
};

export const ghostWords: Bilingual<GhostWords> = { en, zh };

/** Texts of the figure of the sink, in both languages. */
import type { Bilingual } from "../../text/bilingual.js";
import { percent, weight } from "../../text/numbers.js";

export interface Found {
  first: string;
  share: number;
  sinks: number;
  allHeads: number;
}

export interface Strongest {
  query: string;
  key: string;
  share: number;
}

const en = {
  name: "Where the words of a real model look",
  title: ({ first, share }: Found) => `${percent(share)} of the attention runs into “${first}”`,
  titleWithout: "The rest of the attention, without the first token",
  headLabel: "Head",
  heads: ["the same word", "one word back", "no sink"],
  first: "Leave out the first token",
  arcs: "An arc leads back from the word that looks to the word that it looks at; the thicker, the more of its attention. The number at a word: how much of it goes to the first.",
  arcsWithout:
    "An arc leads back from the word that looks to the word that it looks at; the thicker, the more of its attention.",
  row: (word: string, shares: string) => `“${word}” looks at ${shares}`,
  share: (word: string, value: number) => `${word} ${weight(value)}`,
  comma: ", ",
  caption: ({ first, share, sinks, allHeads }: Found) =>
    `In this head, the words from the third on give “${first}” ${percent(share)} of their attention on average, wherever they stand: it is a sink, for attention that is not needed elsewhere. Of the ${allHeads} heads of this model, ${sinks} give it more than half.`,
  captionNoSink: ({ first, share }: Found) =>
    `This head has no sink: only ${percent(share)} goes to “${first}”. Nearly every word looks one word back.`,
  captionWithout: ({ query, key, share }: Strongest) =>
    `The shares of all others, without the first token, so that each row adds up to 1 again. Now the head’s task shows: most of all, “${query}” looks at “${key}” (${weight(share)}).`,
  note: (layer: number, head: number, source: string) =>
    `Layer ${layer}, head ${head} of SmolLM2-135M-Instruct (Apache-2.0), a rotary model with 135 million weights that reads English. Recorded once with this engine, from ${source}; not computed in this tab.`,
  caveat:
    "Not shown: that the model does not need its sink. Taking it away while the model runs would change all that follows; here only the picture leaves it out.",
};

export type SinkWords = typeof en;

const zh: SinkWords = {
  name: "真实模型里每个词看哪里",
  title: ({ first, share }) => `${percent(share)} 的注意力流进了“${first}”`,
  titleWithout: "去掉第一个词元，看其余的注意力",
  headLabel: "头",
  heads: ["找同一个词", "看前一个词", "没有汇聚点"],
  first: "去掉第一个词元",
  arcs: "弧线从看的词往回连到它看的词；越粗，给的注意力越多。词旁的数：它给第一个词多少。",
  arcsWithout: "弧线从看的词往回连到它看的词；越粗，给的注意力越多。",
  row: (word, shares) => `“${word}”看 ${shares}`,
  share: (word, value) => `${word} ${weight(value)}`,
  comma: "、",
  caption: ({ first, share, sinks, allHeads }) =>
    `从第三个词起，这个头的各个词平均把 ${percent(share)} 的注意力给了“${first}”，无论它们在哪里：这是注意力汇聚点（attention sink），别处用不着的注意力都放在这里。这个模型的 ${allHeads} 个头里，有 ${sinks} 个给它的超过一半。`,
  captionNoSink: ({ first, share }) =>
    `这个头没有汇聚点：“${first}”只得到 ${percent(share)}。几乎每个词都看它的前一个词。`,
  captionWithout: ({ query, key, share }) =>
    `这是去掉第一个词元之后其余各词的注意力权重，每一行重新加起来等于 1。这样就看得出这个头在做什么：权重最大的，是“${query}”看“${key}”（${weight(share)}）。`,
  note: (layer, head, source) =>
    `SmolLM2-135M-Instruct（Apache-2.0）第 ${layer} 层第 ${head} 个头。这个模型用 RoPE，有 1.35 亿个参数，只读英文。数据取自 ${source}，用本引擎事先算好，不是在这个标签页里算的。`,
  caveat:
    "图上看不出的：模型是不是真的不需要汇聚点。要是在运行时去掉它，后面的计算全都会变；这里只是在图上去掉。",
};

export const sinkWords: Bilingual<SinkWords> = { en, zh };

/** The words of the figure that splits one logit into terms. */
import type { Bilingual } from "../../text/index.js";
import { asOne } from "../shared/trained/as-one.js";
import { asOneWords } from "../shared/trained/sum-words.js";

const en = {
  name: "Where one score comes from",
  title: (from: string, to: string) => `Why does “${from}” look at “${to}”?`,
  pairs: (scheme: string) =>
    `${scheme}, pair by pair of channels: fast turns on the left, slow on the right`,
  pairsLimit: (limit: string) => `bars reach ±${limit}`,
  caption: (parts: string) =>
    `${parts}. A softmax over the row turns scores into attention weights.`,
  sum: (name: string, terms: string, total: string, error: string) =>
    `${name}: ${terms}, together ${total} (${asOne(asOneWords.en, error)})`,
  rowLabel: "Terms of the chosen score",
  termLabel: (scheme: string, term: string, value: string) => `${scheme}, ${term}: ${value}`,
  wavelength: (tokens: string) => `one turn in ${tokens} tokens`,
  pairLabel: (index: number, value: string, wavelength: string) =>
    `pair ${index}: ${value}${wavelength ? `, ${wavelength}` : ""}`,
  pairGrid: "Share of each channel pair of the rotary score",
  row: "From (row)",
  column: "To (column)",
  caveat:
    "Not shown: the value vectors, which decide what is carried along. For rotation, “content” is the score the same query and key would have at distance 0; position is an angle between them, so the second bar is a difference, not a thing of its own.",
  pick: "Choose a cell in the maps above, or here:",
};

export type TermsWords = typeof en;

const zh: TermsWords = {
  name: "一个得分从哪里来",
  title: (from, to) => `“${from}”为什么看“${to}”？`,
  pairs: (scheme) => `${scheme}，逐对通道拆开：左边转得快，右边转得慢`,
  pairsLimit: (limit) => `条形上下限 ±${limit}`,
  caption: (parts) => `${parts}。一行得分再经 softmax，就成了注意力权重。`,
  sum: (name, terms, total, error) =>
    `${name}：${terms}，合计 ${total}（${asOne(asOneWords.zh, error)}）`,
  rowLabel: "选中得分的各个分项",
  termLabel: (scheme, term, value) => `${scheme}，${term}：${value}`,
  wavelength: (tokens) => `每 ${tokens} 个词元转一圈`,
  pairLabel: (index, value, wavelength) =>
    `第 ${index} 对：${value}${wavelength ? `，${wavelength}` : ""}`,
  pairGrid: "旋转编码得分中每对通道各占多少",
  row: "从（行）",
  column: "到（列）",
  caveat:
    "图上看不出的：值向量，也就是究竟搬走了什么。对旋转编码来说，“内容”是同一对查询和键在距离为 0 时的得分；位置则是两者之间的夹角，所以第二个条形只是个差值，本身并不独立存在。",
  pick: "在上面的图里点一格，或在这里选：",
};

export const termsWords: Bilingual<TermsWords> = { en, zh };

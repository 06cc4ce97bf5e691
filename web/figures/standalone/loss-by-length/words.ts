/** The words of loss by length. */
import type { Bilingual } from "../../../text/index.js";
import { grouped } from "../../../text/numbers.js";

const en = {
  name: "Loss by the length of the test",
  title: "Trained short, tested long: how the loss goes",
  x: "tokens of the test",
  y: "bits per character",
  yGiven: "loss",
  trained: "trained length",
  others: "the others",
  line: (at: number) => `line ${at}`,
  point: (name: string, length: number, value: number) =>
    `${name}, ${grouped(length)} tokens: ${Number.isNaN(value) ? "not defined" : value.toFixed(2)}`,
  caption: (parts: string, from: string, to: string) => `From ${from} tokens to ${to}: ${parts}.`,
  change: (name: string, by: number) => `${name} ${by < 0 ? "−" : "+"}${Math.abs(by).toFixed(2)}`,
  ends: (name: string) => `${name} not defined there`,
  note: (seeds: number) =>
    `Measured by this project beforehand on held-out text: means over ${seeds} seeds, the band from the least to the most.`,
  caveat: "Small models on small texts. What holds here need not hold for large ones.",
  caveatGiven: "Not shown: how the loss was measured.",
};

export type LossWords = typeof en;

const zh: LossWords = {
  name: "损失随测试长度的变化",
  title: "短文训练、长文测试：损失怎么变",
  x: "测试长度（词元数）",
  y: "每字符比特数",
  yGiven: "损失",
  trained: "训练长度",
  others: "其余",
  line: (at) => `第 ${at} 条线`,
  point: (name, length, value) =>
    `${name}，${grouped(length)} 个词元：${Number.isNaN(value) ? "无定义" : value.toFixed(2)}`,
  caption: (parts, from, to) => `从 ${from} 个词元到 ${to} 个：${parts}。`,
  change: (name, by) => `${name} ${by < 0 ? "−" : "+"}${Math.abs(by).toFixed(2)}`,
  ends: (name) => `${name} 在那里无定义`,
  note: (seeds) =>
    `本项目事先在留出文本上测得：取 ${seeds} 个随机种子的平均，色带从最小值到最大值。`,
  caveat: "小模型，小文本；在这里成立的，放到大模型上未必成立。",
  caveatGiven: "损失是怎样测出来的，这里没有画出。",
};

export const lossWords: Bilingual<LossWords> = { en, zh };

/** The words of the map of positions and channels. */
import type { Bilingual } from "../../../text/index.js";
import { cellNumber, grouped } from "../../../text/numbers.js";

const en = {
  name: "What positions add to a token vector: positions across, channels down",
  title: (scheme: string) => `${scheme}: what each position adds, channel by channel`,
  titleGiven: "What each position adds, channel by channel",
  scale: "what is added",
  table: "The numbers as a table, evenly spread",
  corner: "position ↓, channel →",
  cell: (position: number, channel: number, value: number) =>
    `position ${position}, channel ${channel}: ${Number.isNaN(value) ? "nothing" : cellNumber(value)}`,
  caption: (length: number, channels: number, position: number, channel: number, value: number) =>
    `${grouped(length)} positions of ${grouped(channels)} channels. The largest number, ${cellNumber(value)}, is added at position ${position}, channel ${channel}.`,
  initial:
    "This scheme learns its rows: these are the ones that training begins with, drawn from a fixed seed.",
  defined: "Rows as the scheme’s formula gives them.",
  caveat:
    "Control and the wheel, or two fingers, zoom; a drag moves; the small map is brushed. Not shown: what a model makes of these numbers.",
};

export type HeatmapWords = typeof en;

const zh: HeatmapWords = {
  name: "位置给词元向量加了什么：横轴是位置，纵轴是维",
  title: (scheme) => `${scheme}：每个位置在各维上加了多少`,
  titleGiven: "每个位置在各维上加了多少",
  scale: "加上的数",
  table: "数值表（均匀抽取）",
  corner: "位置 ↓，维 →",
  cell: (position, channel, value) =>
    `位置 ${position}，第 ${channel} 维：${Number.isNaN(value) ? "无" : cellNumber(value)}`,
  caption: (length, channels, position, channel, value) =>
    `共 ${grouped(length)} 个位置、${grouped(channels)} 维。最大的数是 ${cellNumber(value)}，在位置 ${position} 的第 ${channel} 维。`,
  initial: "这种方案的位置表要靠训练学出来；这里是训练开始前的初始值，由固定的种子生成。",
  defined: "按这种方案的公式算出。",
  caveat:
    "按住 Ctrl 滚动滚轮或双指捏合即可缩放，拖动可移动，也可以在小图上框选。模型会怎样使用这些数，这里没有画出。",
};

export const heatmapWords: Bilingual<HeatmapWords> = { en, zh };

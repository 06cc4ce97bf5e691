/** Words of zoomed maps, in the lab and by themselves. */
import type { MapWords } from "../../../controls/map-keys.js";
import type { MapPart } from "../../../engine/both/map-messages.js";
import type { Bilingual } from "../../../text/index.js";
import { cellNumber, grouped } from "../../../text/numbers.js";

export interface ZoomWords extends MapWords {
  masked: string;
  cell: (row: number, from: string, column: number, to: string, value: number) => string;
  /** A cell whose number has been requested. */
  arriving: (row: number, from: string, column: number, to: string) => string;
  /** The position of a cell, before its values in several maps. */
  where: (row: number, from: string, column: number, to: string) => string;
  peak: (row: number, from: string, column: number, to: string, value: number) => string;
  parts: Record<MapPart, string>;
  /** Names of the scale by the shown numbers. */
  scales: Record<MapPart, string>;
  /** Name of the scale for numbers that are not shares. */
  given: string;
  difference: string;
  logScale: string;
  hideFirst: string;
  view: string;
  reduce: string;
  reduces: Record<"max" | "mean", string>;
  open: string;
  dropped: string;
  log: (label: string) => string;
  layer: string;
  head: string;
  heads: string;
  headName: (head: number) => string;
  part: string;
  cancel: string;
  computing: (done: number, total: number) => string;
}

/** A token in quotes, if the side has tokens. */
const quoted: Bilingual<(token: string) => string> = {
  en: (token) => (token ? ` “${token}”` : ""),
  zh: (token) => (token ? `“${token}”` : ""),
};

const en: ZoomWords = {
  closer: "Closer",
  farther: "Farther",
  whole: "Whole map",
  zoom: "Zoom",
  keys: "Arrow keys move from cell to cell, with Shift they move the view. Plus and minus zoom, 0 shows the whole map.",
  cells: (rows, columns) => `${grouped(rows)} × ${grouped(columns)} cells.`,
  masked: "masked",
  stands: (reduce, side) =>
    reduce === "max"
      ? `Each point shows the largest of ${side} × ${side} cells.`
      : `Each point shows the mean of ${side} × ${side} cells.`,
  cell: (row, from, column, to, value) =>
    !Number.isNaN(value)
      ? `row ${row} ${from} → column ${column} ${to}: ${cellNumber(value)}`
      : `row ${row} ${from} → column ${column} ${to}: masked`,
  arriving: (row, from, column, to) =>
    `row ${row} ${from} → column ${column} ${to}: its number is being fetched`,
  where: (row, from, column, to) =>
    `Row ${row}${quoted.en(from)} → column ${column}${quoted.en(to)}: `,
  peak: (row, from, column, to, value) =>
    `Largest: ${cellNumber(value)}, row ${row}${quoted.en(from)} → column ${column}${quoted.en(to)}.`,
  parts: { weights: "weights", sum: "scores", content: "content", position: "position" },
  scales: {
    weights: "attention weight",
    sum: "score before the softmax",
    content: "what content adds to the score",
    position: "what position adds to the score",
  },
  given: "the numbers as given",
  difference: "difference",
  logScale: "logarithmic scale",
  hideFirst: "leave the first token out",
  view: "Show",
  reduce: "Where a point is many cells",
  reduces: { max: "the largest", mean: "the mean" },
  open: "Open a file …",
  dropped: "or drop it here: JSON, NPY or CSV of weights. It stays in this tab.",
  log: (label) => `${label}, logarithmic`,
  layer: "Layer",
  head: "Head",
  heads: "Heads: choose one",
  headName: (head) => `head ${head}`,
  part: "What",
  cancel: "Cancel",
  computing: (done, total) => `Computing: ${done} of ${total} maps`,
};

const zh: ZoomWords = {
  closer: "放大",
  farther: "缩小",
  whole: "整张图",
  zoom: "缩放",
  keys: "方向键逐格移动，按住 Shift 则移动视野；加号、减号缩放，0 显示整张图。",
  cells: (rows, columns) => `${grouped(rows)} × ${grouped(columns)} 格。`,
  masked: "被掩码挡住",
  stands: (reduce, side) =>
    reduce === "max"
      ? `一个点代表 ${side} × ${side} 格，显示其中的最大值。`
      : `一个点代表 ${side} × ${side} 格，显示它们的平均值。`,
  cell: (row, from, column, to, value) =>
    !Number.isNaN(value)
      ? `第 ${row} 行 ${from} → 第 ${column} 列 ${to}：${cellNumber(value)}`
      : `第 ${row} 行 ${from} → 第 ${column} 列 ${to}：被掩码挡住`,
  arriving: (row, from, column, to) => `第 ${row} 行 ${from} → 第 ${column} 列 ${to}：正在读取`,
  where: (row, from, column, to) =>
    `第 ${row} 行${quoted.zh(from)} → 第 ${column} 列${quoted.zh(to)}：`,
  peak: (row, from, column, to, value) =>
    `最大值 ${cellNumber(value)}：第 ${row} 行${quoted.zh(from)} → 第 ${column} 列${quoted.zh(to)}。`,
  parts: { weights: "权重", sum: "得分", content: "内容", position: "位置" },
  scales: {
    weights: "注意力权重",
    sum: "softmax 之前的得分",
    content: "得分中的内容分项",
    position: "得分中的位置分项",
  },
  given: "给定的数值",
  difference: "两者之差",
  logScale: "对数刻度",
  hideFirst: "略去第一个词元",
  view: "显示",
  reduce: "一个点代表多格时",
  reduces: { max: "取最大值", mean: "取平均值" },
  open: "打开文件……",
  dropped: "也可以拖到这里：JSON、NPY 或 CSV 格式的注意力权重。数据不会离开这个标签页。",
  log: (label) => `${label}（对数）`,
  layer: "层",
  head: "头",
  heads: "注意力头：点选一个",
  headName: (head) => `第 ${head} 个头`,
  part: "看什么",
  cancel: "取消",
  computing: (done, total) => `正在计算：共 ${total} 张图，已完成 ${done} 张`,
};

export const zoomWords: Bilingual<ZoomWords> = { en, zh };

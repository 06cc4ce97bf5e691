/** The words of the gallery: of its cards, the open scheme and its pictures. */

import type { CostAnswer } from "../../engine/both/messages.js";
import type { Bilingual, Text } from "../../text/index.js";
import { costShare, counted, grouped, plain, timesZh } from "../../text/numbers.js";
import type { SharedWords } from "../shared/figure/words.js";
import { asOne } from "../shared/trained/as-one.js";
import { asOneWords } from "../shared/trained/sum-words.js";
import { cardWords } from "./card-words.js";

const en = {
  ...cardWords.en,
  endless: "defined at every distance",
  holds: (holds: boolean): string => (holds ? ": yes" : ": no"),
  cost: {
    sizes: ({ tokens, numHeads, headDim, numLayers }: CostAnswer) =>
      `${grouped(tokens)} tokens, ${numHeads} heads of ${headDim} channels, ${numLayers} layers`,
    parameters: "extra parameters",
    operations: "extra operations",
    cache: "KV cache",
    none: "none",
    numbers: (value: number) => grouped(value),
    once: (value: number) => `${counted(value, "en")}, once`,
    layer: (value: number, of: number) =>
      `${counted(value, "en")} a layer, ${costShare(value / of)} of attention’s own`,
    unused: "not in use",
    bytes: (value: number) => `${grouped(value)} bytes a token and layer, in float32`,
  },
  formula: "Formula",
  encodingRead: "across: position; down: channel",
  encodingCell: (position: number, channel: number, value: number) =>
    `position ${position} channel ${channel}: ${plain(value)}`,
  dialsRead: "across: position; on the right: tokens for one full turn",
  dial: (pair: number, position: number, radians: number, tokens: string) =>
    `pair ${pair} at position ${position}: turned by ${radians.toFixed(2)} radians, one turn in ${tokens} tokens`,
  left: "score of two equal vectors (1 at distance 0)",
  headName: (head: number) => `head ${head}`,
  biasMap: (head: number) => `head ${head}, 24 positions`,
  biasCell: (row: number, column: number, value: number) =>
    `query ${row} key ${column}: ${plain(value)}`,
  biasMasked: (row: number, column: number) => `query ${row} key ${column}: masked`,
  curves: "Bias by distance, one line for each head",
  curvePoint: (distance: number, values: number[]) =>
    `${distance} tokens back: ${values.map(plain).join(", ")}`,
  channelName: (channel: number) => `channel ${channel}`,
  gridRead: {
    encoding: (side: number) => `${side} × ${side} cells, a map for each channel (16 of them)`,
    rotation: (side: number) =>
      `${side} × ${side} cells: what becomes of a vector of ones, by channel`,
    bias: (side: number) =>
      `${side} × ${side} cells, seen from the framed one, a map for each head`,
  },
  gridMap: (name: string, min: string, max: string) => `${name}: from ${min} to ${max}`,
  mapTitleOfGrid: (head: number, side: number) =>
    `Head ${head} on ${side} × ${side} cells, untrained weights`,
  gridLabels: "cells are named row,column from 0",
  mapTitle: (head: number) => `Head ${head} on this text, untrained weights`,
  addedTitle: (isNothing: boolean): string =>
    isNothing ? "Before training, position adds nothing" : "What position adds to each score",
  addedCell: (row: number, from: string, to: string, value: number) =>
    `row ${row} ${from} → ${to} ${plain(value)}`,
  sumTitle: (from: string, to: string) => `The score of “${from}” for “${to}”`,
  caption: (from: string, to: string, terms: string, total: string, error: string) =>
    `From “${from}” to “${to}”: ${terms}; together ${total} (${asOne(asOneWords.en, error)}).`,
  head: "Head",
  slider: (key: string) => `${key}, slider`,
  defaults: "Back to the defaults",
  allOptions: (more: number) => `All options (${more} more)`,
  empty: "(none)",
  shortened: (max: number) =>
    `Only the first ${max} words are read: further on the scheme is not defined. `,
  note: (seed: number, isCausal: boolean) =>
    `One layer of four heads with 16 channels each, ${isCausal ? "causal" : "without a mask"}; untrained weights, seed ${seed}. What a scheme would learn stands at its first value.`,
  caveat:
    "Not shown: what training makes of it. With random weights the words’ share of a score is chance; the shape of what position adds is the scheme’s own.",
};

export type GalleryWords = typeof en;

const zh: GalleryWords = {
  ...cardWords.zh,
  endless: "再远也有定义",
  holds: (holds) => (holds ? "：是" : "：否"),
  cost: {
    sizes: ({ tokens, numHeads, headDim, numLayers }) =>
      `${grouped(tokens)} 个词元，${numHeads} 个头，每头 ${headDim} 维，${numLayers} 层`,
    parameters: "为位置训练的参数",
    operations: "额外运算",
    cache: "KV 缓存",
    none: "无",
    numbers: (value) => `${grouped(value)} 个`,
    once: (value) => `共 ${timesZh(value)}，只算一遍`,
    layer: (value, of) => `每层 ${timesZh(value)}，相当于注意力本身的 ${costShare(value / of)}`,
    unused: "不使用",
    bytes: (value) => `每层每个词元 ${grouped(value)} 字节（float32）`,
  },
  formula: "公式",
  encodingRead: "横向是位置，纵向是维",
  encodingCell: (position, channel, value) => `位置 ${position}，第 ${channel} 维：${plain(value)}`,
  dialsRead: "横向是位置；右边是转满一圈所需的词元数",
  dial: (pair, position, radians, tokens) =>
    `第 ${pair} 对，位置 ${position}：转了 ${radians.toFixed(2)} 弧度，每 ${tokens} 个词元转一圈`,
  left: "两个相同向量的得分（距离 0 处为 1）",
  headName: (head) => `头 ${head}`,
  biasMap: (head) => `第 ${head} 个头，24 个位置`,
  biasCell: (row, column, value) => `查询 ${row}，键 ${column}：${plain(value)}`,
  biasMasked: (row, column) => `查询 ${row}，键 ${column}：被掩码挡住`,
  curves: "偏置随距离的变化，每个头一条线",
  curvePoint: (distance, values) => `回看 ${distance} 个词元：${values.map(plain).join("，")}`,
  channelName: (channel) => `第 ${channel} 维`,
  gridRead: {
    encoding: (side) => `${side} × ${side} 个格子，每维一张图（取 16 维）`,
    rotation: (side) => `${side} × ${side} 个格子：全 1 的向量转成了什么，每维一张图`,
    bias: (side) => `${side} × ${side} 个格子，从加框的那一格看出去，每个头一张图`,
  },
  gridMap: (name, min, max) => `${name}：从 ${min} 到 ${max}`,
  mapTitleOfGrid: (head, side) => `第 ${head} 个头读 ${side} × ${side} 个格子（权重未经训练）`,
  gridLabels: "格子标作“行,列”，从 0 数起",
  mapTitle: (head) => `第 ${head} 个头读这段文字（权重未经训练）`,
  addedTitle: (isNothing) => (isNothing ? "训练之前，位置什么也没加" : "位置给每个得分加上了什么"),
  addedCell: (row, from, to, value) => `第 ${row} 行 ${from} → ${to} ${plain(value)}`,
  sumTitle: (from, to) => `“${from}”对“${to}”的得分`,
  caption: (from, to, terms, total, error) =>
    `从“${from}”到“${to}”：${terms}；合计 ${total}（${asOne(asOneWords.zh, error)}）。`,
  head: "头",
  slider: (key) => `${key}，滑块`,
  defaults: "恢复默认值",
  allOptions: (more) => `全部选项（另有 ${more} 个）`,
  empty: "（空）",
  shortened: (max) => `只读前 ${max} 个词：再往后，这种方案没有定义。`,
  note: (seed, isCausal) =>
    `一层，四个头，每头 16 维，${isCausal ? "带因果掩码" : "不加掩码"}；权重未经训练，随机种子 ${seed}。要靠学习得到的参数，都还是初始值。`,
  caveat:
    "图上看不出的：训练之后会怎样。权重是随机的，得分里属于词的那部分全凭运气；位置加上去的那部分是什么形状，才是方案本身决定的。",
};

/** Texts of the gallery's pictures: its own, those of several figures, and those of the page. */
export interface GalleryTexts {
  gallery: GalleryWords;
  shared: SharedWords;
  page: Text;
}

export const galleryWords: Bilingual<GalleryWords> = { en, zh };

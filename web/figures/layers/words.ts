/** Texts of the figure of a model's layers, in both languages. */
import type { Bilingual } from "../../text/bilingual.js";
import { grouped } from "../../text/numbers.js";

/** What one layer does about position. */
export interface LayerFacts {
  /** Names of its schemes; empty if it has none. */
  schemes: readonly string[];
  base?: number;
  scaling?: { kind: string; factor: number };
  /** Share of the channels that are rotated, below 1. */
  rotated?: number;
  /** Tokens that a query sees: those of a window, or of its chunk. */
  sees?: number;
  isChunk: boolean;
  /** Taps of a convolution in place of attention. */
  taps: number;
  /** The gated delta rule in place of attention. */
  isDelta: boolean;
  /** Mamba-2 in place of attention. */
  isMamba: boolean;
  hasNorm: boolean;
}

/** How many layers do the same, for a sentence. */
export interface Kind {
  count: number;
  text: string;
}

const scaled = ({ kind, factor }: NonNullable<LayerFacts["scaling"]>) =>
  factor > 1 ? `${kind} × ${grouped(factor)}` : kind;

const en = {
  name: "What each layer of a model does about position",
  models: "Model",
  given: "config.json",
  title: (layers: number, kinds: number) =>
    kinds === 1 ? `All ${layers} layers do the same` : `${layers} layers of ${kinds} kinds`,
  axis: "How many tokens back a query sees",
  all: "all",
  none: "no positions",
  layer: (at: number, text: string) => `Layer ${at}: ${text}`,
  facts: ({ schemes, base, scaling, rotated, sees, isChunk, ...others }: LayerFacts) =>
    others.isDelta
      ? "gated delta rule: a state that fades, no attention"
      : others.isMamba
        ? "Mamba-2: a state that fades, no attention"
        : others.taps
          ? `convolution over ${others.taps} tokens, no attention`
          : [
              schemes.join(" + ") || en.none,
              ...(rotated === undefined ? [] : [`${Math.round(rotated * 100)}% of the channels`]),
              ...(base === undefined ? [] : [`base ${grouped(base)}`]),
              ...(scaling ? [scaled(scaling)] : []),
              sees === undefined
                ? "all tokens"
                : isChunk
                  ? `chunks of ${grouped(sees)}`
                  : `the last ${grouped(sees)} tokens`,
            ].join(", "),
  kind: ({ count, text }: Kind, layers: number) => `${count} of ${layers}: ${text}`,
  caption: (kinds: readonly Kind[], layers: number) =>
    `${kinds.map((kind) => en.kind(kind, layers)).join(". ")}.`,
  sinks: " Each head has a learned sink, to which attention may go that is needed nowhere.",
  norm: " Queries and keys are brought to one length before their product (QK-norm).",
  note: (source: string) => `Read from the config.json of ${source}, without its weights.`,
  noteGiven: "Read from the given config.json, without the model’s weights.",
  caveat:
    "Not shown: what the layers learned. A layer that may see all tokens need not look far, and one without positions still has the mask.",
  open: "Open a config.json",
  dropped: "or drop it here: of any family that the package opens. It stays in this tab.",
  columns: ["Layer", "What it does", "Sees (tokens)"],
};

export type LayersWords = typeof en;

const zh: LayersWords = {
  name: "模型的每一层怎样对待位置",
  models: "模型",
  given: "config.json",
  title: (layers, kinds) => (kinds === 1 ? `${layers} 层都一样` : `${layers} 层，共 ${kinds} 种`),
  axis: "一个查询往回看得到多少词元",
  all: "全部",
  none: "不加位置编码",
  layer: (at, text) => `第 ${at} 层：${text}`,
  facts: ({ schemes, base, scaling, rotated, sees, isChunk, ...others }) =>
    others.isDelta
      ? "门控 delta 规则：逐步衰减的状态，没有注意力"
      : others.isMamba
        ? "Mamba-2：逐步衰减的状态，没有注意力"
        : others.taps
          ? `对 ${others.taps} 个词元做卷积，没有注意力`
          : [
              schemes.join(" + ") || zh.none,
              ...(rotated === undefined ? [] : [`只转 ${Math.round(rotated * 100)}% 的通道`]),
              ...(base === undefined ? [] : [`基数 ${grouped(base)}`]),
              ...(scaling ? [scaled(scaling)] : []),
              sees === undefined
                ? "看全部词元"
                : isChunk
                  ? `每 ${grouped(sees)} 个词元一块`
                  : `只看最近 ${grouped(sees)} 个词元`,
            ].join("，"),
  kind: ({ count, text }, layers) => `${layers} 层中有 ${count} 层：${text}`,
  caption: (kinds, layers) => `${kinds.map((kind) => zh.kind(kind, layers)).join("；")}。`,
  sinks: "每个头都有一个学到的汇聚点，别处用不着的注意力可以放在那里。",
  norm: "查询和键在相乘之前先归一到同样的长度（QK-norm）。",
  note: (source) => `读自 ${source} 的 config.json，没有用到权重。`,
  noteGiven: "读自所给的 config.json，没有用到模型的权重。",
  caveat:
    "图上看不出的：各层学到了什么。看得到全部词元的层未必看得远；不加位置编码的层也还有掩码。",
  open: "打开 config.json",
  dropped: "或拖到这里：这个包支持的任何一族都行。文件只留在这个标签页里。",
  columns: ["层", "做什么", "看得到（词元）"],
};

export const layersWords: Bilingual<LayersWords> = { en, zh };

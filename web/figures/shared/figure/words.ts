/** Words of several figures: on the trained models, the terms of a logit, losses by length. */
import type { Bilingual } from "../../../text/index.js";
import { few, megabytes } from "../../../text/numbers.js";

const en = {
  models: {
    /** The initial text. */
    text: "And God said, Let there be light: and there was light.",
    /** Two orders of the same words, and a longer sentence. */
    examples: [
      "And God said, Let there be light: and there was light.",
      "The man saw the king",
      "The king saw the man",
      "I would eat of the fruit",
      "When I was a child I would eat of the fruit",
    ],
    loading: (models: number, loaded: number, total: number) =>
      total
        ? `Fetching ${few.en(models)} small models: ${megabytes(loaded)} of ${megabytes(total)} MB`
        : `Fetching ${few.en(models)} small models: ${megabytes(loaded)} MB`,
    /** Shown without a text. */
    empty: "Type something.",
    asleep: (models: number) => {
      const text = `${few.en(models)} small models come when you scroll here.`;
      return text.charAt(0).toUpperCase() + text.slice(1);
    },
  },
  terms: {
    names: {
      content: "content",
      rotation: "rotation",
      position: "position",
      distance: "distance",
      bias: "distance bias",
      alibi: "distance bias",
      wordWord: "word · word",
      wordPosition: "word · position",
      positionWord: "position · word",
      positionPosition: "position · position",
      temperature: "temperature",
      kernel: "kernel",
      window: "window",
      cosines: "cosines",
      bucket: "bucket",
      interpolation: "interpolation",
      contextual: "counted gates",
      forgetting: "forgetting",
      conditioned: "curves it chose",
      polar: "lengths and angles",
      remapping: "other distances",
      relativeKey: "relative key",
      relativeQuery: "relative query",
      positions: "positions",
      cosine: "cosine",
      contentToPosition: "content → position",
      positionToContent: "position → content",
      queryDistance: "query · distance",
      keyBias: "key bias",
      distanceBias: "distance bias",
    } as Record<string, string>,
    total: "score",
  },
  /** Folder of the schemes' pages, relative to the article, and the text of a link to one. */
  pages: { folder: "schemes/", name: "All about it" },
  distance: "tokens back",
  lengths: {
    trained: "trained length",
    notDefined: (name: string) => `${name}: not defined`,
    undefined: "not defined",
    change: (name: string, by: number) => `${name} ${by < 0 ? "−" : "+"}${Math.abs(by).toFixed(2)}`,
    schemes: "Schemes",
    scheme: "Scheme",
  },
  /** Name of the scheme that the reader has written. */
  formula: "your formula",
};

export type SharedWords = typeof en;

const zh: SharedWords = {
  models: {
    text: "床前明月光，疑是地上霜。举头望明月，低头思故乡。",
    examples: [
      "床前明月光，疑是地上霜。举头望明月，低头思故乡。",
      "猫吃鱼",
      "鱼吃猫",
      "我喜欢吃苹果",
      "小时候我喜欢吃苹果",
    ],
    loading: (models, loaded, total) =>
      total
        ? `正在下载${few.zh(models)}个小模型：${megabytes(loaded)} / ${megabytes(total)} MB`
        : `正在下载${few.zh(models)}个小模型：${megabytes(loaded)} MB`,
    empty: "请输入一些文字。",
    asleep: (models) => `滚动到这里时才下载${few.zh(models)}个小模型。`,
  },
  terms: {
    names: {
      content: "内容",
      rotation: "旋转",
      position: "位置",
      distance: "距离",
      bias: "距离偏置",
      alibi: "距离偏置",
      wordWord: "词 · 词",
      wordPosition: "词 · 位置",
      positionWord: "位置 · 词",
      positionPosition: "位置 · 位置",
      temperature: "温度",
      kernel: "核函数",
      window: "窗口",
      cosines: "余弦",
      bucket: "分桶",
      interpolation: "插值",
      contextual: "门控计数",
      forgetting: "遗忘",
      conditioned: "自选曲线",
      polar: "长度与角度",
      remapping: "换过的距离",
      relativeKey: "相对位置的键",
      relativeQuery: "相对位置的查询",
      positions: "位置",
      cosine: "余弦",
      contentToPosition: "内容 → 位置",
      positionToContent: "位置 → 内容",
      queryDistance: "查询 · 距离",
      keyBias: "键的偏置",
      distanceBias: "距离偏置",
    },
    total: "得分",
  },
  pages: { folder: "zh/schemes/", name: "详细介绍" },
  distance: "回看的词元数",
  lengths: {
    trained: "训练长度",
    notDefined: (name) => `${name}：无定义`,
    undefined: "无定义",
    change: (name, by) => `${name} ${by < 0 ? "−" : "+"}${Math.abs(by).toFixed(2)}`,
    schemes: "方案",
    scheme: "方案",
  },
  formula: "你的公式",
};

export const sharedWords: Bilingual<SharedWords> = { en, zh };

/** Words of the elements that draw numbers of any origin. */
import type { Bilingual } from "../../../text/index.js";

const en = {
  loading: "Reading …",
  awaited: "Waiting for its numbers.",
  failed: "This figure has nothing to show",
  /** Cause and advice by the failure's code. */
  causes: {
    invalid_property: "",
    malformed_data: "The figure cannot read the numbers that it was given.",
    malformed_map: "The figure cannot read the numbers that it was given.",
    invalid_argument: "The engine refuses what the attributes ask for.",
    unsupported: "The engine refuses what the attributes ask for.",
    unknown_scheme: "The engine knows no such scheme.",
    unknown_option: "The engine refuses what the attributes ask for.",
  } as Record<string, string>,
  cure: "Change the attributes or the numbers; the element’s documentation says which it takes.",
  /** Shown under a picture of given numbers. */
  given: "Numbers that were given to this figure, as they are.",
  table: "The numbers as a table",
  layer: "Layer",
  head: (head: number) => `head ${head}`,
  beyond: (name: string, asked: number, count: number) =>
    ` ${name} is ${asked}, and there ${count > 1 ? "are" : "is"} ${count}, counted from 0: this is the last one.`,
};

export type DataWords = typeof en;

const zh: DataWords = {
  loading: "正在读取……",
  awaited: "等待数据。",
  failed: "这张图暂时画不出来",
  causes: {
    invalid_property: "",
    malformed_data: "给这张图的数据读不懂。",
    malformed_map: "给这张图的数据读不懂。",
    invalid_argument: "引擎不接受这组属性。",
    unsupported: "引擎不接受这组属性。",
    unknown_scheme: "引擎里没有这种方案。",
    unknown_option: "引擎不接受这组属性。",
  },
  cure: "请改动属性或数据；支持哪些，见这个元素的说明。",
  given: "外部给定的数据，原样画出。",
  table: "数值表",
  layer: "层",
  head: (head) => `第 ${head} 个头`,
  beyond: (name, asked, count) =>
    `${name} 是 ${asked}，而从 0 数起只有 ${count} 个：这里显示最后一个。`,
};

export const dataWords: Bilingual<DataWords> = { en, zh };

/** Texts of the whole page: bar, actions, scales, failures. */
import type { Language } from "../defaults.js";
import type { Bilingual } from "./bilingual.js";
import { type ExpectedWords, expectedWords } from "./expected.js";
import { measured, weight } from "./numbers.js";

const en = {
  htmlLang: "en",
  locale: "en",
  pageTitle: "Whereformer: how a transformer knows where a word is",
  bar: {
    label: "Page settings",
    contents: "Contents",
    otherLanguage: "中文",
    otherLanguageLabel: "中文：切换到简体中文",
    otherLanguageTag: "zh-Hans",
    otherLanguageKey: "zh" as Language,
    toDark: "Dark",
    toLight: "Light",
    toDarkLabel: "Dark: switch to dark colours",
    toLightLabel: "Light: switch to light colours",
    site: "Site",
    essay: "The essay",
    tools: "Tools",
  },
  actions: {
    label: "Take this figure with you",
    link: "Link",
    linked: "Link copied",
    linkShown: "The address bar now has the link",
    code: "Code",
    hideCode: "Hide code",
    copy: "Copy",
    copied: "Copied",
    png: "PNG",
    svg: "SVG",
    csv: "CSV",
  },
  scale: {
    weight: "attention weight",
    difference: "difference of weights",
    masked: "masked: may not be looked at",
    query: "rows look (query)",
    key: "columns are looked at (key)",
  },
  cell: (row: number, from: string, to: string, value: number) =>
    `row ${row} ${from} → ${to} ${weight(value)}`,
  cellMasked: (row: number, from: string, to: string) => `row ${row} ${from} → ${to} masked`,
  cellDifference: (row: number, from: string, to: string, value: number) =>
    `row ${row} ${from} → ${to} difference ${value < 0 ? "−" : ""}${measured(Math.abs(value))}`,
  /**
   * Separators of items in a list, of parts that contain commas, of sentences, and of words in a
   * sentence.
   */
  join: { words: " ", items: ", ", parts: "; ", sentences: " " },
  /** Limits of a choice of several. */
  several: (min: number, max: number) => ` (${min} to ${max} at once)`,
  /** Below a field: example texts, and the reader's previous text. */
  examples: { label: "Try", previous: "your own text again" },
  /** A field that has reached its maximum length. */
  full: (max: number) => `A field holds ${max} characters; what is beyond them was not taken.`,
  /** Summary of what the essay folds under a figure. */
  more: "More: controls, notes, code, data",
  keys: "Arrow keys move from cell to cell, Home and End along the row.",
  waiting: "Computing …",
  failure: {
    title: "This figure has nothing to show",
    causes: {
      network: "The file did not arrive.",
      offline: "The file did not arrive: this device is offline and does not have it yet.",
      worker: "The browser did not start the worker that computes the figures.",
      worker_stopped: "The worker that computes the figures has stopped.",
      unsupported: "This browser lacks WebAssembly SIMD, which the engine needs.",
      malformed_file: "The file arrived, but its contents are wrong.",
      malformed_map: "This is not a map of numbers.",
      out_of_memory: "The browser gave no more memory.",
      invalid_argument: "The engine refuses these options.",
      other: "The engine reported an error.",
    } as Record<string, string>,
    otherOptions: "Change an option below.",
    otherProperty:
      "Change the property or the attribute of this element: it then draws itself anew.",
    property: expectedWords.en as ExpectedWords,
    otherNumbers: "Give it a square or a rectangle of numbers: JSON, NPY or CSV.",
    cure: "Reload the page; everything else on it works without this figure.",
    offlineCure: "Try again when there is a network; the rest of the page works without it.",
    again: "Try again",
  },
};

export type Text = typeof en;

const zh: Text = {
  htmlLang: "zh-Hans",
  locale: "zh",
  pageTitle: "Whereformer：Transformer 怎样知道一个词在哪里",
  bar: {
    label: "页面设置",
    contents: "目录",
    otherLanguage: "English",
    otherLanguageLabel: "English: switch to English",
    otherLanguageTag: "en",
    otherLanguageKey: "en",
    toDark: "深色",
    toLight: "浅色",
    toDarkLabel: "深色：换成深色背景",
    toLightLabel: "浅色：换成浅色背景",
    site: "网站",
    essay: "文章",
    tools: "工具",
  },
  actions: {
    label: "带走这张图",
    link: "链接",
    linked: "链接已复制",
    linkShown: "链接已写入地址栏",
    code: "代码",
    hideCode: "收起代码",
    copy: "复制",
    copied: "已复制",
    png: "PNG",
    svg: "SVG",
    csv: "CSV",
  },
  scale: {
    weight: "注意力权重",
    difference: "权重之差",
    masked: "被掩码挡住，看不到",
    query: "行：在看的词元（查询）",
    key: "列：被看的词元（键）",
  },
  cell: (row, from, to, value) => `第 ${row} 行 ${from} → ${to} ${weight(value)}`,
  cellMasked: (row, from, to) => `第 ${row} 行 ${from} → ${to} 被掩码挡住`,
  cellDifference: (row, from, to, value) =>
    `第 ${row} 行 ${from} → ${to} 相差 ${value < 0 ? "−" : ""}${measured(Math.abs(value))}`,
  join: { words: "", items: "，", parts: "；", sentences: "" },
  several: (min, max) => `（可选 ${min} 至 ${max} 个）`,
  examples: { label: "试试", previous: "换回你的文字" },
  full: (max) => `最多 ${max} 个字符，多出的没有收下。`,
  more: "更多：选项、说明、代码、数据",
  keys: "方向键逐格移动，Home 和 End 跳到行首行尾。",
  waiting: "正在计算……",
  failure: {
    title: "这张图暂时画不出来",
    causes: {
      network: "文件没有下载成功。",
      offline: "文件没有下载成功：设备现在没有联网，本地也还没有存过它。",
      worker: "浏览器没能启动负责计算的后台线程。",
      worker_stopped: "负责计算的后台线程中断了。",
      unsupported: "引擎需要 WebAssembly SIMD，这个浏览器不支持。",
      malformed_file: "文件下载到了，但内容不对。",
      malformed_map: "这不是一张由数字组成的图。",
      out_of_memory: "浏览器分配不出更多内存。",
      invalid_argument: "引擎不接受这组选项。",
      other: "引擎报告了一个错误。",
    },
    otherOptions: "请在下面改动选项。",
    otherProperty: "请改动这个元素的属性，改好后它会重新画出来。",
    property: expectedWords.zh,
    otherNumbers: "请换成由数字排成的方阵或矩阵：JSON、NPY 或 CSV。",
    cure: "请重新载入页面；没有这张图，页面的其余部分照常可用。",
    offlineCure: "等有网络时再试；页面的其余部分不联网也照常可用。",
    again: "再试一次",
  },
};

export const pageWords: Bilingual<Text> = { en, zh };

/**
 * Describes in words the valid values of a property, or of a number in one, and an invalid value.
 */
import type { Bilingual } from "./bilingual.js";

/** Limits, choices and counts for the words. */
export interface Bounds {
  min?: number;
  max?: number;
  choices?: string;
}

const en = {
  sentence: (property: string, value: string, expected: string) =>
    `${property}: ${value} (expected ${expected}).`,
  kinds: {
    whole: ({ min = 0, max }: Bounds) =>
      max === undefined ? `a whole number from ${min}` : `a whole number from ${min} to ${max}`,
    even: ({ min, max }: Bounds) => `an even number from ${min} to ${max}`,
    positive: ({ max }: Bounds) =>
      max === undefined ? "a number above 0" : `a number above 0, up to ${max}`,
    number: ({ min }: Bounds) => `a number from ${min}`,
    one: ({ choices }: Bounds) => `one of ${choices}`,
    some: ({ choices }: Bounds) => `some of ${choices}, with spaces between them`,
    text: () => "a text",
    id: () => "the id of a scheme",
    address: () => "an address of a file or a folder",
    file: () =>
      "the address of a file of numbers: a page of HTML came from there, as some servers send for a file that is missing",
    flag: () => "true or false",
    ids: () => "ids with spaces between them, or a list of them",
    tokens: ({ max }: Bounds) =>
      max === undefined
        ? "a list of texts or of ids"
        : `a list of ${max} texts or ids, one for each cell`,
    token: () => "a text or an id",
    numbers: ({ max }: Bounds) => `${max} whole numbers`,
    order: ({ choices }: Bounds) => `the numbers ${choices} in some order`,
    object: () => "an object, as a config.json is",
    scaling: () => "the name of a scaling, or an object as rope_scaling is",
    files: () => "a list of files",
    map: () => "lists of numbers, [T, S], [H, T, S] or [L, H, T, S], or { data, shape }",
    rows: () => "one map, [positions, channels], as lists of numbers or { data, shape }",
    shape: () => "[T, S], [H, T, S] or [L, H, T, S], of whole numbers from 1",
    square: () => "a square: as many rows as columns",
    side: ({ max }: Bounds) => `no longer than ${max} on a side`,
    amount: ({ max }: Bounds) => `no more than ${max} numbers`,
    count: ({ max, choices }: Bounds) => `${max} numbers, as ${choices} has`,
    alike: ({ max, choices }: Bounds) => `a list of ${max}, as long as ${choices}`,
    squares: ({ max }: Bounds) => `maps of ${max} × ${max}, or { data, shape }`,
    cell: () => "a number; null or NaN where it is masked",
    any: () => "numbers of which at least one is not masked",
    curves: () => "lists of numbers, lists by name, or { x, lines: [{ name, values, low, high }] }",
    heads: () =>
      "lists of layers by name, each with a number for every head, or { data, shape } by name",
    list: () => "a list of numbers",
    value: () => "a number, or null for a gap",
    rising: () => "a number from 0, larger than the one before it",
    max: ({ max }: Bounds) => `a list of 1 to ${max}`,
    cache: () =>
      "{ name, numbers }, { name, kvHeads, headDim } or { name, rank, slice }, with layers: numbers above 0",
  },
};

export type ExpectedWords = typeof en;

/** The name of a kind, and the numbers for its words. */
export interface Expected extends Bounds {
  expected: keyof ExpectedWords["kinds"];
}

const zh: ExpectedWords = {
  sentence: (property, value, expected) => `${property}：${value}（应为${expected}）。`,
  kinds: {
    whole: ({ min = 0, max }) =>
      max === undefined ? `不小于 ${min} 的整数` : ` ${min} 到 ${max} 的整数`,
    even: ({ min, max }) => ` ${min} 到 ${max} 的偶数`,
    positive: ({ max }) => (max === undefined ? "正数" : `不超过 ${max} 的正数`),
    number: ({ min }) => `不小于 ${min} 的数`,
    one: ({ choices }) => `其中之一：${choices}`,
    some: ({ choices }) => `其中几个（用空格隔开）：${choices}`,
    text: () => "一段文字",
    id: () => "某个方案的标识",
    address: () => "文件或文件夹的地址",
    file: () => "数据文件的地址：从那里来的是一个 HTML 页面，有些服务器在文件不存在时会这样返回",
    flag: () => " true 或 false",
    ids: () => "用空格隔开的标识，或由它们组成的列表",
    tokens: ({ max }) =>
      max === undefined ? "由文字或编号组成的列表" : `由 ${max} 个文字或编号组成的列表，每格一个`,
    token: () => "文字或编号",
    numbers: ({ max }) => ` ${max} 个整数`,
    order: ({ choices }) => `数 ${choices} 的某种排列`,
    object: () => "一个对象，形如 config.json",
    scaling: () => "一种缩放的名称，或形如 rope_scaling 的对象",
    files: () => "文件的列表",
    map: () => "由数字组成的列表（[T, S]、[H, T, S] 或 [L, H, T, S]），或 { data, shape }",
    rows: () => "一张图 [位置, 通道]：由数字组成的列表，或 { data, shape }",
    shape: () => " [T, S]、[H, T, S] 或 [L, H, T, S]，各为不小于 1 的整数",
    square: () => "方阵：行数与列数相同",
    side: ({ max }) => `边长不超过 ${max} 的图`,
    amount: ({ max }) => `不超过 ${max} 个数`,
    count: ({ max, choices }) => ` ${max} 个数，与 ${choices} 一样多`,
    alike: ({ max, choices }) => `长度为 ${max} 的列表，与 ${choices} 一样长`,
    squares: ({ max }) => ` ${max} × ${max} 的图，或 { data, shape }`,
    cell: () => "数；被掩码挡住的写 null 或 NaN",
    any: () => "至少有一格没有被掩码挡住的数",
    curves: () => "数的列表、按名称给出的列表，或 { x, lines: [{ name, values, low, high }] }",
    heads: () => "按名称给出的各层的列表，每个头一个数；或按名称给出的 { data, shape }",
    list: () => "数的列表",
    value: () => "数；缺口写 null",
    rising: () => "不小于 0 的数，且大于前一个",
    max: ({ max }) => `长度为 1 到 ${max} 的列表`,
    cache: () =>
      " { name, numbers }、{ name, kvHeads, headDim } 或 { name, rank, slice }，可加 layers；都是正数",
  },
};

export const expectedWords: Bilingual<ExpectedWords> = { en, zh };

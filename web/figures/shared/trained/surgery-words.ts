/** Words on surgery on a trained model: its controls, its operation and its effect. */

import type { Language, RemapMethod, SurgeryKind, SurgeryScope } from "../../../defaults.js";
import type { Bilingual } from "../../../text/index.js";
import { plain, wavelengthText } from "../../../text/numbers.js";

export interface SurgeryControlWords {
  operation: string;
  operations: Record<SurgeryKind, string>;
  scope: string;
  scopes: (layer: number, head: number) => Record<SurgeryScope, string>;
  term: string;
  pair: string;
  pairText: (pair: number, wavelength: number) => string;
  option: string;
  method: string;
  methods: Record<RemapMethod, string>;
  window: string;
  windowText: (window: number) => string;
  remapText: (method: string, window: number) => string;
  scheme: string;
  token: string;
  move: string;
  moveText: (by: number, from: number, to: number) => string;
  at: (position: number) => string;
  phrase: Record<SurgeryKind, (value: string, token: string, other: string) => string>;
  /** Text between the phrase and the loss. */
  where: (scope: SurgeryScope, layer: number, head: number) => string;
  loss: (language: Language, before: number, after: number) => string;
  lossJoiner: string;
  sentence: (what: string, losses: string) => string;
}

const namesEn: Record<Language, string> = { en: "English", zh: "Chinese" };
const namesZh: Record<Language, string> = { en: "英文", zh: "中文" };

/** A change of the loss, with its sign. */
const change = (by: number): string =>
  Math.abs(by) < 0.00005 ? "±0" : `${by < 0 ? "" : "+"}${plain(Number(by.toFixed(4)))}`;

const en: SurgeryControlWords = {
  operation: "Operation",
  operations: {
    zero: "remove a term",
    drop: "drop a pair",
    freeze: "freeze a pair",
    option: "turn an option",
    remap: "remap far keys",
    scheme: "swap the scheme",
    move: "move a token",
    copy: "share a position",
  },
  scope: "Where",
  scopes: (layer, head) => ({
    all: "all layers",
    layer: `layer ${layer}`,
    head: `layer ${layer}, head ${head}`,
  }),
  term: "Term",
  pair: "Pair",
  pairText: (pair, wavelength) => `${pair}: one turn in ${wavelengthText(wavelength)} tokens`,
  option: "Option",
  method: "Method",
  methods: {
    rerope: "ReRoPE",
    leaky_rerope: "leaky ReRoPE",
    self_extend: "Self-Extend",
    dual_chunk: "dual chunks",
    lm_infinite: "LM-Infinite",
  },
  window: "Window",
  windowText: (window) => (window === 1 ? "1 token" : `${window} tokens`),
  remapText: (method, window) => `${method} with a window of ${window}`,
  scheme: "New scheme",
  token: "Token",
  move: "Move by",
  moveText: (by, from, to) =>
    `${by < 0 ? "−" : "+"}${Math.abs(by)}: from position ${from} to ${to}`,
  at: (position) => `position ${position}`,
  phrase: {
    zero: (term) => `Without “${term}”`,
    drop: (pair) => `Without pair ${pair}`,
    freeze: (pair) => `With pair ${pair} standing still`,
    option: (value, _, initial) => `With ${value} instead of ${initial}`,
    remap: (value) => `With ${value}`,
    scheme: (name) => `With the scheme “${name}” in place of its own`,
    move: (value, token) => `With “${token}” at ${value}`,
    copy: (value, token, other) => `With “${token}” at ${value}, where “${other}” stands too`,
  },
  where: (scope, layer, head) =>
    scope === "all"
      ? " in all layers"
      : scope === "layer"
        ? ` in layer ${layer}`
        : ` in layer ${layer}, head ${head}`,
  loss: (language, before, after) =>
    `from ${before.toFixed(3)} to ${after.toFixed(3)} on ${namesEn[language]} (${change(after - before)})`,
  lossJoiner: " and ",
  sentence: (what, losses) => `${what}, the held-out loss goes ${losses}, in bits a character.`,
};

const zh: SurgeryControlWords = {
  operation: "改动",
  operations: {
    zero: "拿掉一个分项",
    drop: "去掉一对通道",
    freeze: "按住一对通道",
    option: "改一个选项",
    remap: "给远处换位置",
    scheme: "换方案",
    move: "挪动词元",
    copy: "共用位置",
  },
  scope: "范围",
  scopes: (layer, head) => ({
    all: "所有层",
    layer: `第 ${layer} 层`,
    head: `第 ${layer} 层第 ${head} 个头`,
  }),
  term: "分项",
  pair: "通道对",
  pairText: (pair, wavelength) => `第 ${pair} 对：每 ${wavelengthText(wavelength)} 个词元转一圈`,
  option: "选项",
  method: "方法",
  methods: {
    rerope: "ReRoPE",
    leaky_rerope: "Leaky ReRoPE",
    self_extend: "Self-Extend",
    dual_chunk: "双块注意力",
    lm_infinite: "LM-Infinite",
  },
  window: "窗口",
  windowText: (window) => `${window} 个词元`,
  remapText: (method, window) => `${method}，窗口为 ${window}`,
  scheme: "新方案",
  token: "词元",
  move: "挪动",
  moveText: (by, from, to) => `${by < 0 ? "−" : "+"}${Math.abs(by)}：从位置 ${from} 到 ${to}`,
  at: (position) => `位置 ${position}`,
  phrase: {
    zero: (term) => `拿掉“${term}”`,
    drop: (pair) => `去掉第 ${pair} 对通道`,
    freeze: (pair) => `第 ${pair} 对通道不再转动`,
    option: (value, _, initial) => `${value}（原为 ${initial}）`,
    remap: (value) => `用 ${value}`,
    scheme: (name) => `换成“${name}”`,
    move: (value, token) => `把“${token}”挪到${value}`,
    copy: (value, token, other) => `把“${token}”放到${value}，与“${other}”同处一地`,
  },
  where: (scope, layer, head) =>
    scope === "all"
      ? "（所有层）"
      : scope === "layer"
        ? `（第 ${layer} 层）`
        : `（第 ${layer} 层第 ${head} 个头）`,
  loss: (language, before, after) =>
    `${namesZh[language]}从 ${before.toFixed(3)} 变为 ${after.toFixed(3)}（${change(after - before)}）`,
  lossJoiner: "，",
  sentence: (what, losses) => `${what}，留出文本上的损失，${losses}，单位是每字符比特数。`,
};

export const surgeryControlWords: Bilingual<SurgeryControlWords> = { en, zh };

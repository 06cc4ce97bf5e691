/** The words of the dials of rotary pairs. */
import type { Bilingual } from "../../../text/index.js";
import { grouped, wavelengthText } from "../../../text/numbers.js";

const degrees = (radians: number): number =>
  Math.round((((radians * 180) / Math.PI) % 360) + 360) % 360;

const en = {
  name: "Where each pair of channels points at a position",
  title: (position: number, pairs: number) =>
    `At position ${grouped(position)}: where ${pairs === 1 ? "the pair points" : `${pairs} pairs point`}`,
  position: "Position",
  at: (position: number) => grouped(position),
  pair: (pair: number) => `pair ${pair}`,
  wavelength: (tokens: number) => `${wavelengthText(tokens)} tokens`,
  hand: "as it is read",
  before: "without the scaling",
  cell: (pair: number, angle: number, tokens: number) =>
    `pair ${pair}: ${degrees(angle)}°, a turn in ${wavelengthText(tokens)} tokens`,
  caption: (position: number, fast: number, slow: number, around: number, pairs: number) =>
    `At position ${grouped(position)} the fastest pair has made ${grouped(Number(fast.toPrecision(3)))} turns, the slowest ${Number(slow.toPrecision(2))}; ${around} of ${pairs} have come round at least once.`,
  note: (trained: number, length: number) =>
    `Under each dial: tokens for one turn. Trained on ${grouped(trained)} tokens, read to ${grouped(length)}. Hands begin upright at position 0.`,
  caveat: "A score reads the angle between the hands of query and key, never a hand by itself.",
  columns: ["Pair", "Tokens a turn", "Turns made", "Angle in degrees"],
  degrees,
};

export type DialWords = typeof en;

const zh: DialWords = {
  name: "在某个位置上，各对通道指向哪里",
  title: (position, pairs) => `位置 ${grouped(position)} 处，${pairs} 对通道各指向哪里`,
  position: "位置",
  at: (position) => grouped(position),
  pair: (pair) => `第 ${pair} 对`,
  wavelength: (tokens) => `${wavelengthText(tokens)} 个词元`,
  hand: "实际读到的角度",
  before: "不缩放时的角度",
  cell: (pair, angle, tokens) =>
    `第 ${pair} 对：${degrees(angle)}°，${wavelengthText(tokens)} 个词元转一圈`,
  caption: (position, fast, slow, around, pairs) =>
    `到位置 ${grouped(position)}，最快的一对转了 ${grouped(Number(fast.toPrecision(3)))} 圈，最慢的转了 ${Number(slow.toPrecision(2))} 圈；${pairs} 对里有 ${around} 对至少转满过一圈。`,
  note: (trained, length) =>
    `每个表盘下面是转一圈所需的词元数。训练长度 ${grouped(trained)} 个词元，读到 ${grouped(length)} 个。位置 0 处，指针都朝正上方。`,
  caveat: "得分只看查询和键两根指针的夹角，不看单独一根指向哪里。",
  columns: ["对", "转一圈的词元数", "已转圈数", "角度（度）"],
  degrees,
};

export const dialWords: Bilingual<DialWords> = { en, zh };

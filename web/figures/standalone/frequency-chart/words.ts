/** The words of the chart of wavelengths against context. */
import type { Bilingual } from "../../../text/index.js";
import { grouped } from "../../../text/numbers.js";
import { wavelengthWords } from "../../shared/pictures/wavelength-words.js";

const en = {
  ...wavelengthWords.en,
  name: "Tokens that each rotary pair takes for a turn, against the length of the text",
  title: (rotated: number, pairs: number, length: number) =>
    `${rotated} of ${pairs} pairs come round within the ${grouped(length)} tokens of the training`,
  caption: (isNew: number, pairs: number, length: number) =>
    isNew
      ? `Read to ${grouped(length)} tokens, ${isNew} of ${pairs} pairs point where they never pointed in training.`
      : `Read to ${grouped(length)} tokens, no pair points where it never pointed in training.`,
  scores: (square: number) => ` Every score is multiplied by ${square.toFixed(2)}.`,
  factor: "Longer by",
  factorText: (factor: number, tokens: number) => `${factor} ×: ${grouped(tokens)} tokens`,
  caveat:
    "Not shown: what this does to a model. An angle that was seen is not yet a distance that was understood.",
};

export type FrequencyWords = typeof en;

const zh: FrequencyWords = {
  ...wavelengthWords.zh,
  name: "各对通道转一圈要多少个词元，与文本长度相比",
  title: (rotated, pairs, length) =>
    `训练长度 ${grouped(length)} 个词元之内，${pairs} 对里有 ${rotated} 对转满过一圈`,
  caption: (isNew, pairs, length) =>
    isNew
      ? `读到 ${grouped(length)} 个词元时，${pairs} 对里有 ${isNew} 对会指向训练中从没到过的角度。`
      : `读到 ${grouped(length)} 个词元时，没有哪一对会指向训练中从没到过的角度。`,
  scores: (square) => `每个得分都乘以 ${square.toFixed(2)}。`,
  factor: "拉长到",
  factorText: (factor, tokens) => `${factor} 倍：${grouped(tokens)} 个词元`,
  caveat: "这些改动对模型有什么影响，这里没有画出。见过一个角度，不等于理解了它代表的距离。",
};

export const frequencyWords: Bilingual<FrequencyWords> = { en, zh };

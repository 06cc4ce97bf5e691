/** The families of schemes, by what they do. */
import type { Family } from "../../../drawing/family-colours.js";
import type { Bilingual } from "../../../text/index.js";

export type FamilyWords = Record<Family, string>;

const en: FamilyWords = {
  none: "no positions",
  absolute: "absolute: added to the word",
  rotary: "rotary: rotates query and key",
  relative: "relative: changes the score",
  latent: "latent: keys from a small vector",
  grid: "grid: for pictures",
  formula: "your formula",
};

const zh: FamilyWords = {
  none: "没有位置",
  absolute: "绝对：加在词上",
  rotary: "旋转：转动查询和键",
  relative: "相对：改动得分",
  latent: "潜在向量：键由小向量算出",
  grid: "网格：用于图片",
  formula: "你的公式",
};

export const familyWords: Bilingual<FamilyWords> = { en, zh };

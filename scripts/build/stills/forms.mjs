// The languages, themes and widths in which still pictures are drawn.

import { figureOf } from "../figures.mjs";

/** HTML's language tags, by folder name. */
export const languages = { en: "en", zh: "zh-Hans" };
export const themes = ["light", "dark"];

/** CSS pixels: the width of pictures on a phone, wider than the text column, and inside it. */
export const narrow = 350;
const wide = 1100;
const inside = 640;

/** A figure's widths by the name of the form. */
export const widthsOf = (tag) => ({
  narrow,
  wide: figureOf(tag).width === "inside" ? inside : wide,
});

/** Window width from which figures are wider than their column (web/styles). */
export const wideFrom = "50rem";

/**
 * A picture in a file can use only system fonts: these are almost always installed, and about as
 * wide as `widths.mjs` assumes.
 */
const latin = 'Arial, "Helvetica Neue", "Liberation Sans"';
export const faces = {
  en: `${latin}, sans-serif`,
  zh: `${latin}, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif`,
};

// In which forms the still pictures are drawn.

/** Languages by their folder's name, as HTML names them. */
export const languages = { en: "en", zh: "zh-Hans" };
export const themes = ["light", "dark"];

/** CSS pixels: as wide as pictures are on a phone, out of their column, and inside it. */
export const narrow = 350;
const wide = 1100;
const inside = 640;
/** Figures that stay inside the column of text on a wide screen (`insideStyles`). */
const insideColumn = new Set(["wf-cache-bytes", "wf-score-terms"]);

/** A figure's widths by the name of the form. */
export const widthsOf = (tag) => ({ narrow, wide: insideColumn.has(tag) ? inside : wide });

/** From this width of the window on, figures reach out of their column (web/styles). */
export const wideFrom = "50rem";

/**
 * A picture in a file has no face but the system's: these are nearly everywhere, and about as wide
 * as `widths.mjs` takes them to be.
 */
const latin = 'Arial, "Helvetica Neue", "Liberation Sans"';
export const faces = {
  en: `${latin}, sans-serif`,
  zh: `${latin}, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif`,
};

// Titles, labels and numbers of the first figure's maps do not overlap, whatever the sentence's
// length.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { follow, fragment, numbersOf, openBrowser, openPage, pathOfFigure } from "./browser.mjs";

const chase = "wf-who-chases";

let session;
let reader;
before(async () => {
  session = await openBrowser();
  reader = await openPage(session, { path: pathOfFigure("wf-who-chases") });
});
after(() => session.close());

/** Returns pairs of texts in the figure's picture that overlap. */
const overprinted = (figure) => {
  const { picture } = figure.shadowRoot.querySelector("wf-scene");
  const context = document.createElement("canvas").getContext("2d");
  const boxes = picture.marks
    .filter(({ kind }) => kind === "text")
    .map(({ x, y, text, size, align = "left", weight = 400, rotation }) => {
      context.font = `${weight} ${size}px ${picture.faces}`;
      const { width } = context.measureText(text);
      const [high, low] = [size * 0.72, size * 0.05];
      if (rotation) return { text, left: x - high, right: x + low, top: y - width, bottom: y };
      const left = x - { left: 0, center: width / 2, right: width }[align];
      return { text, left, right: left + width, top: y - high, bottom: y + low };
    });
  const meet = (a, b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const pairs = boxes.flatMap((a, i) =>
    boxes.slice(i + 1).flatMap((b) => (meet(a, b) ? [[a.text, b.text]] : [])),
  );
  const out = boxes.filter(({ left, right }) => left < 0 || right > picture.width);
  return { pairs, out: out.map(({ text }) => text), texts: boxes.length };
};

const sentences = {
  en: [
    "disproportionately straightforward grandmothers misunderstand " +
      "counterrevolutionary photographers",
    "because internationally acclaimed photographers enthusiastically misunderstand " +
      "counterrevolutionary grandmothers notwithstanding disproportionately straightforward " +
      "explanations beforehand",
  ],
  zh: [
    "小时候我特别喜欢和邻居家的孩子们一起吃苹果",
    "人工智能 研究人员 特别喜欢 电子显微镜 高速公路",
  ],
};

for (const [language, texts] of Object.entries(sentences))
  for (const width of [390, 1280])
    for (const text of texts)
      for (const unit of ["word", "character"])
        test(`${language}, ${width}, by ${unit}: no overlap: “${text.slice(0, 16)}…”`, async () => {
          const { page } = reader;
          await page.setViewportSize({ width, height: 900 });
          await follow(page, fragment(language, `&a=${encodeURIComponent(text)}&au=${unit}`));
          const isShortened = (tokens) => tokens.every((token) => [...token].length === 1);
          const begins = (tokens) =>
            text.startsWith(tokens[0]) && isShortened(tokens) === (unit === "character");
          await numbersOf(page, chase, ({ tokensA }) => begins(tokensA));
          const figure = page.locator(chase);
          await figure.evaluate((node) => node.updateComplete);
          const { pairs, out, texts: count } = await figure.evaluate(overprinted);
          assert.deepEqual({ pairs, out }, { pairs: [], out: [] });
          assert.ok(count > 12, `${count} texts`);
        });

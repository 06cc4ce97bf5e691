// The pages on paper: light whatever the screen is, no wider than the sheet, without what only
// a hand can use, and with a picture in every figure's place.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pages } from "../../scripts/build/prose.mjs";
import { fragment, numbersOf, openBrowser, openPage } from "./browser.mjs";

/** Width of A4 without its margins, in CSS pixels. */
const sheet = Math.ceil((210 - 2 * 16) * (96 / 25.4));
const figuresOf = (path) => pages().find((page) => page.path === path).figures;

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

const tell = (page, moment) => page.evaluate((name) => dispatchEvent(new Event(name)), moment);

/** Counts drawn scenes and maps, shadow trees included, and those with a dark background. */
const darkCanvases = (page) =>
  page.evaluate(() => {
    const views = [];
    const look = (root) => {
      for (const element of root.querySelectorAll("*")) {
        if (["wf-scene", "wf-map-view"].includes(element.localName)) views.push(element);
        if (element.shadowRoot) look(element.shadowRoot);
      }
    };
    look(document);
    const drawn = views.filter(({ palette }) => palette);
    const isDark = ({ palette }) => Number.parseInt(palette.paper.slice(1, 3), 16) < 128;
    return { drawn: drawn.length, dark: drawn.filter(isDark).length };
  });

/** Measures the printed page: right edge of pictures, visible controls, figures left empty. */
const onPaper = (page, tags) =>
  page.evaluate((names) => {
    const isShown = (element) => element.checkVisibility() && element.clientHeight > 0;
    const all = [];
    const look = (root) => {
      for (const element of root.querySelectorAll("*")) {
        all.push(element);
        if (element.shadowRoot) look(element.shadowRoot);
      }
    };
    look(document.querySelector("main"));
    const shown = all.filter(isShown);
    const pictures = shown.filter(({ localName }) => ["canvas", "img"].includes(localName));
    const hands = ["choice", "pick", "slider", "several", "takeaway", "text-line"];
    // A word of the first figure is a button, and stays.
    const isButton = (element) =>
      element.matches("button:not(.word), .more > summary, .section-line");
    const inside = (element, outer) => {
      for (let at = element; at; at = at.parentNode ?? at.host) if (at === outer) return true;
      return false;
    };
    return {
      right: Math.max(...pictures.map((element) => element.getBoundingClientRect().right)),
      hands: hands.filter((name) => shown.some(({ localName }) => localName === `wf-${name}`)),
      buttons: shown.filter(isButton).map(({ className }) => className),
      folded: shown.filter(
        (element) => element.matches("main details") && element.clientHeight < 60,
      ).length,
      stills: document.querySelectorAll(".at-rest .dark").length,
      dark: shown.filter((element) => element.matches(".at-rest .dark, .at-rest .dark *")).length,
      empty: names.filter((name) => {
        const figure = document.querySelector(name);
        // A figure is empty if no element inside it, shadow tree included, is shown.
        return !shown.some((element) => inside(element, figure) && element !== figure);
      }),
      paper: getComputedStyle(document.documentElement).colorScheme,
    };
  }, tags);

// With figures that have their numbers before printing: a table, canvases, dials, a zoomed map.
for (const [language, width, path, woken] of [
  ["en", 1280, "", ["wf-who-chases", "wf-turning-pairs"]],
  ["zh", 390, "", ["wf-who-chases", "wf-turning-pairs"]],
  ["zh", 1280, "tools/lab/", ["wf-attention-map"]],
])
  test(`${language}, /${path} from a dark screen ${width} wide: light, on the sheet`, async () => {
    const { page, complaints, close } = await openPage(session, {
      path,
      hash: fragment(language, "&t=dark"),
      isAlone: true,
      colorScheme: "dark",
      width,
    });
    for (const tag of woken) await numbersOf(page, tag);
    const before = await darkCanvases(page);
    assert.ok(before.dark > 0 && before.dark === before.drawn, `${before.dark} of ${before.drawn}`);
    await tell(page, "beforeprint");
    const printed = await darkCanvases(page);
    assert.equal(printed.dark, 0, "the pictures are not drawn in light colours at once");
    assert.ok(printed.drawn >= before.drawn);
    await page.setViewportSize({ width: sheet, height: 1000 });
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    const paper = await onPaper(page, figuresOf(path));
    assert.ok(paper.right <= sheet, `${paper.right} of ${sheet} pixels`);
    assert.deepEqual(paper.hands, []);
    assert.deepEqual(paper.buttons, []);
    assert.equal(paper.folded, 0);
    // The lab has no still of its own: its figure is the page.
    assert.equal(paper.stills > 0, path === "");
    assert.equal(paper.dark, 0);
    assert.deepEqual(paper.empty, []);
    assert.equal(paper.paper, "light");
    await page.emulateMedia({ media: "screen", colorScheme: "dark" });
    await tell(page, "afterprint");
    const after = await darkCanvases(page);
    assert.equal(after.dark, after.drawn, "the screen's colours are not restored");
    assert.deepEqual(complaints, []);
    await close();
  });

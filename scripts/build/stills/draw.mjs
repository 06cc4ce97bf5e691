// Draws the figures of the article as they stand at first, in a Node that stands in for a browser:
//   node scripts/build/stills/draw.mjs ADDRESS FOLDER
// ADDRESS serves the built page with its models. Leaves an SVG file for each language, theme and
// width in FOLDER, and stills.json: what each figure says, and how large its pictures are.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "../../setup/ensure.mjs";
import { readSection, sectionNames } from "../article.mjs";
import { openSources } from "../page-sources.mjs";
import { schemeWords } from "../scheme-words.mjs";
import { standInForBrowser, underway } from "./browser.mjs";
import { faces, languages, themes, widthsOf } from "./forms.mjs";
import { withPixels } from "./pixels.mjs";
import { elementsIn } from "./rendered.mjs";
import { measure } from "./widths.mjs";

// Their numbers are times on the reader's own device, or they begin when a reader asks: what this
// machine would measure is nobody's result. The first has a still picture of its own.
const without = new Set(["wf-word-swap", "wf-costs", "wf-decoding-forms"]);

/** Figures of the article, in their order, with the folder that each has. */
const figures = () =>
  sectionNames()
    .flatMap((name) => readSection(name).figures)
    .filter((tag) => !without.has(tag));

const longestSeconds = 60;

/** Waits until nothing that a figure asked for is on its way, and it has rendered what came. */
async function atRest(figure) {
  const end = performance.now() + 1000 * longestSeconds;
  for (let quiet = 0; quiet < 3; quiet = underway.count || figure.isUpdatePending ? 0 : quiet + 1) {
    if (performance.now() > end) throw new Error(`${figure.localName} does not come to rest`);
    await figure.updateComplete;
    await sleep(4);
  }
}

/** The words around a picture, and its drawing; nothing where the figure has no picture yet. */
function stillOf(figure) {
  const [frame] = elementsIn(figure.rendered, "wf-frame");
  const [scene] = elementsIn(figure.rendered, "wf-scene");
  if (!frame || !scene?.draw || frame.failure) return undefined;
  const { heading, reading, name } = frame;
  return { heading, reading, name, ...scene };
}

/** Files of one figure in one language, and their sizes by width. */
function writePictures(still, { tag, language, folder }, { toSvg, palettes }) {
  return Object.fromEntries(
    Object.entries(widthsOf(tag)).map(([form, width]) => {
      let size;
      for (const theme of themes) {
        const picture = still.draw(width, palettes[theme], measure);
        const { marks = [] } = picture.over?.(still.active) ?? {};
        const whole = {
          ...picture,
          faces: faces[language],
          marks: [...picture.marks, ...marks].map(withPixels),
        };
        size = [Math.ceil(picture.width), Math.ceil(picture.height)];
        const file = `${tag.slice(3)}-${language}-${form}-${theme}.svg`;
        writeFileSync(join(folder, file), toSvg(whole, still.heading, palettes[theme].paper));
      }
      return [form, size];
    }),
  );
}

async function draw(address, folder) {
  const alias = [{ find: /^whereformer$/, replacement: join(root, "dist/index.js") }];
  const sources = await openSources({ alias, plugins: [schemeWords()] });
  standInForBrowser(address, () => sources.load("/engine/worker/worker.ts"));
  try {
    mkdirSync(folder, { recursive: true });
    const { page } = await sources.load("/state.ts");
    const { toSvg } = await sources.load("/drawing/svg.ts");
    const { readPalette } = await sources.load("/drawing/colour.ts");
    const tokens = readFileSync(join(root, "web/styles/tokens.css"), "utf8");
    const read = (property) => new RegExp(`${property}: ([^;]+);`).exec(tokens)[1];
    const palettes = Object.fromEntries(
      themes.map((theme) => [theme, readPalette(read, theme === "dark")]),
    );
    // All figures are of one group, as in the article.
    page.ownsAddress = true;
    const stills = {};
    for (const tag of figures()) {
      await sources.load(`/figures/${tag.slice(3)}/element.ts`);
      for (const language of Object.keys(languages)) {
        page.state = { ...page.state, language };
        page.changes.tell("language");
        const figure = new (customElements.get(tag))();
        figure.connectedCallback();
        await atRest(figure);
        const still = stillOf(figure);
        if (still) {
          const pictures = writePictures(still, { tag, language, folder }, { toSvg, palettes });
          const { name, heading, reading } = still;
          stills[tag] = { ...stills[tag], [language]: { name, heading, reading, pictures } };
        }
        figure.disconnectedCallback();
      }
    }
    writeFileSync(join(folder, "stills.json"), JSON.stringify(stills));
  } finally {
    await sources.close();
  }
}

const [address, folder] = process.argv.slice(2);
await draw(address, folder);
// What figures have begun beside their pictures is not waited for.
process.exit(0);

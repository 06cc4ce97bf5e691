// Draws the figures of the article in their initial state, in Node with substitutes for a browser:
//   node scripts/build/stills/draw.mjs ADDRESS FOLDER
// ADDRESS serves the built page with its models. Writes an SVG file for each language, theme and
// width to FOLDER, and stills.json: each figure's caption, and the sizes of its pictures.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "../../setup/ensure.mjs";
import { figureOf } from "../figures.mjs";
import { openSources } from "../page-sources.mjs";
import { tagsOfPages } from "../prose.mjs";
import { schemeWords } from "../scheme-words.mjs";
import { standInForBrowser, underway } from "./browser.mjs";
import { faces, languages, themes, widthsOf } from "./forms.mjs";
import { cardParts, mapParts, sceneParts } from "./parts.mjs";
import { withPixels } from "./pixels.mjs";
import { elementsIn } from "./rendered.mjs";
import { tiled, tileSizes } from "./tiled.mjs";
import { measure } from "./widths.mjs";

const longestSeconds = 60;

/** Waits until a figure has no pending requests and has rendered the results. */
async function atRest(figure) {
  const end = performance.now() + 1000 * longestSeconds;
  for (let quiet = 0; quiet < 3; quiet = underway.count || figure.isUpdatePending ? 0 : quiet + 1) {
    if (performance.now() > end) throw new Error(`${figure.localName} keeps loading or rendering`);
    await figure.updateComplete;
    await sleep(4);
  }
}

/** The texts around a picture, and its parts; undefined if there is none yet. */
async function stillOf(figure, tools) {
  const { titleOf, galleryName } = tools;
  if (figure.localName === "wf-scheme-gallery")
    return { heading: "", name: galleryName, parts: await cardParts(figure, titleOf, atRest) };
  const maps = await mapParts(figure, tools, atRest);
  const parts = maps.length ? maps : sceneParts(figure);
  const [frame] = elementsIn(figure.rendered, "wf-frame");
  if (!frame || !parts.length || frame.failure) return undefined;
  const { heading, caption, name } = frame;
  return { heading, caption, name, parts };
}

/** One part as a file. */
function fileOf({ draw: picture, active, title }, { width, theme, language }, tools) {
  const palette = tools.palettes[theme];
  const drawn = picture(width, palette, measure);
  const { marks = [] } = drawn.over?.(active) ?? {};
  const all = [...drawn.marks, ...marks].map(withPixels);
  const whole = { ...drawn, faces: faces[language], marks: all };
  const size = [Math.ceil(drawn.width), Math.ceil(drawn.height)];
  // Without a ground: on the screen the page's is behind it, and paper is white.
  return { svg: tools.toSvg(whole, title, "none"), size };
}

function whole(still, look, tools) {
  const { parts, heading } = still;
  const { width, theme, language } = look;
  const [first] = parts;
  if (parts.length === 1) return fileOf({ ...first, title: heading }, look, tools);
  const kind = heading ? "map" : "card";
  const { across, tile } = tileSizes(width, parts.length, kind);
  const tiles = parts.map((part) => {
    const { svg, size } = fileOf(part, { ...look, width: tile }, tools);
    const lines = tools.headingLines(part.title, tile, measure);
    return { lines, svg, height: size[1] };
  });
  const palette = tools.palettes[theme];
  return tiled(tiles, { across, tile, width, palette, faces: faces[language] });
}

/** Writes the files of one figure in one language; returns their sizes by width. */
function writePictures(still, { tag, language, folder }, tools) {
  return Object.fromEntries(
    Object.entries(widthsOf(tag)).map(([form, width]) => {
      let size;
      for (const theme of themes) {
        const drawn = whole(still, { width, theme, language }, tools);
        size = drawn.size;
        const file = `${tag.slice(3)}-${language}-${form}-${theme}.svg`;
        writeFileSync(join(folder, file), drawn.svg);
      }
      return [form, size];
    }),
  );
}

/** The page's own modules that the pictures are drawn with. */
async function toolsOf(load) {
  const { readPalette } = await load("/drawing/colour.ts");
  const tokens = readFileSync(join(root, "web/styles/tokens.css"), "utf8");
  const read = (property) => new RegExp(`${property}: ([^;]+);`).exec(tokens)[1];
  const palettes = Object.fromEntries(
    themes.map((theme) => [theme, readPalette(read, theme === "dark")]),
  );
  return {
    palettes,
    measure,
    ...(await load("/drawing/svg.ts")),
    ...(await load("/drawing/map-pyramid.ts")),
    ...(await load("/controls/map-frame.ts")),
    ...(await load("/figures/shared/pictures/captions.ts")),
  };
}

async function draw(address, folder) {
  const alias = [{ find: /^whereformer$/, replacement: join(root, "dist/index.js") }];
  const sources = await openSources({ alias, plugins: [schemeWords()] });
  standInForBrowser(address, () => sources.load("/engine/worker/worker.ts"));
  try {
    mkdirSync(folder, { recursive: true });
    const load = (name) => sources.load(name);
    const tools = await toolsOf(load);
    const { page } = await load("/state.ts");
    const { lengthSchemes } = await load("/defaults.ts");
    const { schemeWords: wordsIn, wordsOf } = await load("/text/schemes.ts");
    const { galleryWords } = await load("/figures/scheme-gallery/words.ts");
    // All figures are in one group, as in the article; answers that the reader guesses are set
    // here.
    page.ownsAddress = true;
    page.state = { ...page.state, curveSchemes: lengthSchemes.join(".") };
    const stills = {};
    for (const tag of tagsOfPages().filter((one) => figureOf(one).still !== "none")) {
      await load(figureOf(tag).file.replace(/^web/, ""));
      for (const language of Object.keys(languages)) {
        page.state = { ...page.state, language };
        page.changes.tell("language");
        const figure = new (customElements.get(tag))();
        Object.defineProperty(figure, "localName", { value: tag });
        figure.connectedCallback();
        await atRest(figure);
        const titleOf = (id) => wordsOf(wordsIn(language), id);
        const figureTools = { ...tools, titleOf, galleryName: galleryWords[language].name };
        const still = await stillOf(figure, figureTools);
        if (still) {
          const pictures = writePictures(still, { tag, language, folder }, tools);
          const { name, heading, caption } = still;
          stills[tag] = { ...stills[tag], [language]: { name, heading, caption, pictures } };
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
// Other pending work of the figures is not awaited.
process.exit(0);
